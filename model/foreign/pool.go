package foreign

import "slices"

// A pool caches objects. Each run of a handler gets an object and puts one, so most runs find one. A handler
// runs twice for each new state and input, and so leaves two objects in the next state.
type pool struct {
	objects map[Name][]*object
	queue   []*object // the oldest first; some were removed by get
	count   int
	bytes   int // the approximate size of all objects
	turn    bool

	discard func(object any) // unless nil, is called for each dropped object
}

// maxBytes is the largest approximate size of all objects in a pool.
const maxBytes = 64 << 20

// weight estimates the size of an object from the size of its dump. A dump has no unused capacity, pointers
// or tables of maps.
func weight(dump int) int { return 1024 + 4*dump }

func (p *pool) put(o *object) {
	p.objects[o.name] = append(p.objects[o.name], o)
	p.queue = append(p.queue, o)
	p.count++
	p.bytes += o.bytes
	for p.bytes > maxBytes {
		p.drop()
	}
	if len(p.queue) > 64+2*p.count {
		p.queue = slices.DeleteFunc(p.queue, func(o *object) bool { return o.removed })
	}
}

// get removes and returns an object in a state, or nil. The object may be put again: the queue has another copy
// that stays marked as taken.
func (p *pool) get(name Name) *object {
	all := p.objects[name]
	if len(all) == 0 {
		return nil
	}
	last := len(all) - 1
	if p.turn = !p.turn; p.turn { // alternate between the oldest and the latest, since their histories may differ
		all[0], all[last] = all[last], all[0]
	}
	o := all[last]
	all[last] = nil
	if p.objects[name] = all[:last]; last == 0 {
		delete(p.objects, name)
	}
	o.removed = true
	p.count--
	p.bytes -= o.bytes
	own := *o
	own.removed = false
	return &own
}

// drop removes the oldest object.
func (p *pool) drop() {
	o := p.queue[0]
	p.queue[0] = nil
	p.queue = p.queue[1:]
	if o.removed {
		return
	}
	left := slices.DeleteFunc(p.objects[o.name], func(other *object) bool { return other == o })
	if p.objects[o.name] = left; len(left) == 0 {
		delete(p.objects, o.name)
	}
	p.count--
	p.bytes -= o.bytes
	if p.discard != nil {
		p.discard(o.value)
	}
}
