package program

import (
	"sync"

	"contend/model"
	"contend/model/foreign"
	"contend/model/wrapped"
)

// A Program makes nodes.
type Program struct {
	config  Config
	code    *executable
	once    sync.Once // for library
	library *foreign.Library[*process, View]
	ids     map[string]model.NodeID

	mu     sync.Mutex
	begun  map[memory]*beginning
	counts Stats
}

// New finds the sources of a program. It takes less than a second. The program is compiled when the first of its
// nodes is made, so that errors in the system around it are reported before. The error is one sentence, followed
// by the go command's output, if any.
func New(c Config) (*Program, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	e, err := find(c)
	if err != nil {
		return nil, err
	}
	p := &Program{config: c, code: e, ids: map[string]model.NodeID{}, begun: map[memory]*beginning{}}
	for i, h := range c.Hosts {
		p.ids[h] = model.NodeID(i)
	}
	return p, nil
}

// Node returns a node before Start that runs the program; it is a NodeSpec's New. The first call compiles the
// program, in up to a minute. A program that does not compile is a [model.Refusal].
func (p *Program) Node() model.Node {
	e := p.compiled()
	p.once.Do(func() {
		p.library = &foreign.Library[*process, View]{
			Origin: e.origin, Escapes: e.escapes, New: func() *process { return &process{of: p} }, Recover: (*process).crashed, Stable: func(q *process) any { return q.stable() },
			View: (*process).view, Show: (*process).show, Details: (*process).goroutines, Snapshot: (*process).named, Lone: true, Fork: (*process).fork, Size: (*process).size, Discard: (*process).discard, Compare: (*process).compare,
		}
	})
	return p.library.Node()
}

// Origin returns what the program was built from, for traces. It compiles the program like [Program.Node].
func (p *Program) Origin() wrapped.Origin { return p.compiled().origin }

func (p *Program) compiled() *executable {
	if err := p.code.compile(); err != nil {
		model.Refuse("%v", err)
	}
	return p.code
}

// Stats are counts of a program's costs.
type Stats struct {
	Steps     int // that instances took, those included that a history was gone through again with
	Started   int // instances whose packages were initialised
	Instances int // that were made, for all programs of the same module
	Restored  int // times that an instance was brought into another state
	Snapshots int // snapshots that were taken
	Compared  int // pairs of memories, of programs with the same history, that were compared
}

// Stats returns the counts.
func (p *Program) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.counts
	s.Instances = p.code.spares.count()
	return s
}

func (p *Program) count(what func(*Stats)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	what(&p.counts)
}
