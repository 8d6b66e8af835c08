package foreign

import (
	"maps"

	"contend/model"
)

// own has the objects of a run that has its own.
type own struct{ objects map[any]any }

// Opaque implements purity.Opaque.
func (*own) Opaque() {}

// A place is a node of a run.
type place struct {
	core *core
	id   model.NodeID
}

// nodeObjects has the objects of a node in a run: at most two, since a handler may run twice and then continue
// with both. For a lone library, it also has the histories of the run's states.
type nodeObjects struct {
	core    *core
	objects []*object
	trails  map[Name]*trail
	disks   map[Name]*trail // by stable part
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
	b := &nodeObjects{core: n.core, trails: maps.Clone(n.trails), disks: maps.Clone(n.disks)}
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
	n, ok := o.objects[place{c, id}].(*nodeObjects)
	if !ok {
		n = &nodeObjects{core: c, trails: map[Name]*trail{}, disks: map[Name]*trail{}}
		o.objects[place{c, id}] = n
	}
	return n
}

// get returns an object of a node in a state, or nil if the run has none.
func (o *own) get(c *core, id model.NodeID, name Name) *object {
	if o == nil {
		return nil
	}
	n := o.node(c, id)
	return n.find(func(one *object) bool { return one.name == name }, n.trails[name])
}

// withDisk is get for an object with a stable part.
func (o *own) withDisk(c *core, id model.NodeID, disk Name) *object {
	if o == nil {
		return nil
	}
	n := o.node(c, id)
	return n.find(func(one *object) bool { return one.disk == disk }, n.disks[disk])
}

// find returns an object that fits, or restores one by a history.
func (n *nodeObjects) find(fits func(*object) bool, t *trail) *object {
	for i, one := range n.objects {
		if fits(one) {
			n.objects = append(n.objects[:i:i], n.objects[i+1:]...)
			return one
		}
	}
	if t == nil {
		return nil
	}
	return n.core.restore(t)
}

// put stores an object of a node. Of three objects the oldest is discarded.
func (o *own) put(c *core, id model.NodeID, added *object) {
	n := o.node(c, id)
	if n.objects = append(n.objects, added); len(n.objects) > 2 {
		c.discard(n.objects[0])
		n.objects = n.objects[1:]
	}
	if c.lone {
		n.trails[added.name], n.disks[added.disk] = added.trail, added.trail
	}
}

// Alone gives the node and its copies separate objects for one run. The map stores them, and no other run may
// use it.
func (n *Node[V]) Alone(objects map[any]any) { n.own = &own{objects} }

// object returns an object in the node's state, and a function that releases it.
func (n *Node[V]) object() (o *object, done func()) {
	c := n.shared.core
	if n.own != nil && c.lone {
		for _, objects := range n.own.objects {
			if t := objects.(*nodeObjects).trails[n.Name]; t != nil {
				o := c.restore(t)
				return o, func() { c.discard(o) }
			}
		}
	}
	o = c.get(n.Name)
	return o, func() { c.cache(o) }
}
