package foreign

import (
	"fmt"
	"testing"

	"contend/model"
)

// engine is as large as the core of a Raft library: some 200 fields.
type engine struct {
	term, vote, commit, applied uint64
	peers                       map[uint64]*progress
	votes                       map[uint64]bool
	log                         *[]entry
	outbox                      []entry
	self                        *engine
	options                     [32]int
	logger                      any
	step                        func(*engine)
}

type progress struct {
	match, next uint64
	state       int
	active      bool
	window      []uint64
	of          *engine
}

type entry struct {
	term, index uint64
	data        []byte
}

func newEngine() *engine {
	e := &engine{options: [32]int{1, 2}, outbox: []entry{{}}, vote: 1, commit: 2, applied: 2, logger: 1, peers: map[uint64]*progress{}, votes: map[uint64]bool{1: true}, log: &[]entry{}, step: func(*engine) {}}
	e.self = e
	for i := range uint64(5) {
		e.peers[i] = &progress{match: i, next: i + 1, state: 1, active: true, window: make([]uint64, 4), of: e}
		*e.log = append(*e.log, entry{1, i, []byte("value")})
	}
	return e
}

func (e *engine) Receive(env model.Env, from model.NodeID, m any) {
	e.term = uint64(m.(int))
	e.peers[1].next++
	env.Send(from, m)
}

// A still is a [model.Env] without effects.
type still struct{ replayer }

func benched() *core {
	l := &Library[*engine, struct{}]{New: newEngine}
	l.Node()
	return l.all.core
}

func BenchmarkDump(b *testing.B) {
	c, e := benched(), newEngine()
	b.ReportAllocs()
	for b.Loop() {
		c.hashDump(e, nil)
	}
}

// A handler runs on cached objects, with all comparisons.
func BenchmarkHandler(b *testing.B) {
	c := benched()
	o := c.react(nil, Name{}, Name{}, input{kind: started}, &still{})
	for i := 0; b.Loop(); i++ {
		c.cache(o)
		o = c.react(nil, o.name, Name{}, input{kind: received, value: i}, &still{})
	}
}

// An object is restored by a history of the given number of steps.
func BenchmarkRestore(b *testing.B) {
	for _, depth := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			c := benched()
			o := c.react(nil, Name{}, Name{}, input{kind: started}, &still{})
			for i := range depth {
				c.cache(o)
				o = c.react(nil, o.name, Name{}, input{kind: received, value: i}, &still{})
			}
			for b.Loop() {
				c.get(o.name)
			}
		})
	}
}
