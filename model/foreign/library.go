package foreign

import (
	"sync"

	"contend/model"
	"contend/model/value"
	"contend/model/wrapped"
)

// A Library makes nodes from objects of a library. Only New is required. Do not copy or change a
// Library after its first use.
type Library[T, V any] struct {
	// New makes the object: a pointer to a struct with some of the handlers of a [model.Node]. It is called
	// many times, and must make equal objects.
	New func() T
	// Recover returns the object of a node that restarts after a crash. Its argument is the object at the
	// time of the crash. Recover must use only the content of its disk. Then Start of the new object runs, if
	// it has this method. If Recover is nil, New creates the object of a restarted node.
	Recover func(crashed T) T
	// Stable returns what survives a crash, such as a pointer to the storage that Recover uses.
	// Two crashed nodes are in the same state if their stable parts are equal. A []byte is compared as it is,
	// anything else by its dump. If Stable is nil, the whole object is stable.
	Stable func(T) any
	// View returns what claims, monitors and traces read of the object: a plain value, like the
	// state of a [model.Node]. It is part of the state. If View is nil, the view is the zero value.
	View func(T) V
	// Show returns text that traces and pages show after the View, such as the object's own
	// String. It has one line, "name: value", for each part that changes independently. All objects in
	// one state must have the same text. If the text is empty, only the View is shown. If Show is nil,
	// the fields of the object's dump are shown; there can be many.
	Show func(T) string
	// Omit lists the paths of fields that the snapshot omits, such as "Node.raft.logger". A path goes from
	// field to field, through pointers and interfaces. [] means the elements of a slice, an array or a map,
	// as in "Peers[].conn". An embedded field has the name of its type.
	Omit []string
	// Capacities lists the paths of slices, in the same form, whose capacity is part of the state. The
	// capacity of another slice is part of the state only if another slice or pointer shares its array. If
	// the capacity makes a difference otherwise, the check is refused and names the slice.
	Capacities []string
	// Origin, unless zero, identifies the code of the object. Traces store it.
	Origin wrapped.Origin
	// Escapes has sentences on parts of the object's code that no run covers, and what to do about them. Checks
	// print them as notes.
	Escapes []string
	// Lone reports that a search hardly ever meets a state twice, and that a handler costs far more than a
	// cached result saves, as in whole programs. Each sampled schedule then has its own objects, and none is
	// stored after it.
	Lone bool
	// Fork, if not nil, returns a copy of an object and does not change the object. A search then stores copies
	// of objects in states that it returns to, and need not restore them from histories.
	Fork func(T) T
	// Size, if not nil, is the approximate size of an object in bytes. If it is nil, the size is estimated from the dump.
	Size func(T) int
	// Discard, if not nil, is called for each object that is no longer needed. Its result is not used again.
	Discard func(T)
	// Compare, if not nil, is called for two objects in one state, when a handler has run twice. It refuses the
	// check if it finds a difference that names do not show.
	Compare func(one, other T)
	// Details, if not nil, returns lines for people who inspect one state of the object. They are shown after
	// the lines of Show.
	Details func(T) []string
	// Snapshot, if not nil, names the object's state instead of its dump. Two objects with equal
	// bytes must react to every input in the same way.
	Snapshot func(T) []byte

	once sync.Once
	all  *shared[V]
}

// Node returns a node before Start. It is the New of a [model.NodeSpec].
func (l *Library[T, V]) Node() model.Node {
	l.once.Do(func() { l.all = l.erase() })
	return &Node[V]{shared: l.all}
}

// Stats returns the present counters. Node must have been called.
func (l *Library[T, V]) Stats() Stats { return l.all.core.stats() }

// erase returns the library without the type of the object.
func (l *Library[T, V]) erase() *shared[V] {
	if l.New == nil {
		model.Refuse("foreign: a Library of %T needs a New", *new(T))
	}
	c := newCore(l.Omit, l.Capacities)
	c.make = func() any { return l.New() }
	if l.Recover != nil {
		c.recover = func(crashed any) any { return l.Recover(crashed.(T)) }
	}
	if l.Stable != nil {
		c.stable = func(object any) any { return l.Stable(object.(T)) }
	}
	if l.Show != nil {
		c.show = func(object any) string { return l.Show(object.(T)) }
	}
	if l.Details != nil {
		c.details = func(object any) []string { return l.Details(object.(T)) }
	}
	if l.Snapshot != nil {
		c.snapshot = func(object any) []byte { return l.Snapshot(object.(T)) }
	}
	c.lone, c.origin, c.escapes = l.Lone, l.Origin, l.Escapes
	if l.Fork != nil {
		c.fork = func(object any) any { return l.Fork(object.(T)) }
	}
	if l.Size != nil {
		c.size = func(object any) int { return l.Size(object.(T)) }
	}
	if l.Compare != nil {
		c.equal = func(one, other any) { l.Compare(one.(T), other.(T)) }
	}
	if l.Discard != nil {
		c.pool.discard = func(object any) { l.Discard(object.(T)) }
		c.copies.discard = c.pool.discard
	}
	if l.View != nil {
		c.view = func(object any) any { return value.Detached(l.View(object.(T))) }
	}
	return &shared[V]{core: c}
}

// A Node is a node whose state is an object of a library. A search stores only the object's name. The [Library]
// finds or restores an object in that state when a handler runs.
type Node[V any] struct {
	Name Name // of the object's state
	Disk Name `contend:"stable"` // of the stable part; zero if there is none
	View V

	shared *shared[V]
	own    *own // the objects of a run that has its own; nil for others
}

// shared is the part that the nodes of a library share.
type shared[V any] struct {
	core *core
}

// Opaque implements purity.Opaque: the pool may change.
func (*shared[V]) Opaque() {}

func (n *Node[V]) react(env model.Env, in input) {
	in.self = env.Self()
	c := n.shared.core
	o := c.react(n.own, n.Name, n.Disk, in, env)
	n.Name, n.Disk, n.View = o.name, o.disk, *new(V)
	if o.view != nil {
		n.View = o.view.(V)
	}
	if n.own != nil {
		n.own.put(c, in.self, o)
	} else {
		c.cache(o)
	}
}

// Origin returns [Library.Origin].
func (n *Node[V]) Origin() wrapped.Origin { return n.shared.core.origin }

// Escapes returns [Library.Escapes].
func (n *Node[V]) Escapes() []string { return n.shared.core.escapes }

// Lone returns [Library.Lone].
func (n *Node[V]) Lone() bool { return n.shared.core.lone }

// Start makes the object, or recovers it after a crash, and starts it.
func (n *Node[V]) Start(env model.Env) {
	n.Name = Name{}
	n.react(env, input{kind: started})
}

// Invoke passes an operation to the object.
func (n *Node[V]) Invoke(env model.Env, op any) { n.react(env, input{kind: invoked, value: op}) }

// Receive passes a message to the object.
func (n *Node[V]) Receive(env model.Env, from model.NodeID, message any) {
	n.react(env, input{kind: received, from: from, value: message})
}

// Timeout passes an alarm to the object.
func (n *Node[V]) Timeout(env model.Env, key any) { n.react(env, input{kind: timedOut, value: key}) }

// Suspect passes a report of the failure detector to the object.
func (n *Node[V]) Suspect(env model.Env, node model.NodeID) {
	n.react(env, input{kind: suspected, from: node})
}

// Trust passes a report of the failure detector to the object.
func (n *Node[V]) Trust(env model.Env, node model.NodeID) {
	n.react(env, input{kind: trusted, from: node})
}
