package strategy

import "math/rand/v2"

// POS is partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018).
// Each event draws a priority when it becomes possible. The event of the highest priority happens, and
// those that race with it draw new ones. Here events race when they happen at one node.
//
// Schedules that differ only in the order of events that do not race are one partial order. The paper proves a lower
// bound on the probability of each partial order; in the worst case it is exponentially larger than that of a random
// walk. It holds here for what the nodes do, if no other choice interferes: a fault or a lie comes when it is drawn. It does not hold for a claim
// about the order of events at different nodes, which this strategy does not sample evenly, nor if time is kept:
// instants are drawn too.
type POS struct{}

// Schedule begins a schedule.
func (POS) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	own, rest := drawn(seed)
	return &sampled{rand: own}, rest
}

// Learn learns nothing.
func (POS) Learn(int, Scheduler, Outcome) {}

// sampled is the scheduler of POS.
type sampled struct {
	rand       *rand.Rand
	priorities []float64 // by number of event; 0: none yet
	pending    []Event   // those of the last choice
}

func (s *sampled) Next(events []Event) int {
	best, at := -1.0, 0
	for i, e := range events {
		s.priorities = grown(s.priorities, int(e.ID))
		p := &s.priorities[e.ID]
		for *p == 0 {
			*p = s.rand.Float64()
		}
		if *p > best {
			best, at = *p, i
		}
	}
	s.pending = append(s.pending[:0], events...)
	return at
}

func (s *sampled) Took(step Step) {
	for _, e := range s.pending {
		if e.Node == step.Event.Node {
			s.priorities[e.ID] = 0
		}
	}
}
