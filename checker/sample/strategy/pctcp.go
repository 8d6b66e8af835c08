package strategy

// PCTCP is PCT with chain partition (Ozkan, Majumdar, Niksic, Befrouei, Weissenbacher: Randomized Testing of
// Distributed Systems with Probabilistic Guarantees, OOPSLA 2018). Its threads are chains of events. Each
// event of a chain causes the next. The cause of an event is the step that created it.
//
// Let at most w events be pairwise unordered. The paper makes at most w² chains online (Agarwal and Garg). It
// proves that a schedule of at most n events finds a bug of depth d with probability at least 1/(w²·nᵈ⁻¹).
// Here an event has one cause, so there are at most w chains, and the bound is 1/(w·nᵈ⁻¹). [PCT] defines
// depth, and when the bound holds. Channels may reorder.
type PCTCP struct{ estimate }

// Schedule begins a schedule.
func (p *PCTCP) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	return p.begin(seed, &chains{})
}

// Notes returns the guarantee. It returns nothing if something other than events was chosen.
func (p *PCTCP) Notes() []string { return p.notes("chains", "events") }

// A chains is a partition of events into chains, in order of their creation. The first event that a step
// creates continues the chain of that step's event. The others begin chains. So the last events of all chains
// are unordered: if one were before another, it would not be the last of its chain.
type chains struct {
	byEvent []int // by event number, from 1; 0 if not yet in a chain
	open    []int // by step: chain that its first event continues, from 1
	many    int
}

func (c *chains) chain(e Event) int {
	c.byEvent = grown(c.byEvent, int(e.ID))
	if last := c.ended(e.Cause); *last > 0 {
		c.byEvent[e.ID], *last = *last, 0
	} else {
		c.many++
		c.byEvent[e.ID] = c.many
	}
	return c.byEvent[e.ID] - 1
}

// ended returns the chain that ends with a step, from 1; 0 if there is none.
func (c *chains) ended(step int32) *int {
	c.open = grown(c.open, int(step))
	return &c.open[step]
}

func (c *chains) observe(s Step) {
	if s.Environment {
		return
	}
	if id := int(s.Event.ID); id >= len(c.byEvent) || c.byEvent[id] == 0 {
		c.chain(s.Event) // the event was the only choice
	}
	*c.ended(int32(s.Number)) = c.byEvent[s.Event.ID]
}
