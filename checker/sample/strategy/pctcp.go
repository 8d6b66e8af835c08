package strategy

import "slices"

// PCTCP is PCT with chain partition (Ozkan, Majumdar, Niksic, Befrouei, Weissenbacher: Randomized Testing of
// Distributed Systems with Probabilistic Guarantees, OOPSLA 2018). Its threads are chains of events each of which is a cause of the
// next; the chains are made as the events come, by the algorithm of Agarwal and Garg. Causes here are those of one step: an event is
// caused by the step that created it.
//
// If w events at most are without order among each other, there are at most w² chains, and the paper proves that a
// schedule of at most n events finds a bug of depth d with probability at least 1/(w²·nᵈ⁻¹): see [PCT] for what
// is a depth and when a bound holds here. Channels may be of any kind.
type PCTCP struct{ estimate }

// Schedule begins a schedule.
func (p *PCTCP) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	return p.begin(seed, &chains{})
}

// Notes says what the guarantee comes to, unless something else than events was chosen.
func (p *PCTCP) Notes() []string { return p.notes("chains", "events") }

// chains is a partition of events into chains, online. The chains are in groups, the k-th of at most k
// chains. A new event is put at the end of a chain whose last event is before it, in the first group that has one, or
// begins one there if the group is not full. Then the other chains of the group change places with those of the group before. So
// a group is full only when there are events without order in all before: if w events at most are without order, w groups are enough,
// and w·(w+1)/2 chains (Agarwal, Garg: Efficient Dependency Tracking for Relevant Events in Concurrent Systems, 2007).
type chains struct {
	groups [][]int
	last   []int32 // by chain: the number of its last event
	steps  []int32 // by number of event: the step that it was; 0 before it happened
	causes []int32 // by step: the one that created its event
	marks  []int32 // by step: the last event that it was found to be before, counted by placed
	placed int32
}

func (c *chains) took(s Step) {
	c.causes, c.marks = grown(c.causes, s.Number), grown(c.marks, s.Number)
	if !s.Environment {
		c.steps = grown(c.steps, int(s.Event.ID))
		c.causes[s.Number], c.steps[s.Event.ID] = s.Event.Cause, int32(s.Number)
	}
}

func (c *chains) chain(e Event) int {
	c.placed++
	c.steps = grown(c.steps, int(e.ID))
	for step := e.Cause; step > 0; step = c.causes[step] {
		c.marks[step] = c.placed
	}
	for k := 0; ; k++ {
		c.groups = grown(c.groups, k)
		if at, found := c.open(k); found {
			chain := c.groups[k][at]
			c.last[chain] = e.ID
			c.exchange(k, at)
			return chain
		}
	}
}

// open returns a chain of a group to whose end the event comes.
func (c *chains) open(group int) (at int, found bool) {
	for i, chain := range c.groups[group] {
		if step := c.steps[c.last[chain]]; step > 0 && c.marks[step] == c.placed {
			return i, true
		}
	}
	if len(c.groups[group]) > group {
		return 0, false
	}
	c.groups[group] = append(c.groups[group], len(c.last))
	c.last = append(c.last, 0)
	return len(c.groups[group]) - 1, true
}

// exchange makes the chains of a group, but for one, change places with those of the group before.
func (c *chains) exchange(group, but int) {
	if group == 0 {
		return
	}
	one := c.groups[group][but]
	rest := slices.Delete(c.groups[group], but, but+1)
	c.groups[group], c.groups[group-1] = append(c.groups[group-1], one), rest
}
