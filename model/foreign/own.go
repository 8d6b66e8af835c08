package foreign

import (
	"maps"

	"contend/model"
)

// own are the objects of a run whose nodes have objects of their own.
type own struct{ objects map[any]any }

// Opaque says that what it points to is no configuration.
func (*own) Opaque() {}

// place is a node of a run.
type place struct {
	of *core
	id model.NodeID
}

// ofNode is what a run has of a node: its objects, two at most, since a handler may run twice and then goes on with both; and where
// nobody else knows how its states are reached, their histories.
type ofNode struct {
	core   *core
	two    []*object
	trails map[Name]*trail
	disks  map[Name]*trail // by what outlives a crash
}

// Release frees the objects, which can be made again.
func (n *ofNode) Release() {
	for _, o := range n.two {
		n.core.discard(o)
	}
	n.two = nil
}

// Branch returns what a run has of the node that goes on from here: copies of the objects, as far as they can be copied, and
// the histories.
func (n *ofNode) Branch() any {
	b := &ofNode{core: n.core, trails: maps.Clone(n.trails), disks: maps.Clone(n.disks)}
	if n.core.fork == nil {
		return b
	}
	for _, o := range n.two {
		is := *o
		is.value = n.core.fork(o.value)
		b.two = append(b.two, &is)
	}
	return b
}

func (o *own) of(c *core, id model.NodeID) *ofNode {
	n, is := o.objects[place{c, id}].(*ofNode)
	if !is {
		n = &ofNode{core: c, trails: map[Name]*trail{}, disks: map[Name]*trail{}}
		o.objects[place{c, id}] = n
	}
	return n
}

// take returns an object of a node in a state; nil if the run cannot have one.
func (o *own) take(c *core, id model.NodeID, is Name) *object {
	if o == nil {
		return nil
	}
	n := o.of(c, id)
	return n.find(func(one *object) bool { return one.is == is }, n.trails[is])
}

// withDisk is take for an object with a disk.
func (o *own) withDisk(c *core, id model.NodeID, disk Name) *object {
	if o == nil {
		return nil
	}
	n := o.of(c, id)
	return n.find(func(one *object) bool { return one.disk == disk }, n.disks[disk])
}

// find takes an object that fits, or makes one by a history.
func (n *ofNode) find(fits func(*object) bool, t *trail) *object {
	for i, one := range n.two {
		if fits(one) {
			n.two = append(n.two[:i:i], n.two[i+1:]...)
			return one
		}
	}
	if t == nil {
		return nil
	}
	return n.core.made(t)
}

// put keeps an object of a node. Of three the one that was kept first gives way.
func (o *own) put(c *core, id model.NodeID, is *object) {
	n := o.of(c, id)
	if n.two = append(n.two, is); len(n.two) > 2 {
		c.discard(n.two[0])
		n.two = n.two[1:]
	}
	if c.lone {
		n.trails[is.is], n.disks[is.disk] = is.trail, is.trail
	}
}

// Alone gives the node, and all copies of it, objects of its own for one run: they are kept in objects, and no
// other run may have them.
func (n *Node[V]) Alone(objects map[any]any) { n.own = &own{objects} }

// object returns an object in the node's state, and what takes it back.
func (n *Node[V]) object() (o *object, done func()) {
	c := n.behind.core
	if n.own != nil && c.lone {
		for _, of := range n.own.objects {
			if t := of.(*ofNode).trails[n.Name]; t != nil {
				o := c.made(t)
				return o, func() { c.discard(o) }
			}
		}
	}
	o = c.take(n.Name)
	return o, func() { c.put(o) }
}
