package program

import (
	"fmt"
	"slices"
	"sync"

	"contend/model"
	"contend/model/foreign"
	"contend/model/program/build"
	"contend/model/program/disk"
	"contend/model/program/host"
	"contend/model/program/overlay"
	"contend/model/wrapped"
)

// A Config says which program it is, and what it runs on.
type Config struct {
	// Package is the import path of the program's main package, or a path such as ./server; Wasm is the path of a file that was built from it,
	// in place of Package.
	Package, Wasm string
	// Dir is where the go command runs that builds the package; "" is the current directory.
	Dir string
	// Overlay and Tags are those of [build.Package].
	Overlay string
	Tags    []string
	// Hosts are the names of the system's nodes, in their order.
	Hosts []string
	// Args returns the arguments of a node's program, Env its environment, "name=value". Nil stands for none.
	Args, Env func(host string) []string
	// Disk, unless nil, gives the program a disk that outlives a crash as far as it was synced.
	Disk *disk.Options
	// Net lets package net itself reach the other nodes: a node's name is the name of a host, whose address is 10.0.0.1 for the first of Hosts, and so
	// on. Otherwise only package sim does. A package is built with the overlay for that, unless there is another.
	Net bool
	// Slow is how many ticks pass before a sync, a renaming or a removal of a file begins: other goroutines go on, and a crash may come. 0 stands for
	// none. A package is built with the overlay for that, unless there is another.
	Slow int64
	// Tick is how long a tick of the model is for the program, in nanoseconds; 0 stands for a millisecond.
	Tick int64
	// Resolution is into how many parts the time to the program's next timer is divided for what its clock shows meanwhile, 1 to 64; 0 stands
	// for 1: the clock shows when the last timer was due.
	Resolution int
	// Seeds is how many seeds there are of the random numbers that the program draws, one of which is drawn when it starts; 0
	// stands for 1.
	Seeds int
	// Yield, unless 0, makes the order of goroutines a choice: one in so many times a goroutine gives way before an operation that others can
	// see. A package is built with the overlay for that, unless there is another; a module must have been.
	Yield int
	// Merge lets what the program shows by sim.View name its state, together with its disk and the time to its next timer. Two
	// programs that show the same must react alike to whatever comes. Unless it is set, the history names the state.
	Merge bool
}

// A Program makes nodes.
type Program struct {
	config  Config
	module  *host.Module
	spares  *spares // of the module
	origin  wrapped.Origin
	library *foreign.Library[*process, View]
	ids     map[string]model.NodeID

	mu       sync.Mutex
	begun    map[string]*beginning
	memories map[name]uint64 // what was in memory after a history
	counts   Stats
}

// New compiles a program. The error is one sentence, followed by what the go command said, if it said something.
func New(c Config) (*Program, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	m, err := load(c)
	if err != nil {
		return nil, err
	}
	p := &Program{config: c, module: m.module, spares: &m.spares, origin: m.origin, ids: map[string]model.NodeID{}, begun: map[string]*beginning{}, memories: map[name]uint64{}}
	for i, h := range c.Hosts {
		p.ids[h] = model.NodeID(i)
	}
	p.library = &foreign.Library[*process, View]{
		Origin: m.origin, Escapes: m.escapes, New: func() *process { return &process{of: p} }, Recover: (*process).crashed, Stable: func(q *process) any { return q.stable() },
		View: (*process).view, Show: (*process).show, Details: (*process).goroutines, Snapshot: (*process).named, Lone: true, Fork: (*process).fork, Size: (*process).size, Discard: (*process).discard,
	}
	return p, nil
}

func (c *Config) validate() error {
	if c.Tick == 0 {
		c.Tick = 1_000_000
	}
	c.Resolution, c.Seeds = max(c.Resolution, 1), max(c.Seeds, 1)
	switch {
	case (c.Package == "") == (c.Wasm == ""):
		return fmt.Errorf("program: set Package or Wasm, and not both")
	case len(c.Hosts) == 0:
		return fmt.Errorf("program: Hosts is empty, but must have the names of the system's nodes")
	case c.Tick < 0:
		return fmt.Errorf("program: Tick is %d, but must be positive", c.Tick)
	case c.Slow < 0:
		return fmt.Errorf("program: Slow is %d, but must not be negative", c.Slow)
	case c.Net && (c.Wasm != "" || c.Overlay != ""):
		return fmt.Errorf("program: Net is set, but needs a Package that is built without an Overlay of yours")
	case c.Resolution > 64:
		return fmt.Errorf("program: Resolution is %d, but must be 0 to 64", c.Resolution)
	}
	for i, h := range c.Hosts {
		if len(h) > 255 || h == "" || slices.Contains(c.Hosts[:i], h) {
			return fmt.Errorf("program: Hosts has %.40q, but each name must be of its own and have 1 to 255 bytes", h)
		}
	}
	return nil
}

// A loaded is a compiled program, or why it does not compile.
type loaded struct {
	once    sync.Once
	module  *host.Module
	spares  spares
	origin  wrapped.Origin
	escapes []string
	err     error
}

// all are the programs of this process.
var all sync.Map

// load compiles a program once in a process.
func load(c Config) (*loaded, error) {
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
	kept, _ := all.LoadOrStore(fmt.Sprintf("%q", []any{c.Package, c.Wasm, c.Dir, c.Overlay, c.Tags, c.Net}), &loaded{})
	l := kept.(*loaded)
	l.once.Do(func() { l.err = l.load(c, goroot) })
	return l, l.err
}

func (l *loaded) load(c Config, goroot string) (err error) {
	var b build.Built
	if c.Wasm != "" {
		b, err = build.Read(c.Wasm)
	} else {
		b, err = build.Package{Path: c.Package, Dir: c.Dir, Overlay: c.Overlay, Goroot: goroot, Tags: c.Tags, Net: c.Net}.Compile()
	}
	if err != nil {
		return err
	}
	for _, what := range b.Escapes {
		l.escapes = append(l.escapes, "program "+c.Package+c.Wasm+": "+what)
	}
	l.origin = wrapped.Origin{Program: c.Package + c.Wasm, Module: b.Sum, Go: b.Go}
	if l.module, err = host.Compile(b.Wasm); err != nil {
		return fmt.Errorf("%w (of %s)", err, c.Package+c.Wasm)
	}
	return nil
}

// Node returns a node that runs the program, as it is before Start; it is a NodeSpec's New.
func (p *Program) Node() model.Node { return p.library.Node() }

// Origin says what the program was built from. Traces keep it.
func (p *Program) Origin() wrapped.Origin { return p.origin }

// Stats count what the program has cost so far.
type Stats struct {
	Steps     int // that instances took, those included that a history was gone through again with
	Started   int // instances whose packages were initialised
	Instances int // that were made, for all programs of the same module
	Restored  int // times that an instance was brought into another state
	Kept      int // snapshots that were taken
	Compared  int // memories that were compared with what the same history left before
}

// Stats returns the counts.
func (p *Program) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.counts
	s.Instances = p.spares.count()
	return s
}

func (p *Program) count(what func(*Stats)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	what(&p.counts)
}
