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
	// New makes the object: a pointer to a struct with some of the handlers of a [model.Node].
	// It is called many times and must make an equal object each time.
	New func() T
	// Recover makes the object of a node that restarts after a crash. Its argument is the object
	// at the time of the crash; Recover must use only what was on its disk. Then Start of the new object
	// runs, if it has this method. If Recover is nil, a restarted node has lost everything, and New
	// makes its object.
	Recover func(crashed T) T
	// Stable returns what survives a crash, such as a pointer to the storage that Recover uses.
	// Two crashed nodes are in the same state if their stable parts are equal. If Stable is nil,
	// the whole object is stable.
	Stable func(T) any
	// View returns what claims, monitors and traces read of the object: a plain value, like the
	// state of a [model.Node]. It is part of the state. If View is nil, the view is the zero value.
	View func(T) V
	// Show returns text that traces and pages show after the View, such as the object's own
	// String. It has one line, "name: value", for each part that changes independently. All objects in
	// one state must have the same text. If the text is empty, only the View is shown. If Show is nil,
	// the fields of the object's dump are shown; there can be many.
	Show func(T) string
	// Omit lists the paths of fields that the snapshot omits, such as "Node.raft.logger". A path
	// goes from field to field, through pointers and interfaces; [] stands for the elements of
	// a slice, an array or a map, as in "Peers[].conn". The name of an embedded field is that of its type.
	Omit []string
	// Capacities lists the paths of slices, in the same form, whose capacity is part of the state. Of other slices it is only if
	// another slice or pointer leads into the array. A check is refused, and names the slice, if that makes a difference.
	Capacities []string
	// Origin, unless zero, says what the object's code was built from. Traces keep it.
	Origin wrapped.Origin
	// Escapes says, a sentence each, what of the object's code no run shows, and what to do about it. Checks print it as notes.
	Escapes []string
	// Lone says that a search hardly ever meets a state twice, and that a handler costs far more than
	// a remembered result saves, as in whole programs. Each sampled schedule then has objects of its
	// own, and nothing of them is kept after it.
	Lone bool
	// Fork, if not nil, returns a copy of an object and does not change the object. A search then keeps copies of
	// objects in states that it returns to, and need not rebuild them from their histories.
	Fork func(T) T
	// Size, if not nil, is the approximate size of an object in bytes. If it is nil, the size is estimated from the dump.
	Size func(T) int
	// Discard, if not nil, is called with an object that is no longer needed.
	Discard func(T)
	// Details, if not nil, returns lines that people are shown where they look at one state of the object, after what Show says.
	Details func(T) []string
	// Snapshot, if not nil, names the object's state instead of its dump. Two objects with equal
	// bytes must react to every input in the same way.
	Snapshot func(T) []byte

	once sync.Once
	all  *behind[V]
}

// Node returns a node before Start. Use it as the New of a [model.NodeSpec].
func (l *Library[T, V]) Node() model.Node {
	l.once.Do(func() { l.all = l.behind() })
	return &Node[V]{behind: l.all}
}

// Stats returns the counts so far. Call it only after Node.
func (l *Library[T, V]) Stats() Stats { return l.all.core.stats() }

// behind erases the type of the object.
func (l *Library[T, V]) behind() *behind[V] {
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
	if l.Discard != nil {
		c.pool.discard = func(object any) { l.Discard(object.(T)) }
		c.copies.discard = c.pool.discard
	}
	if l.View != nil {
		c.view = func(object any) any { return value.Detached(l.View(object.(T))) }
	}
	return &behind[V]{core: c}
}

// A Node is a node whose state is an object of a library. The search stores only the object's name;
// the [Library] finds or makes an object in that state when a handler runs.
type Node[V any] struct {
	Name Name // of the object's state
	Disk Name `contend:"stable"` // of what survives a crash; zero if nothing does
	View V

	behind *behind[V]
	own    *own // unless nil, the objects of a run whose nodes have objects of their own
}

// behind is what the nodes of a library share.
type behind[V any] struct {
	core *core
}

// Opaque says that what it points to is no configuration: the objects at hand change.
func (*behind[V]) Opaque() {}

func (n *Node[V]) react(env model.Env, in input) {
	in.self = env.Self()
	c := n.behind.core
	o := c.react(n.own, n.Name, n.Disk, in, env)
	n.Name, n.Disk, n.View = o.is, o.disk, *new(V)
	if o.view != nil {
		n.View = o.view.(V)
	}
	if n.own != nil {
		n.own.put(c, in.self, o)
	} else {
		c.put(o)
	}
}

// Origin is that of the library's code, where it is a program of its own.
func (n *Node[V]) Origin() wrapped.Origin { return n.behind.core.origin }

// Escapes is what of the library's code no run shows.
func (n *Node[V]) Escapes() []string { return n.behind.core.escapes }

// Lone reports whether schedules have objects of their own: see [Library.Lone].
func (n *Node[V]) Lone() bool { return n.behind.core.lone }

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

// Timeout tells the object that an alarm has fired.
func (n *Node[V]) Timeout(env model.Env, key any) { n.react(env, input{kind: timedOut, value: key}) }

// Suspect tells the object that the failure detector suspects a node.
func (n *Node[V]) Suspect(env model.Env, of model.NodeID) {
	n.react(env, input{kind: suspected, from: of})
}

// Trust tells the object that the failure detector no longer suspects a node.
func (n *Node[V]) Trust(env model.Env, of model.NodeID) {
	n.react(env, input{kind: trusted, from: of})
}
