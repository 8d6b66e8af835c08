package program

import (
	"fmt"
	"slices"
	"sync"

	"contend/model/wrapped"
	"contend/program/build"
	"contend/program/guest"
	"contend/program/host"
	"contend/program/native"
	"contend/program/overlay"
)

// An executable is a program of this process: its sources, and once it is compiled, its module.
type executable struct {
	config Config
	note   string // why it is this guest; "" if nobody asks
	found  func() (build.Plan, error)

	once    sync.Once
	module  guest.Module
	spares  spares
	origin  wrapped.Origin
	escapes []string
	err     error
}

// all are the executables of this process.
var all sync.Map

// find finds the sources of a program once in a process, or the module that was built elsewhere.
func find(c Config) (*executable, error) {
	unfit := c.unfit()
	switch {
	case c.Guest == Native && unfit != nil:
		return nil, fmt.Errorf("program %s cannot be a native guest: %w", c.Package+c.Wasm, unfit)
	case c.Guest == Native:
		return found(c, "it runs natively, as Guest says")
	case c.Guest == Auto && unfit == nil:
		e, err := found(withGuest(c, Native), "it runs natively: Guest is not set, and this is linux/amd64")
		if err == nil {
			return e, nil
		}
		unfit = err
	}
	if c.Guest == Wasm {
		return found(c, "")
	}
	return found(withGuest(c, Wasm), fmt.Sprintf("it runs in WebAssembly, not natively: %v", unfit))
}

func withGuest(c Config, k Kind) Config {
	c.Guest = k
	return c
}

// found finds the sources of a program for a guest. The note, unless "", says why it is this one.
func found(c Config, note string) (*executable, error) {
	pkg := build.Package{Path: c.Package, Dir: c.Dir, Own: c.Overlay, Tags: c.Tags, Net: c.Net, Native: c.Guest == Native, Files: c.Guest != Native, Linux: c.Linux}
	if c.Wasm == "" {
		o, err := overlay.Edits{Native: pkg.Native, Files: pkg.Files, Schedule: c.Yield != 0, Net: c.Net, Slow: c.Slow * c.Tick}.Cached(c.Dir)
		if err != nil {
			return nil, err
		}
		pkg.Overlay, pkg.Goroot = o.File, o.Goroot
		if pkg.Native && c.Yield != 0 {
			pkg.Flags = o.RaceFlags() // the functions of package sync/atomic are called, and not replaced by instructions
		}
		if c.Net {
			pkg.Tags = append(slices.Clip(c.Tags), overlay.Tag)
		}
	}
	kept, _ := all.LoadOrStore(fmt.Sprintf("%q", []any{pkg, c.Wasm}), &executable{config: c, note: note, found: sync.OnceValues(pkg.Plan)})
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
	if e.note != "" {
		e.escapes = append(e.escapes, "program "+name+": "+e.note)
	}
	e.origin = wrapped.Origin{Program: name, Module: built.Sum, Go: built.Go}
	if built.File != "" {
		e.origin.Guest = "native"
		e.module, err = native.Load(built.File)
	} else {
		e.module, err = host.Compile(built.Wasm)
	}
	if err != nil {
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
