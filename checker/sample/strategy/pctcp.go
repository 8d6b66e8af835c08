package strategy

// PCTCP is PCT with chain partition (Ozkan, Majumdar, Niksic, Befrouei, Weissenbacher: Randomized Testing of
// Distributed Systems with Probabilistic Guarantees, OOPSLA 2018). Its threads are chains of events each of which is a cause of
// the next. An event is caused by the step that created it.
//
// If no more than w events are without order among each other, the paper makes at most w² chains online, by the algorithm of Agarwal
// and Garg, and proves that a schedule of at most n events finds a bug of depth d with probability at least
// 1/(w²·nᵈ⁻¹). An event has one cause here, so the algorithm makes no more than w chains, and the bound is
// 1/(w·nᵈ⁻¹): see [PCT] for what is a depth, and when the bound holds. Channels may be of any kind.
type PCTCP struct{ estimate }

// Schedule begins a schedule.
func (p *PCTCP) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	return p.begin(seed, &chains{})
}

// Notes says what the guarantee comes to, unless something else than events was chosen.
func (p *PCTCP) Notes() []string { return p.notes("chains", "events") }

// chains is a partition of events into chains, as they come. The first event that a step creates goes on with the chain of the event
// that happened in the step; the others begin chains. So the last events of all chains are without order: of two
// that a third one had before it, one would be before the other, and it would not be the last.
type chains struct {
	of   []int // by number of event, from 1; 0: not yet in one
	open []int // by step: the chain that its first event goes on with, from 1
	many int
}

func (c *chains) chain(e Event) int {
	c.of = grown(c.of, int(e.ID))
	if last := c.ended(e.Cause); *last > 0 {
		c.of[e.ID], *last = *last, 0
	} else {
		c.many++
		c.of[e.ID] = c.many
	}
	return c.of[e.ID] - 1
}

// ended is the chain that ends with a step, from 1; 0 if there is none.
func (c *chains) ended(step int32) *int {
	c.open = grown(c.open, int(step))
	return &c.open[step]
}

func (c *chains) took(s Step) {
	if s.Environment {
		return
	}
	if id := int(s.Event.ID); id >= len(c.of) || c.of[id] == 0 {
		c.chain(s.Event) // it happened without a choice
	}
	*c.ended(int32(s.Number)) = c.of[s.Event.ID]
}
