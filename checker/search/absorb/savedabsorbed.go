package absorb

// A Saved is the state of an absorber in a checkpoint.
type Saved struct {
	Held   map[uint32][]uint32 // by local state: the absorbed triggers
	After  map[uint32][]uint32 // by local state: its successors
	Echoes []savedEcho         // every message that was checked
	Calls  []savedEcho         // the echoes that were absorbed
}

// A savedEcho is a message that was checked; Is reports whether it is an echo.
type savedEcho struct {
	State, Trigger, Answered uint32
	Is                       bool
}

// Save returns the state of the absorber.
func (a *Absorber) Save() Saved {
	c := Saved{Held: a.absorbed, After: a.successors}
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

// Restore restores a saved state.
func (a *Absorber) Restore(c *Saved) {
	for state, held := range c.Held {
		a.absorbed[state] = held
	}
	for state, after := range c.After {
		a.successors[state] = after
	}
	for _, e := range c.Echoes {
		a.echoes[echo{e.State, e.Trigger, e.Answered}] = e.Is
	}
	for _, e := range c.Calls {
		a.Calls[e.State] = append(a.Calls[e.State], echo{e.State, e.Trigger, e.Answered})
	}
}
