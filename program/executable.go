package program

import (
	"fmt"
	"slices"
	"sync"

	"contend/model/wrapped"
	"contend/program/build"
	"contend/program/host"
	"contend/program/overlay"
)

// An executable is a program of this process: its sources, and once it is compiled, its module.
type executable struct {
	config Config
	found  func() (build.Plan, error)

	once    sync.Once
	module  *host.Module
	spares  spares
	origin  wrapped.Origin
	escapes []string
	err     error
}

// all are the executables of this process.
var all sync.Map

// find finds the sources of a program once in a process, or the module that was built elsewhere.
func find(c Config) (*executable, error) {
	goroot := ""
	if edits := (overlay.Edits{Schedule: c.Yield != 0, Net: c.Net, Slow: c.Slow * c.Tick}); edits != (overlay.Edits{}) && c.Wasm == "" && c.Overlay == "" {
		o, err := edits.Cached(c.Dir)
		if err != nil {
			return nil, err
		}
		c.Overlay, goroot = o.File, o.Goroot
		if c.Net {
			c.Tags = append(slices.Clip(c.Tags), overlay.Tag)
		}
	}
	pkg := build.Package{Path: c.Package, Dir: c.Dir, Overlay: c.Overlay, Goroot: goroot, Tags: c.Tags, Net: c.Net}
	kept, _ := all.LoadOrStore(fmt.Sprintf("%q", []any{c.Package, c.Wasm, c.Dir, c.Overlay, c.Tags, c.Net}), &executable{config: c, found: sync.OnceValues(pkg.Plan)})
	e := kept.(*executable)
	if c.Wasm != "" {
		return e, nil
	}
	_, err := e.found()
	return e, err
}

// compile compiles the program once.
func (e *executable) compile() error {
	e.once.Do(func() { e.err = e.load() })
	return e.err
}

func (e *executable) load() error {
	built, err := e.build()
	if err != nil {
		return err
	}
	name := e.config.Package + e.config.Wasm
	for _, what := range built.Escapes {
		e.escapes = append(e.escapes, "program "+name+": "+what)
	}
	e.origin = wrapped.Origin{Program: name, Module: built.Sum, Go: built.Go}
	if e.module, err = host.Compile(built.Wasm); err != nil {
		return fmt.Errorf("%w (of %s)", err, name)
	}
	return nil
}

func (e *executable) build() (build.Built, error) {
	if e.config.Wasm != "" {
		return build.Read(e.config.Wasm)
	}
	plan, err := e.found()
	if err != nil {
		return build.Built{}, err
	}
	return plan.Compile()
}
