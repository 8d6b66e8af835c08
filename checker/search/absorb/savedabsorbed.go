package absorb

// Saved is what an absorber knows, as a checkpoint keeps it.
type Saved struct {
	Held   map[uint32][]uint32 // by local state: what was absorbed there
	After  map[uint32][]uint32 // by local state: the ones it went on to
	Echoes []savedEcho         // what was asked about, with the answers
	Calls  []savedEcho         // of those, the ones that were absorbed in a state
}

// A savedEcho is an echo, and whether it is one.
type savedEcho struct {
	State, Trigger, Answered uint32
	Is                       bool
}

// Save returns what was absorbed so far.
func (a *Absorber) Save() Saved {
	c := Saved{Held: a.held, After: a.after}
	for e, is := range a.echoes {
		c.Echoes = append(c.Echoes, savedEcho{e.state, e.trigger, e.answered, is})
	}
	for _, echoes := range a.Calls {
		for _, e := range echoes {
			c.Calls = append(c.Calls, savedEcho{e.state, e.trigger, e.answered, true})
		}
	}
	return c
}

// Restore makes an absorber what it was.
func (a *Absorber) Restore(c *Saved) {
	for state, held := range c.Held {
		a.held[state] = held
	}
	for state, after := range c.After {
		a.after[state] = after
	}
	for _, e := range c.Echoes {
		a.echoes[echo{e.State, e.Trigger, e.Answered}] = e.Is
	}
	for _, e := range c.Calls {
		a.Calls[e.State] = append(a.Calls[e.State], echo{e.State, e.Trigger, e.Answered})
	}
}
