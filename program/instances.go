package program

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"runtime"
	"strings"

	"contend/model"
	"contend/model/disk"
	"contend/program/guest"
)

// wallClock is what the wall clock shows when a program starts for the first time: 14 November 2023.
const wallClock = 1_700_000_000_000_000_000

// A beginning is a program after its first step.
type beginning struct {
	name     name
	snapshot guest.Snapshot // nil if it ended
	outputs  []guest.Output
	err      error
	disk     *disk.Disk // of a program that ended, or nil
	now      int64
	timer    int64
}

// collect has programs collect garbage seldom: most runs are shorter than the time to the first collection, which takes as long as many
// steps. What Config.Env says comes later, and counts.
const collect = "GOGC=800"

// mostBeginnings is how many beginnings are kept.
const mostBeginnings = 128

// begin starts a program, or remembers how it began the last time in the same place. The instance, unless nil, is in the state of the beginning.
func (p *Program) begin(q *process, d *disk.Disk, seed uint64) (*beginning, guest.Instance) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %d\n", q.self, q.boot, q.wall, seed)
	if d != nil {
		name := d.Digest()
		h.Write(name[:])
	}
	key := memory{}
	h.Sum(key.of[:0])
	in, err := p.code.module.Settle(p.config.Hosts[q.self])
	if err != nil {
		model.Refuse("%v", err)
	}
	if in != nil {
		p.code.spares.add()
		key.place = in.Place()
	}
	p.mu.Lock()
	b := p.begun[key]
	p.mu.Unlock()
	if b == nil {
		b = p.first(q, d, key.of, in)
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.begun) >= mostBeginnings {
			clear(p.begun)
		}
		p.begun[key] = b
	} else if in != nil && b.err == nil {
		in.Restore(b.snapshot)
	}
	if in != nil && b.err != nil {
		p.code.spares.put(in)
		in = nil
	}
	return b, in
}

// first runs the first step of a program, in an instance that was settled, or in any.
func (p *Program) first(q *process, d *disk.Disk, key name, in guest.Instance) *beginning {
	b := &beginning{name: key}
	c := p.starts(q, key)
	c.Disk = d
	settled, err := in != nil, error(nil)
	if !settled {
		in = p.code.spares.take()
	}
	if in != nil {
		err = in.Begin(c)
	} else if in, err = p.code.module.New(c); in == nil {
		model.Refuse("%v", err)
	}
	p.count(func(s *Stats) { s.Started++; s.Steps++ })
	if err == nil {
		b.outputs, err = in.Step(0)
	}
	if b.err = err; err == nil {
		b.now, b.timer, b.snapshot = in.Now(), in.Timer(), in.Snapshot()
	} else if d := in.Disk(); d != nil {
		b.disk = d.Clone()
	}
	if !settled {
		p.code.spares.put(in)
	}
	return b
}

// starts returns what a program is started with, but for its disk.
func (p *Program) starts(q *process, key name) guest.Config {
	who := p.config.Hosts[q.self]
	c := guest.Config{Args: []string{who}, Seed: seedOf(key), Wall: wallClock + q.wall,
		Env: []string{"CONTEND_HOST=" + who, fmt.Sprint("CONTEND_BOOT=", q.boot), collect}}
	if p.config.Net {
		c.Env = append(c.Env, "CONTEND_HOSTS="+strings.Join(p.config.Hosts, ","))
	}
	if p.config.Window != 0 {
		c.Env = append(c.Env, fmt.Sprint("CONTEND_WINDOW=", p.config.Window))
	}
	if p.config.Args != nil {
		c.Args = append(c.Args, p.config.Args(who)...)
	}
	if p.config.Env != nil {
		c.Env = append(c.Env, p.config.Env(who)...)
	}
	return c
}

// seedOf makes a seed of random numbers of the name of a beginning.
func seedOf(key name) (seed uint64) {
	for i := range 8 {
		seed |= uint64(key[i]) << (8 * i)
	}
	return seed
}

// instance brings an instance into the state of the process, if none is.
func (q *process) instance() guest.Instance {
	if q.live != nil {
		return q.live
	}
	p := q.of
	in := p.code.spares.take()
	p.count(func(s *Stats) { s.Restored++ })
	if in == nil {
		var err error
		if in, err = p.code.module.Instance(q.kept); err != nil {
			model.Refuse("%v", err)
		}
	} else {
		in.Restore(q.kept)
	}
	q.has(in)
	return in
}

// has says that an instance is in the state of the process.
func (q *process) has(in guest.Instance) {
	q.live = in
	q.frees = runtime.AddCleanup(q, q.of.code.spares.put, in)
}

// discard gives the instance back.
func (q *process) discard() {
	if q.live != nil {
		q.frees.Stop()
		q.of.code.spares.put(q.live)
		q.live = nil
	}
}

// fork copies the process. The copy has no instance until it is to go on.
func (q *process) fork() *process {
	if q.kept == nil && q.live != nil {
		q.kept = q.live.Snapshot()
		q.of.count(func(s *Stats) { s.Snapshots++ })
	}
	c := *q
	c.live = nil
	return &c
}

// size is about how many bytes the process takes up.
func (q *process) size() int {
	n := 1024
	if q.live != nil {
		n += q.live.Size()
	}
	if q.kept != nil {
		n += q.kept.Len()
	}
	return n
}

// A memory is a history in a place.
type memory struct {
	of    name
	place uint64
}

// comparedOf is how many pairs of memories are compared: one of so many, since a comparison takes as long as some steps.
const comparedOf = 128

// compare compares the memories of two programs with the same history, now and then. A handler that runs twice leaves them. A
// memory contains addresses, so memories of different places differ.
func (q *process) compare(other *process) {
	if q.name != other.name || q.name[0]%comparedOf != 0 || q.live == nil || other.live == nil || q.live.Place() != other.live.Place() {
		return
	}
	q.of.count(func(s *Stats) { s.Compared++ })
	if q.live.Hash() != other.live.Hash() {
		model.Refuse("program %s: the same history left two different memories: something that the program sees is not the host's to decide",
			q.of.config.Package+q.of.config.Wasm)
	}
}

// choices answers for the order of goroutines, and takes the answers into the name of the history; nil without a choice.
func (p *Program) choices(env model.Env, answers hash.Hash) func(kind string, n int, about []uint64) int {
	if p.config.Yield == 0 {
		return nil
	}
	return func(kind string, n int, _ []uint64) (is int) {
		switch {
		case n < 2:
			return 0
		case kind == "point":
			if env.Choose(p.config.Yield) == p.config.Yield-1 {
				is = 1
				if n > 2 {
					is += env.Choose(n - 1)
				}
			}
		default:
			is = env.Choose(n)
		}
		answers.Write([]byte{byte(is), byte(is >> 8)})
		return is
	}
}
