package symmetry

import (
	"fmt"
	"slices"

	"contend/checker/search/step"
)

// Renaming must commute with every handler, in every state of a run or of a renamed run. The swaps generate all
// permutations. So it suffices that each swap commutes with every result that the search computes, and with the
// result's images under swaps. Each pair of a local state and a trigger is therefore compared with its image
// under each swap. A new image is computed, and then checked in its turn. A pair that names k of n members has
// n!/(n−k)! images, and each image costs a run of the handler.
//
// Results wait in a queue until the end of the layer. A recursion would be as deep as the number of images. A
// violation need not wait for the queue, since the interpreter confirms it.

// A result is a result to be checked, with its local state and trigger.
type result struct {
	kind              resultKind
	from, trigger, is uint32 // is: the number of the result
}

type resultKind uint8

const (
	handlerResult resultKind = iota // a node's handler
	monitorResult                   // a monitor's Observe
	forgeryResult                   // the messages that may be forged to a receiver
)

// Computed queues the result of a node's handler.
func (s *Groups) Computed(from, trigger, i uint32) {
	s.queue = append(s.queue, result{handlerResult, from, trigger, i})
}

// Watched queues the result of a monitor.
func (s *Groups) Watched(from, seen, i uint32) {
	s.queue = append(s.queue, result{monitorResult, from, seen, i})
}

// Forged queues the messages that may be forged to a receiver in a local state.
func (s *Groups) Forged(state, i uint32) {
	s.queue = append(s.queue, result{forgeryResult, state, 0, i})
}

// Settle checks up to n queued results, the last first, and reports whether results remain. It refuses a group
// in which a swap makes a difference; [Groups.Unlike] then has the reason.
func (s *Groups) Settle(n int) bool {
	for ; n > 0 && len(s.queue) > 0; n-- {
		last := len(s.queue) - 1
		one := s.queue[last]
		s.queue = s.queue[:last]
		for _, swap := range s.Swaps {
			if one.kind == forgeryResult {
				s.checkForged(swap, one)
			} else {
				s.check(swap, one)
			}
		}
	}
	return s.Unsettled()
}

// Unsettled reports whether results are queued.
func (s *Groups) Unsettled() bool { return len(s.queue) > 0 }

// check refuses a group unless a swap commutes with a result. A swap is its own inverse, so a pair and its
// image are compared once, when the later result is checked.
func (s *Groups) check(swap Swap, one result) {
	var there uint32
	var why string
	if one.kind == monitorResult {
		there, why = s.e.ProbeWatch(s.Local(one.from, swap.Perm), s.observation(one.trigger, swap.Perm))
	} else {
		there, why = s.e.Probe(s.Local(one.from, swap.Perm), s.base(one.trigger, swap.Perm))
	}
	here := s.e.AllResults[one.is]
	what := func() string { return fmt.Sprintf("%T", s.e.Protos[s.e.Locals.Items[one.from].Slot]) }
	switch {
	case why != "" && (there == 0 || step.FailureIn(here) == ""): // else both fail: no difference
		s.RefuseFailing(swap, what(), why)
	case there >= one.is && !s.equivalent(here, s.e.AllResults[there], swap.Perm):
		s.Refuse(swap, what())
	}
}

// checkForged refuses a group unless the messages that may be forged to a renamed receiver are the renamed
// messages.
func (s *Groups) checkForged(swap Swap, one result) {
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
