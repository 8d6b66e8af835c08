package foreign

// A pool keeps objects at hand. Each run of a handler takes an object and leaves one, so that most
// runs find one: a handler runs twice on each new state and input, and leaves two objects in the
// state that it leads to.
type pool struct {
	at    map[Name][]*object
	queue []*object // the oldest first, some of them taken
	held  int
}

// most is how many objects a pool holds.
const most = 1 << 14

func (p *pool) put(o *object) {
	p.at[o.is] = append(p.at[o.is], o)
	p.queue = append(p.queue, o)
	p.held++
	for p.held > most {
		p.drop()
	}
	if len(p.queue) > 2*most {
		p.compact()
	}
}

// take returns an object in a state, or nil.
func (p *pool) take(is Name) *object {
	all := p.at[is]
	if len(all) == 0 {
		return nil
	}
	o := all[len(all)-1]
	all[len(all)-1] = nil
	if p.at[is] = all[:len(all)-1]; len(all) == 1 {
		delete(p.at, is)
	}
	o.taken = true
	p.held--
	return o
}

// drop forgets the oldest.
func (p *pool) drop() {
	o := p.queue[0]
	p.queue[0] = nil
	p.queue = p.queue[1:]
	if o.taken {
		return
	}
	all := p.at[o.is]
	for i, other := range all {
		if other == o {
			p.at[o.is] = append(all[:i], all[i+1:]...)
			break
		}
	}
	if len(p.at[o.is]) == 0 {
		delete(p.at, o.is)
	}
	p.held--
}

// compact forgets those that are taken.
func (p *pool) compact() {
	var left []*object
	for _, o := range p.queue {
		if !o.taken {
			left = append(left, o)
		}
	}
	p.queue = left
}
