package foreign

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"contend/model"
	"contend/model/foreign/diff"
	"contend/model/foreign/dump"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/wrapped"
)

// A Name identifies the state of an object: the first 128 bits of the SHA-256 of its snapshot. Two
// different states with the same name are treated as one; among a billion states the probability of
// that is below 1e-20.
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
	show     func(any) string      // nil: people are shown the dump
	details  func(any) []string    // nil: there are none
	view     func(any) any         // nil: nothing is seen of it
	lone     bool
	origin   wrapped.Origin
	escapes  []string
	fork     func(any) any // nil: objects cannot be copied
	size     func(any) int // nil: guessed
	dumper   *dump.Dumper
	spelt    sync.Once                 // paths of what is left out were looked at
	census   [trusted + 1]guard.Census // of handlers

	mu        sync.Mutex
	known     map[Name]*histories // of each state
	states    []Name              // in the order in which they became known
	disks     map[Name][2]Name    // the first and the latest state with that disk
	reactions map[Name]reaction   // what was seen before, by its key
	turn      int
	pool      pool
	copies    pool // of objects in states that were asked for when none was at hand
	counts    Stats
}

func newCore(omit, capacities []string) *core {
	c := &core{dumper: dump.New(omit, capacities...), known: map[Name]*histories{}, disks: map[Name][2]Name{},
		reactions: map[Name]reaction{}, pool: pool{at: map[Name][]*object{}}, copies: pool{at: map[Name][]*object{}}}
	for k := range c.census {
		c.census[k].Look() // at the constructor before its object, which is refused if it has a channel
	}
	return c
}

// An object is at hand, in a state.
type object struct {
	value    any
	trail    *trail // how it came there
	is, disk Name
	view     any
	bytes    int  // about, that it takes up
	taken    bool // from the pool
}

// A trail is the history of an object: what it was given last, and its trail before that.
type trail struct {
	before  *trail // nil before Start
	in      input
	answers []int32
	is      Name // its state then
	depth   int32
	sum     uint64 // equal of equal histories
}

// count counts the steps of a trail, and sums them up. The key is that of its last step.
func (t *trail) count(key Name) {
	t.sum = key[0]
	if t.before != nil {
		t.depth = t.before.depth + 1
		t.sum ^= bits.RotateLeft64(t.before.sum*0x9e3779b97f4a7c15, 31)
	}
}

// react runs a handler on an object in a state, and returns the object with its new state. In a run
// whose nodes have objects of their own it is the node's.
func (c *core) react(own *own, from, disk Name, in input, env model.Env) *object {
	var o *object
	switch {
	case from != Name{}:
		if o = own.take(c, in.self, from); o == nil {
			o = c.take(from)
		}
	case disk != Name{}:
		in.kind, from = recovered, disk
		if o = own.withDisk(c, in.self, disk); o == nil {
			o = c.take(c.withDisk(disk))
		}
	default:
		o = &object{}
	}
	t := &trail{before: o.trail, in: in.kept()}
	h := &hearing{Env: env}
	next := &object{trail: t}
	forgets := own != nil && c.lone
	c.run(o, next, in, h, from, forgets)
	c.name(next)
	key := t.in.key(from, h.answers)
	t.count(key)
	if forgets {
		return next
	}
	c.learn(next)
	c.heard(from, key, h, reaction{t: t, did: nameOf(h.did), is: next.is})
	if own != nil {
		c.mu.Lock()
		c.counts.Alone++
		c.mu.Unlock()
	}
	return next
}

// run runs the handler. That it panics is for whoever has called, once it is compared, unless nothing is remembered to compare it with. A
// handler that leaves a goroutine behind is refused: what goroutines do is out of a search's sight, comes at any time, and cannot be replayed.
func (c *core) run(o, next *object, in input, h *hearing, from Name, forgets bool) {
	t, ended := next.trail, false
	defer func() {
		if t.answers = h.answers; !ended && !forgets {
			key := t.in.key(from, h.answers)
			t.count(key)
			c.heard(from, key, h, reaction{t: t, failed: true})
		}
	}()
	at := c.census[in.kind].Call(func() { next.value = c.drive(o.value, in, h) })
	if ended = true; at != "" {
		model.Refuse("foreign: %v leaves a goroutine behind (%s): a search cannot control goroutines; "+
			"drive the part of the library that works without them", in.kind, at)
	}
}

// withDisk is a state with that disk: the first and the latest in turn, since what comes of it
// must be the same.
func (c *core) withDisk(disk Name) Name {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	return c.disks[disk][c.turn%2]
}

// name finds the name of an object's state: of its dump, of what is seen of it and of its disk, since a node
// has all three, and finds an object again by the name alone.
func (c *core) name(o *object) {
	c.spelt.Do(func() { c.mustSpell(o.value) })
	var beside []byte
	if c.recover != nil && c.stable != nil {
		o.disk, _ = c.named(c.stable(o.value), nil)
		beside = appendNames(nil, o.disk)
	}
	if c.view != nil {
		o.view = c.view(o.value)
		beside = append(beside, value.Canonical(o.view)...)
	}
	dumped := 0
	if c.snapshot != nil {
		b := c.snapshot(o.value)
		o.is, dumped = nameOf(slices.Concat(b, beside)), len(b)
	} else {
		o.is, dumped = c.named(o.value, beside)
	}
	if o.bytes = weight(dumped); c.size != nil {
		o.bytes = c.size(o.value)
	}
	o.trail.is = o.is
	if c.recover != nil && c.stable == nil {
		o.disk = o.is
	}
}

// mustSpell refuses paths that lead nowhere.
func (c *core) mustSpell(object any) {
	all := []any{object}
	if c.stable != nil {
		all = append(all, c.stable(object))
	}
	c.dumper.MustSpell(all)
}

// named names what an object reaches, with what stands beside it, by its dump, which has so many bytes.
func (c *core) named(object any, beside []byte) (is Name, bytes int) {
	c.dumper.Dump(object, func(dump []byte) { is, bytes = nameOf(append(dump, beside...)), len(dump) })
	return is, bytes
}

// put keeps an object for later, unless it has come a long way round: each may be asked for its
// history.
func (c *core) put(o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.trail.depth <= 4*c.known[o.is].shortest().depth+64 {
		c.pool.put(o)
	}
}

// discard is told that nobody needs an object.
func (c *core) discard(o *object) {
	if c.pool.discard != nil {
		c.pool.discard(o.value)
	}
}

// take returns an object in a state, which nobody else has. If there is none at hand it is made by the shortest history.
func (c *core) take(is Name) *object {
	c.mu.Lock()
	o, t := c.pool.take(is), c.known[is].shortest()
	c.counts.Runs++
	looked := lookedAt(c.counts.Runs)
	c.mu.Unlock()
	switch {
	case t == nil:
		model.Refuse("foreign: no history of the state %v is known", is)
	case o == nil:
		o = c.made(t)
	case looked:
		c.mustBe(o, is)
	}
	return o
}

// lookedAt reports whether the object of a run is looked at, if it comes from the pool: those of the first runs, and now and then another,
// since that costs a dump.
func lookedAt(run int) bool { return run <= 64 || run%16 == 0 }

// mustBe refuses an object that is not in the state any more in which a handler left it.
func (c *core) mustBe(o *object, is Name) {
	if c.lone {
		return // whose state has no dump
	}
	now := &object{value: o.value, trail: &trail{}}
	if c.name(now); now.is != is {
		d := diff.Between(c.whole(c.trailOf(is)), c.dumper.Lines(o.value, true))
		model.Refuse("foreign: an object changed while no handler of its own ran, in %s: objects share what one of them writes to, "+
			"such as a package variable, or a goroutine writes to it", diff.List(d))
	}
}

// trailOf is the shortest history of a state.
func (c *core) trailOf(is Name) *trail {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[is].shortest()
}

// made returns an object that comes to its state by a history, which nobody else has: one that is on the way there goes the rest of it, or
// a new one all of it.
func (c *core) made(t *trail) *object {
	c.mu.Lock()
	o, is := c.copied(t.is), t.is
	var rest []*trail
	if o == nil {
		o, rest = c.nearest(t)
		c.counts.Restored++
		c.counts.Replayed += len(rest)
	}
	c.mu.Unlock()
	for i := len(rest) - 1; i >= 0; i-- {
		o = c.again(o, rest[i])
	}
	if len(rest) > 0 {
		if c.name(o); o.is != is {
			c.astray(o.trail, t, len(rest))
		}
		c.keepCopy(o)
	}
	return o
}

// keepCopy keeps a copy of an object that had to be made, since its state may be asked for again.
func (c *core) keepCopy(o *object) {
	if c.fork == nil {
		return
	}
	own := *o
	own.value = c.fork(o.value)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.copies.at[o.is]) == 0 {
		c.copies.put(&own)
	}
}

// copied returns a copy of an object in a state of which one is kept, or nil. The core is locked.
func (c *core) copied(is Name) *object {
	kept := c.copies.take(is)
	if kept == nil {
		return nil
	}
	own := *kept
	own.value = c.fork(kept.value)
	c.copies.put(kept) // as the latest
	return &own
}

// nearest finds the object that has the shortest way to go, which is the rest of a history, the
// last first.
func (c *core) nearest(t *trail) (o *object, rest []*trail) {
	for ; t != nil; t = t.before {
		rest = append(rest, t)
		if t.before != nil {
			if o := c.pool.take(t.before.is); o != nil {
				return o, rest
			}
			if o := c.copied(t.before.is); o != nil {
				return o, rest
			}
		}
	}
	return &object{}, rest
}

// again takes an object the last step of a history.
func (c *core) again(o *object, t *trail) *object {
	value := c.drive(o.value, t.in.kept(), &replaying{self: t.in.self, answers: t.answers})
	if o.trail != t.before {
		step := &trail{before: o.trail, in: t.in, answers: t.answers, is: t.is}
		step.count(t.in.key(t.before.is, t.answers))
		t = step
	}
	return &object{value: value, trail: t}
}

// astray says where so many last steps of a history first led to another state than they did before.
func (c *core) astray(now, was *trail, last int) {
	c.mustDump("foreign: a history leads to another state than it did before")
	end := now
	var steps [][2]*trail
	for ; last > 0; now, was, last = now.before, was.before, last-1 {
		steps = append(steps, [2]*trail{now, was})
	}
	for _, s := range slices.Backward(steps) {
		o := &object{value: c.replay(s[0]), trail: &trail{}}
		if c.name(o); o.is != s[1].is {
			c.blame(s[1].before, s[0], "the state that follows")
		}
	}
	c.unsteady(end, "foreign: a history leads to another state than it did before")
}

// replay drives a new object through a history.
func (c *core) replay(t *trail) any {
	if t == nil {
		return nil
	}
	object := c.replay(t.before)
	return c.drive(object, t.in.kept(), &replaying{self: t.in.self, answers: t.answers})
}

// Stats count the work on the objects of a library.
type Stats struct {
	Runs     int // handlers run, except the first Start of each object
	Restored int // objects made by replaying a history, because none was cached
	Replayed int // handlers run for that
	Compared int // reactions compared with that of an object of another history
	Alone    int // reactions in runs whose objects are not shared; see [Node.Alone]
	States   int // states whose history is known
	Held     int // objects in the cache
}

func (c *core) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.counts
	s.States, s.Held = len(c.known), c.pool.count
	return s
}
