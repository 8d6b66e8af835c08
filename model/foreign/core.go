package foreign

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"contend/model"
)

// A Name tells the states of objects apart: the first 128 bits of the SHA-256 of a snapshot. That
// two different states have one name is out of the question, even if someone tries.
type Name [2]uint64

func (n Name) String() string { return fmt.Sprintf("%016x%016x", n[0], n[1]) }

func nameOf(b []byte) Name {
	sum := sha256.Sum256(b)
	return Name{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// core is a library without the types of its objects. Several goroutines may use it.
type core struct {
	make     func() any
	recover  func(crashed any) any // nil: all memory is lost
	stable   func(any) any         // nil: all of the object
	snapshot func(any) []byte      // nil: its dump
	omit     *omission
	plans    plans

	mu    sync.Mutex
	known map[Name]*trail // the shortest known history of each state
	disks map[Name]Name   // of a state with that disk
	pool  pool
}

func newCore(omit []string) *core {
	return &core{omit: newOmission(omit), known: map[Name]*trail{}, disks: map[Name]Name{}, pool: pool{at: map[Name][]*object{}}}
}

// An object is at hand, in a state.
type object struct {
	value    any
	trail    *trail // how it came there
	is, disk Name
	taken    bool // from the pool
}

// A trail is the history of an object: what it was given last, and its trail before that.
type trail struct {
	before  *trail // nil before Start
	in      input
	answers []int32
	is      Name // its state then
	depth   int32
}

// react runs a handler on an object in a state, and returns the object with its new state.
func (c *core) react(from, disk Name, in input, env model.Env) *object {
	o := &object{}
	switch {
	case from != Name{}:
		o = c.take(from)
	case disk != Name{}:
		in.kind = recovered
		c.mu.Lock()
		from = c.disks[disk]
		c.mu.Unlock()
		o = c.take(from)
	}
	t := &trail{before: o.trail, in: in.kept()}
	if t.before != nil {
		t.depth = t.before.depth + 1
	}
	h := &hearing{Env: env}
	value := c.drive(o.value, in, h)
	next := &object{value: value, trail: t}
	t.answers = h.answers
	c.name(next)
	c.learn(next)
	return next
}

// name finds the name of an object's state.
func (c *core) name(o *object) {
	if c.snapshot != nil {
		o.is = nameOf(c.snapshot(o.value))
	} else {
		o.is = c.named(o.value)
	}
	o.trail.is = o.is
	switch {
	case c.recover == nil:
	case c.stable == nil:
		o.disk = o.is
	default:
		o.disk = c.named(c.stable(o.value))
	}
}

// learn keeps the shortest history of a state.
func (c *core) learn(o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, known := c.known[o.is]; !known || t.depth > o.trail.depth {
		c.known[o.is] = o.trail
	}
	if _, known := c.disks[o.disk]; !known && c.recover != nil {
		c.disks[o.disk] = o.is
	}
}

// put keeps an object for later.
func (c *core) put(o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pool.put(o)
}

// take returns an object in a state, which nobody else has.
func (c *core) take(is Name) *object {
	c.mu.Lock()
	o, t := c.pool.take(is), c.known[is]
	c.mu.Unlock()
	if o == nil {
		o = c.restore(is, t)
	}
	return o
}

// restore makes an object by its history.
func (c *core) restore(is Name, t *trail) *object {
	if t == nil {
		model.Refuse("foreign: no history of the state %v is known", is)
	}
	o := &object{trail: t}
	o.value = c.replay(t)
	if c.name(o); o.is != is {
		model.Refuse("foreign: a state is not what the same history came to before")
	}
	return o
}

// replay drives a new object through a history.
func (c *core) replay(t *trail) any {
	if t == nil {
		return nil
	}
	object := c.replay(t.before)
	return c.drive(object, t.in.kept(), &replaying{self: t.in.self, answers: t.answers})
}
