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

// A Name identifies the state of an object: the first 128 bits of the SHA-256 of its snapshot. States with
// equal names are treated as one. Among a billion states the probability of a collision is below 1e-20.
type Name [2]uint64

func (n Name) String() string { return fmt.Sprintf("%016x%016x", n[0], n[1]) }

func nameOf(b []byte) Name {
	sum := sha256.Sum256(b)
	return Name{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// A core is a library without the types of its objects. Several goroutines may use it.
type core struct {
	make         func() any
	recover      func(crashed any) any // nil: all memory is lost
	stable       func(any) any         // nil: the whole object is stable
	snapshot     func(any) []byte      // nil: the dump
	show         func(any) string      // nil: the dump is shown
	details      func(any) []string    // nil: none
	view         func(any) any         // nil: no view
	lone         bool
	origin       wrapped.Origin
	escapes      []string
	fork         func(any) any        // nil: objects cannot be copied
	size         func(any) int        // nil: estimated
	equal        func(one, other any) // nil: names show every difference
	dumper       *dump.Dumper
	pathsChecked sync.Once                 // the paths of Omit and Capacities were checked
	census       [trusted + 1]guard.Census // of handlers

	mu        sync.Mutex
	histories map[Name]*histories // by state
	states    []Name              // in the order of their discovery
	disks     map[Name][2]Name    // the first and the latest state with the disk
	reactions map[Name]reaction   // observed reactions, by key
	turn      int
	pool      pool
	copies    pool // of objects in states that were restored
	counts    Stats
}

func newCore(omit, capacities []string) *core {
	c := &core{dumper: dump.New(omit, capacities...), histories: map[Name]*histories{}, disks: map[Name][2]Name{},
		reactions: map[Name]reaction{}, pool: pool{objects: map[Name][]*object{}}, copies: pool{objects: map[Name][]*object{}}}
	for k := range c.census {
		c.census[k].Look() // a constructor that leaves a goroutine running is reported before its object, since an object with a channel is refused
	}
	return c
}

// An object is a library's object in a state.
type object struct {
	value      any
	trail      *trail // its history
	name, disk Name
	view       any
	bytes      int  // the approximate size
	removed    bool // it was removed from the pool
}

// A trail is the history of an object: its last input, and the trail before.
type trail struct {
	before  *trail // nil before Start
	in      input
	answers []int32
	name    Name // the state after the input
	disk    Name // its stable part
	depth   int32
	sum     uint64 // a hash of the history
}

// count sets the depth and the hash of a trail. The key belongs to its last step.
func (t *trail) count(key Name) {
	t.sum = key[0]
	if t.before != nil {
		t.depth = t.before.depth + 1
		t.sum ^= bits.RotateLeft64(t.before.sum*0x9e3779b97f4a7c15, 31)
	}
}

// react runs a handler on an object in a state, and returns the object in its new state. If own is not nil,
// the object belongs to a node in a run with its own objects.
func (c *core) react(own *own, from, disk Name, in input, env model.Env) *object {
	var o *object
	switch {
	case from != Name{}:
		if o = own.get(c, in.self, from); o == nil {
			o = c.get(from)
		}
	case disk != Name{}:
		in.kind, from = recovered, disk
		if o = own.withDisk(c, in.self, disk); o == nil {
			o = c.get(c.stateWithDisk(disk))
		}
	default:
		o = &object{}
	}
	t := &trail{before: o.trail, in: in.detached()}
	next := &object{trail: t}
	if own != nil && c.lone {
		c.runLone(o, next, in, env)
		return next
	}
	h := &recorder{listener: listener{Env: env}}
	c.run(o, next, in, h, from)
	c.setName(next)
	key := t.in.key(from, h.answers)
	t.count(key)
	c.learn(next)
	c.compareAll(from, key, h, reaction{t: t, effects: nameOf(h.effects), next: next.name})
	if own != nil {
		c.mu.Lock()
		c.counts.Alone++
		c.mu.Unlock()
	}
	return next
}

// runLone runs the handler of an object whose reactions are not stored. They are compared where handlers run
// twice.
func (c *core) runLone(o, next *object, in input, env model.Env) {
	h := &listener{Env: env}
	mustLeaveNone(in, c.call(o, next, in, h))
	next.trail.answers = h.answers
	c.setName(next)
}

// run runs the handler. A panic continues after it was compared with earlier reactions.
func (c *core) run(o, next *object, in input, h *recorder, from Name) {
	t, ended := next.trail, false
	defer func() {
		if t.answers = h.answers; !ended {
			key := t.in.key(from, h.answers)
			t.count(key)
			c.compareAll(from, key, h, reaction{t: t, failed: true})
		}
	}()
	place := c.call(o, next, in, h)
	ended = true // a refusal is not a failure
	mustLeaveNone(in, place)
}

// call calls the handler. It returns the place of a goroutine that the handler leaves behind, or "".
func (c *core) call(o, next *object, in input, env model.Env) (place string) {
	return c.census[in.kind].Call(func() { next.value = c.drive(o.value, in, env) })
}

// mustLeaveNone refuses a handler that leaves a goroutine behind: a search cannot control goroutines, and they make a
// run irreproducible.
func mustLeaveNone(in input, place string) {
	if place != "" {
		model.Refuse("foreign: %v leaves a goroutine behind (%s): a search cannot control goroutines; "+
			"drive the part of the library that works without them", in.kind, place)
	}
}

// stateWithDisk returns a state with the disk. It alternates between the first and the latest state, since
// recovery from both must have the same result.
func (c *core) stateWithDisk(disk Name) Name {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	return c.disks[disk][c.turn%2]
}

// setName computes the name of an object's state from its dump, its view and its disk. A node stores all three,
// and finds an object by the name alone.
func (c *core) setName(o *object) {
	c.pathsChecked.Do(func() { c.checkPaths(o.value) })
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	b, dumped := (*buffer)[:0], 0
	if c.snapshot != nil {
		b = append(b, c.snapshot(o.value)...)
		dumped = len(b)
	}
	if c.recover != nil && c.stable != nil {
		o.disk = c.stableName(o.value)
		b = appendNames(b, o.disk)
	}
	if c.view != nil {
		o.view = c.view(o.value)
		b = value.AppendCanonical(b, o.view)
	}
	if c.snapshot != nil {
		o.name = nameOf(b)
	} else {
		o.name, dumped = c.hashDump(o.value, b)
	}
	*buffer = b
	if o.bytes = weight(dumped); c.size != nil {
		o.bytes = c.size(o.value)
	}
	if c.recover != nil && c.stable == nil {
		o.disk = o.name
	}
	o.trail.name, o.trail.disk = o.name, o.disk
}

// buffers has buffers in which names are computed.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// stableName returns the name of the stable part of an object.
func (c *core) stableName(object any) (name Name) {
	stable := c.stable(object)
	if b, plain := stable.([]byte); plain {
		return nameOf(b)
	}
	name, _ = c.hashDump(stable, nil)
	return name
}

// checkPaths refuses paths of Omit and Capacities that are not valid for the object.
func (c *core) checkPaths(object any) {
	all := []any{object}
	if c.stable != nil {
		all = append(all, c.stable(object))
	}
	c.dumper.CheckPaths(all)
}

// hashDump returns the name of an object's dump, followed by the bytes beside, and the size of the dump.
func (c *core) hashDump(object any, beside []byte) (name Name, bytes int) {
	c.dumper.Dump(object, func(dump []byte) { name, bytes = nameOf(append(dump, beside...)), len(dump) })
	return name, bytes
}

// cache adds an object to the pool, unless its history is too long: the history may have to be replayed.
func (c *core) cache(o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compareObjects(o, c.pool.objects[o.name])
	if o.trail.depth <= 4*c.histories[o.name].shortest().depth+64 {
		c.pool.put(o)
	}
}

// compareObjects compares an object with the latest of others that is in the same state.
func (c *core) compareObjects(o *object, others []*object) {
	if c.equal == nil {
		return
	}
	for _, other := range slices.Backward(others) {
		if other.name == o.name {
			c.equal(other.value, o.value)
			return
		}
	}
}

// discard calls Discard for an object that is not needed any more.
func (c *core) discard(o *object) {
	if c.pool.discard != nil {
		c.pool.discard(o.value)
	}
}

// get removes and returns an object in a state. If the pool has none, the object is restored by the shortest
// history.
func (c *core) get(name Name) *object {
	c.mu.Lock()
	o, t := c.pool.get(name), c.histories[name].shortest()
	c.counts.Runs++
	looked := sampled(c.counts.Runs)
	c.mu.Unlock()
	switch {
	case t == nil:
		model.Refuse("foreign: no history of the state %v is known", name)
	case o == nil:
		o = c.restore(t)
	case looked:
		c.mustMatch(o, name)
	}
	return o
}

// sampled reports whether the object of a run is checked, if it is from the pool. A check costs a dump, so it
// is done for the first 64 runs and then for every 16th.
func sampled(run int) bool { return run <= 64 || run%16 == 0 }

// mustMatch refuses an object whose state has changed since its last handler.
func (c *core) mustMatch(o *object, name Name) {
	if c.lone {
		return // programs have no dump
	}
	now := &object{value: o.value, trail: &trail{}}
	if c.setName(now); now.name != name {
		d := diff.Between(c.fullDump(c.shortestTrail(name)), c.dumper.Lines(o.value, true))
		model.Refuse("foreign: an object changed while no handler of its own ran, in %s: objects share what one of them writes to, "+
			"such as a package variable, or a goroutine writes to it", diff.List(d))
	}
}

// shortestTrail returns the shortest history of a state.
func (c *core) shortestTrail(name Name) *trail {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.histories[name].shortest()
}

// restore returns a new object in the last state of a history. It copies a stored object, or replays the rest
// of the history on an object from the pool, or replays the whole history.
func (c *core) restore(t *trail) *object {
	c.mu.Lock()
	o, name := c.cachedCopy(t.name), t.name
	var rest []*trail
	if o == nil {
		o, rest = c.nearest(t)
		c.counts.Restored++
		c.counts.Replayed += len(rest)
	}
	c.mu.Unlock()
	for i := len(rest) - 1; i >= 0; i-- {
		o = c.replayStep(o, rest[i])
	}
	if len(rest) > 0 {
		if c.setName(o); o.name != name {
			c.reportDivergence(o.trail, t, len(rest))
		}
		c.storeCopy(o)
	}
	return o
}

// storeCopy stores a copy of a restored object, since its state may be needed again.
func (c *core) storeCopy(o *object) {
	if c.fork == nil {
		return
	}
	own := *o
	own.value = c.fork(o.value)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.copies.objects[o.name]) == 0 {
		c.copies.put(&own)
	}
}

// cachedCopy returns a copy of a stored object in a state, or nil. The caller holds the lock.
func (c *core) cachedCopy(name Name) *object {
	stored := c.copies.get(name)
	if stored == nil {
		return nil
	}
	own := *stored
	own.value = c.fork(stored.value)
	c.copies.put(stored) // as the most recent
	return &own
}

// nearest returns the object that needs the fewest steps, with the rest of the history in reverse order.
func (c *core) nearest(t *trail) (o *object, rest []*trail) {
	for ; t != nil; t = t.before {
		rest = append(rest, t)
		if t.before != nil {
			if o := c.pool.get(t.before.name); o != nil {
				return o, rest
			}
			if o := c.cachedCopy(t.before.name); o != nil {
				return o, rest
			}
		}
	}
	return &object{}, rest
}

// replayStep replays the last step of a history on an object.
func (c *core) replayStep(o *object, t *trail) *object {
	value := c.drive(o.value, t.in.detached(), &replayer{self: t.in.self, answers: t.answers})
	if o.trail != t.before {
		step := &trail{before: o.trail, in: t.in, answers: t.answers, name: t.name, disk: t.disk}
		step.count(t.in.key(t.before.name, t.answers))
		t = step
	}
	return &object{value: value, trail: t}
}

// reportDivergence refuses a history whose last steps led to another state than before. The number of these
// steps is last. The error names the first of them.
func (c *core) reportDivergence(now, was *trail, last int) {
	c.mustDump("foreign: a history leads to another state than it did before")
	end := now
	var steps [][2]*trail
	for ; last > 0; now, was, last = now.before, was.before, last-1 {
		steps = append(steps, [2]*trail{now, was})
	}
	for _, s := range slices.Backward(steps) {
		o := &object{value: c.replay(s[0]), trail: &trail{}}
		if c.setName(o); o.name != s[1].name {
			c.blame(s[1].before, s[0], "the state that follows")
		}
	}
	c.unsteady(end, "foreign: a history leads to another state than it did before")
}

// replay returns a new object after a history.
func (c *core) replay(t *trail) any {
	if t == nil {
		return nil
	}
	object := c.replay(t.before)
	return c.drive(object, t.in.detached(), &replayer{self: t.in.self, answers: t.answers})
}

// Stats has counters of the work on the objects of a library.
type Stats struct {
	Runs     int // handlers run, except the first Start of each object
	Restored int // objects restored by replaying a history
	Replayed int // handlers run to restore objects
	Compared int // reactions compared with the reaction of an object of another history
	Alone    int // reactions in runs with their own objects; see [Node.Alone]
	States   int // states with known histories
	Held     int // objects in the pool
}

func (c *core) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.counts
	s.States, s.Held = len(c.histories), c.pool.count
	return s
}
