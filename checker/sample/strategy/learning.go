package strategy

import "contend/model"

// An identity names an event in all schedules of a system: its kind, its nodes, and how many of these
// there were before it.
type identity struct {
	kind       model.EventKind
	node, from model.NodeID
	occurrence int32
}

// identities names the events of a schedule, oldest first.
type identities struct {
	of   []identity // by number of event; occurrences are from 1, 0 where it has none yet
	seen map[identity]int32
}

// name is the identity of an event that may happen.
func (x *identities) name(e Event) identity {
	x.of = grown(x.of, int(e.ID))
	if x.of[e.ID].occurrence == 0 {
		id := identity{kind: e.Kind, node: e.Node, from: e.From}
		if x.seen == nil {
			x.seen = map[identity]int32{}
		}
		x.seen[id]++
		id.occurrence = x.seen[id]
		x.of[e.ID] = id
	}
	return x.of[e.ID]
}

// grown is a list that has a place of a number.
func grown[T any](list []T, place int) []T {
	for len(list) <= place {
		var zero T
		list = append(list, zero)
	}
	return list
}

// A plan is what the next schedules are to do, each an item of its own, in order. It is read while schedules
// run, and changes when they are learned from: so it does not depend on how many run side by side.
type plan[T any] struct {
	items []T
	from  int // the number of the schedule that the first item is for
}

// item is what a schedule is to do, if anything is planned for it.
func (p *plan[T]) item(number int) (item T, planned bool) {
	if at := number - p.from; at >= 0 && at < len(p.items) {
		return p.items[at], true
	}
	return item, false
}

// learned takes a schedule out.
func (p *plan[T]) learned(number int, planned bool) {
	p.from = number + 1
	if planned {
		p.items = p.items[1:]
	}
}

// mixed makes one name of two (the finalizer of splitmix64).
func mixed(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// counted tells whether anything was chosen.
type counted struct {
	from   Choices
	chosen bool
}

func (c *counted) Choose(n int) int {
	c.chosen = c.chosen || n > 1
	return c.from.Choose(n)
}
