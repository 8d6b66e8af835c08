package symmetry

import (
	"fmt"
	"slices"

	"contend/checker/search/step"
)

// Renaming has to commute with every handler, in every state that a run or a renamed run leads
// to. It does if it commutes with the swaps, on each pair of a local state and a trigger that
// the search computes and on all pairs that swaps make of these, since swaps generate every
// permutation. So each pair is checked against what each swap makes of it, which is computed if
// it is new and is then checked in its turn. A pair that names k of n members has n!/(n−k)!
// images, and each costs a run of the handler.
//
// What is computed waits in a queue until the end of the layer. A recursion would be as deep as
// the images are many, and a violation, which the interpreter confirms, need not wait for them.

// computed is something computed that is to be checked: of a local state and a trigger.
type computed struct {
	what              question
	from, trigger, is uint32 // is: its number among the results
}

type question uint8

const (
	handled  question = iota // what a node does
	watched                  // what a monitor makes of an observation
	forgable                 // what may be forged to a receiver
)

// Computed notes what a node does on a trigger, to be checked.
func (s *Groups) Computed(from, trigger, i uint32) {
	s.queue = append(s.queue, computed{handled, from, trigger, i})
}

// Watched notes what a monitor makes of an observation, to be checked.
func (s *Groups) Watched(from, seen, i uint32) {
	s.queue = append(s.queue, computed{watched, from, seen, i})
}

// Forged notes what may be forged to a receiver in a state, to be checked.
func (s *Groups) Forged(state, i uint32) {
	s.queue = append(s.queue, computed{forgable, state, 0, i})
}

// Settle checks up to n of the things that were computed, the last first, and reports whether
// some are left. A group in which a swap makes a difference is refused: [Groups.Unlike] says why.
func (s *Groups) Settle(n int) bool {
	for ; n > 0 && len(s.queue) > 0; n-- {
		last := len(s.queue) - 1
		one := s.queue[last]
		s.queue = s.queue[:last]
		for _, swap := range s.Swaps {
			if one.what == forgable {
				s.checkForged(swap, one)
			} else {
				s.check(swap, one)
			}
		}
	}
	return s.Unsettled()
}

// Unsettled reports whether something that was computed is not checked yet.
func (s *Groups) Unsettled() bool { return len(s.queue) > 0 }

// check refuses a group unless a swap commutes with what was computed. A swap is its own inverse,
// so two pairs that it makes of each other are compared once, from the one that was computed first.
func (s *Groups) check(swap Swap, one computed) {
	var there uint32
	var why string
	if one.what == watched {
		there, why = s.e.ProbeWatch(s.Local(one.from, swap.Perm), s.observed(one.trigger, swap.Perm))
	} else {
		there, why = s.e.Probe(s.Local(one.from, swap.Perm), s.base(one.trigger, swap.Perm))
	}
	here := s.e.AllResults[one.is]
	what := func() string { return fmt.Sprintf("%T", s.e.Protos[s.e.Locals.Items[one.from].Slot]) }
	switch {
	case why != "" && (there == 0 || step.FailureIn(here) == ""): // else both fail, which is alike
		s.RefuseFailing(swap, what(), why)
	case there >= one.is && !s.same(here, s.e.AllResults[there], swap.Perm):
		s.Refuse(swap, what())
	}
}

// checkForged refuses a group unless what may be forged to a renamed receiver is the
// same, renamed.
func (s *Groups) checkForged(swap Swap, one computed) {
	image, why := s.e.Alphabet(s.Local(one.from, swap.Perm))
	if why != "" {
		s.RefuseFailing(swap, "Forge", "fails: "+why)
		return
	}
	there := slices.Sorted(slices.Values(s.e.AllForges[image]))
	renamed := slices.Clone(s.e.AllForges[one.is])
	for k, trigger := range renamed {
		renamed[k] = s.base(trigger, swap.Perm)
	}
	if slices.Sort(renamed); !slices.Equal(renamed, there) {
		s.Refuse(swap, "Forge")
	}
}
