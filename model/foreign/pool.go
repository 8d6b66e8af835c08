package foreign

import "slices"

// A pool keeps objects at hand. Each run of a handler takes an object and leaves one, so that most
// runs find one: a handler runs twice on each new state and input, and leaves two objects in the
// state that it leads to.
type pool struct {
	at    map[Name][]*object
	queue []*object // the oldest first, some of them taken
	count int
	bytes int // that they take up, about
	turn  bool

	discard func(object any) // unless nil, is told of what is dropped
}

// most is how many bytes the objects of a pool take up at most, about.
const most = 64 << 20

// weight is about how many bytes an object takes up whose dump has so many: a dump has no unused
// capacity, no pointers and no tables of maps.
func weight(dump int) int { return 1024 + 4*dump }

func (p *pool) put(o *object) {
	p.at[o.is] = append(p.at[o.is], o)
	p.queue = append(p.queue, o)
	p.count++
	p.bytes += o.bytes
	for p.bytes > most {
		p.drop()
	}
	if len(p.queue) > 64+2*p.count {
		p.queue = slices.DeleteFunc(p.queue, func(o *object) bool { return o.taken })
	}
}

// take returns an object in a state, or nil. What it returns may be put back: the queue remembers
// another one, which is taken for good.
func (p *pool) take(is Name) *object {
	all := p.at[is]
	if len(all) == 0 {
		return nil
	}
	last := len(all) - 1
	if p.turn = !p.turn; p.turn { // the oldest and the latest in turn, since their histories may differ
		all[0], all[last] = all[last], all[0]
	}
	o := all[last]
	all[last] = nil
	if p.at[is] = all[:last]; last == 0 {
		delete(p.at, is)
	}
	o.taken = true
	p.count--
	p.bytes -= o.bytes
	own := *o
	own.taken = false
	return &own
}

// drop forgets the oldest.
func (p *pool) drop() {
	o := p.queue[0]
	p.queue[0] = nil
	p.queue = p.queue[1:]
	if o.taken {
		return
	}
	left := slices.DeleteFunc(p.at[o.is], func(other *object) bool { return other == o })
	if p.at[o.is] = left; len(left) == 0 {
		delete(p.at, o.is)
	}
	p.count--
	p.bytes -= o.bytes
	if p.discard != nil {
		p.discard(o.value)
	}
}
