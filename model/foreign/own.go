package foreign

import (
	"slices"

	"contend/model"
)

// own has the objects of a run that has its own.
type own struct {
	objects map[any]any
	last    place        // of the latest call of node
	found   *nodeObjects // its result
}

// Opaque implements purity.Opaque.
func (*own) Opaque() {}

// A place is a node of a run.
type place struct {
	core *core
	id   model.NodeID
}

// nodeObjects has the objects of a node in a run: at most two, since a handler may run twice and then continue
// with both. For a lone library, it also has the histories of the run's states, the latest last.
type nodeObjects struct {
	core    *core
	objects []*object
	trails  []*trail
}

// Release discards the objects. They can be restored.
func (n *nodeObjects) Release() {
	for _, o := range n.objects {
		n.core.discard(o)
	}
	n.objects = nil
}

// Branch returns the objects of the node for a run that continues this one: copies, if objects can be copied,
// and the histories.
func (n *nodeObjects) Branch() any {
	b := &nodeObjects{core: n.core, trails: slices.Clone(n.trails)}
	if n.core.fork == nil {
		return b
	}
	for _, o := range n.objects {
		copied := *o
		copied.value = n.core.fork(o.value)
		b.objects = append(b.objects, &copied)
	}
	return b
}

func (o *own) node(c *core, id model.NodeID) *nodeObjects {
	at := place{c, id}
	if o.found != nil && o.last == at {
		return o.found
	}
	n, ok := o.objects[at].(*nodeObjects)
	if !ok {
		n = &nodeObjects{core: c}
		o.objects[at] = n
	}
	o.last, o.found = at, n
	return n
}

// get returns an object of a node in a state, or nil if the run has none.
func (o *own) get(c *core, id model.NodeID, name Name) *object {
	if o == nil {
		return nil
	}
	return o.node(c, id).find(func(is, _ Name) bool { return is == name })
}

// withDisk is get for an object with a stable part.
func (o *own) withDisk(c *core, id model.NodeID, disk Name) *object {
	if o == nil {
		return nil
	}
	return o.node(c, id).find(func(_, is Name) bool { return is == disk })
}

// find returns an object whose state fits, or restores one by a history.
func (n *nodeObjects) find(fits func(name, disk Name) bool) *object {
	for i, one := range n.objects {
		if fits(one.name, one.disk) {
			n.objects = append(n.objects[:i:i], n.objects[i+1:]...)
			return one
		}
	}
	if t := n.past(fits); t != nil {
		return n.core.restore(t)
	}
	return nil
}

// past returns the history that leads to the latest state that fits, or nil.
func (n *nodeObjects) past(fits func(name, disk Name) bool) *trail {
	for _, t := range slices.Backward(n.trails) {
		if fits(t.name, t.disk) {
			return t
		}
	}
	return nil
}

// put stores an object of a node. Of three objects the oldest is discarded.
func (o *own) put(c *core, id model.NodeID, added *object) {
	n := o.node(c, id)
	c.compareObjects(added, n.objects)
	if n.objects = append(n.objects, added); len(n.objects) > 2 {
		c.discard(n.objects[0])
		n.objects = n.objects[1:]
	}
	if c.lone {
		n.trails = append(n.trails, added.trail)
	}
}

// Alone gives the node and its copies separate objects for one run. The map stores them, and no other run may
// use it.
func (n *Node[V]) Alone(objects map[any]any) { n.own = &own{objects: objects} }

// object returns an object in the node's state, and a function that releases it.
func (n *Node[V]) object() (o *object, done func()) {
	c := n.shared.core
	if n.own != nil && c.lone {
		for _, objects := range n.own.objects {
			if t := objects.(*nodeObjects).past(func(is, _ Name) bool { return is == n.Name }); t != nil {
				o := c.restore(t)
				return o, func() { c.discard(o) }
			}
		}
	}
	o = c.get(n.Name)
	return o, func() { c.cache(o) }
}
