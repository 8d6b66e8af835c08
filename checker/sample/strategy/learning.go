package strategy

import "contend/model"

// An identity names an event in all schedules of a system: by its kind, its nodes, and the number of earlier
// events with these.
type identity struct {
	kind       model.EventKind
	node, from model.NodeID
	occurrence int32
}

// identities names the events of a schedule.
type identities struct {
	byEvent []identity // by event number; occurrence 0 if it has none yet
	seen    map[identity]int32
}

// name returns the identity of a possible event. It must be called for older events first.
func (x *identities) name(e Event) identity {
	x.byEvent = grown(x.byEvent, int(e.ID))
	if x.byEvent[e.ID].occurrence == 0 {
		id := identity{kind: e.Kind, node: e.Node, from: e.From}
		if x.seen == nil {
			x.seen = map[identity]int32{}
		}
		x.seen[id]++
		id.occurrence = x.seen[id]
		x.byEvent[e.ID] = id
	}
	return x.byEvent[e.ID]
}

// grown returns a list extended by zero values, so that it has an index.
func grown[T any](list []T, place int) []T {
	for len(list) <= place {
		var zero T
		list = append(list, zero)
	}
	return list
}

// A plan assigns an item to each of the next schedules. Schedules only read it; it changes when a round is
// learned. So it does not depend on the number of workers.
type plan[T any] struct {
	items []T
	from  int // schedule number of the first item
}

// item returns the item of a schedule; false if none is planned.
func (p *plan[T]) item(number int) (item T, planned bool) {
	if at := number - p.from; at >= 0 && at < len(p.items) {
		return p.items[at], true
	}
	return item, false
}

// remove removes a schedule's item.
func (p *plan[T]) remove(number int, planned bool) {
	p.from = number + 1
	if planned {
		p.items = p.items[1:]
	}
}

// mixed combines two keys into one (the finalizer of splitmix64).
func mixed(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A counted is a stream that records whether a choice had several options.
type counted struct {
	from   Choices
	chosen bool
}

func (c *counted) Choose(n int) int {
	c.chosen = c.chosen || n > 1
	return c.from.Choose(n)
}
