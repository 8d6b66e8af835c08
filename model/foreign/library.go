package foreign

import (
	"sync"

	"contend/model"
	"contend/model/value"
)

// A Library makes nodes of objects that were not written for a checker. Only New is needed. It is
// to be filled in before its first use, and not to be copied or changed after that.
type Library[T, V any] struct {
	// New makes the object: a pointer to a struct with some of the handlers of a [model.Node].
	// It is called many times, and makes the same each time.
	New func() T
	// Recover makes the object of a node that comes back after a crash, out of the object as it
	// was when it crashed: it takes over what is on its disk, and nothing else. Start of the new
	// object runs then, if it has one. Unless Recover is set all memory is lost, and New makes the
	// object anew.
	Recover func(crashed T) T
	// Stable returns what outlives a crash, such as a pointer to the storage that Recover takes
	// over, so that nodes which are down are in one state when that is equal. Unless Stable is
	// set that is the whole object.
	Stable func(T) any
	// View returns what claims, monitors and people see of the object: a plain value, as state of
	// a [model.Node] is. It is part of the state. Unless View is set it is the zero value.
	View func(T) V
	// Show returns what people are shown of the object besides its View, in traces and on pages: text
	// such as its own String, with a line for each thing that changes by itself, "name: value". It must
	// be the same for all objects in one state. If it is empty, the View alone is shown. Unless Show is
	// set people are shown the fields of the object's dump, which can be many.
	Show func(T) string
	// Omit lists the paths of fields that the snapshot leaves out, such as "Node.raft.logger". A
	// path goes from field to field, through pointers and interfaces; [] stands for the elements of
	// a slice, an array or a map, as in "Peers[].conn". An embedded field goes by its type's name.
	Omit []string
	// Lone says that hardly any state is ever met twice, and that handlers cost much more than what a search remembers of them saves, as
	// those of whole programs do. When schedules are sampled each then has objects of its own, and nothing is kept of them
	// when it is over.
	Lone bool
	// Fork, unless nil, copies an object, which stays as it is. A search then keeps copies of objects in states that it
	// comes back to, so that they need not be made by their histories.
	Fork func(T) T
	// Size, unless nil, is about how many bytes an object takes up. Unless set it is guessed from the dump.
	Size func(T) int
	// Discard, unless nil, is told of an object that nobody needs any more.
	Discard func(T)
	// Snapshot, unless nil, names the object's state in place of its dump. Two objects whose bytes
	// are equal must react alike to whatever comes.
	Snapshot func(T) []byte

	once sync.Once
	all  *behind[V]
}

// Node returns a node as it is before Start; it is a NodeSpec's New.
func (l *Library[T, V]) Node() model.Node {
	l.once.Do(func() { l.all = l.behind() })
	return &Node[V]{behind: l.all}
}

// Stats returns what the objects have cost so far. It must not be called before Node.
func (l *Library[T, V]) Stats() Stats { return l.all.core.stats() }

// behind erases the type of the object.
func (l *Library[T, V]) behind() *behind[V] {
	if l.New == nil {
		model.Refuse("foreign: a Library of %T needs a New", *new(T))
	}
	c := newCore(l.Omit)
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
	if l.Snapshot != nil {
		c.snapshot = func(object any) []byte { return l.Snapshot(object.(T)) }
	}
	c.lone = l.Lone
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

// A Node is a node over an object of somebody else's. What a search keeps of the object is its
// name, by which a [Library] finds or makes one in the same state when a handler is to run.
type Node[V any] struct {
	Name Name // of the object's state
	Disk Name `contend:"stable"` // of what outlives a crash; zero where nothing does
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

// Lone says whether schedules have objects of their own: see [Library.Lone].
func (n *Node[V]) Lone() bool { return n.behind.core.lone }

// Start makes the object, or has it recover, and starts it.
func (n *Node[V]) Start(env model.Env) {
	n.Name = Name{}
	n.react(env, input{kind: started})
}

// Invoke hands a call to the object.
func (n *Node[V]) Invoke(env model.Env, op any) { n.react(env, input{kind: invoked, value: op}) }

// Receive hands a message to the object.
func (n *Node[V]) Receive(env model.Env, from model.NodeID, message any) {
	n.react(env, input{kind: received, from: from, value: message})
}

// Timeout tells the object that an alarm fires.
func (n *Node[V]) Timeout(env model.Env, key any) { n.react(env, input{kind: timedOut, value: key}) }

// Suspect and Trust tell the object what the failure detector finds.
func (n *Node[V]) Suspect(env model.Env, of model.NodeID) {
	n.react(env, input{kind: suspected, from: of})
}

// Trust is told of a node that is up after all.
func (n *Node[V]) Trust(env model.Env, of model.NodeID) {
	n.react(env, input{kind: trusted, from: of})
}
