package strategy

import "math/rand/v2"

// POS is partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018). Each
// event draws a priority when it becomes possible. The event of the highest priority happens, and the events
// that race with it draw new priorities. Here two events race if they happen at one node.
//
// Schedules that differ only in the order of independent events have the same partial order. The paper proves
// a lower bound on the probability of each partial order. In the worst case the bound is exponentially above
// a random walk's. Here it holds for events at the nodes, without faults, lies and time. It does not hold for
// claims about the order of events at different nodes.
type POS struct{}

// Schedule begins a schedule.
func (POS) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	own, rest := streams(seed)
	return &sampled{rand: own}, rest
}

// Learn does nothing.
func (POS) Learn(int, Scheduler, Outcome) {}

// A sampled is the scheduler of POS.
type sampled struct {
	rand       *rand.Rand
	priorities []float64 // by event number; 0 if none
	pending    []Event   // events of the last choice
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

func (s *sampled) Observe(step Step) {
	for _, e := range s.pending {
		if e.Node == step.Event.Node {
			s.priorities[e.ID] = 0
		}
	}
}
