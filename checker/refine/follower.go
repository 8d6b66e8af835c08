// Package refine decides whether what a run shows is what some run of a page shows: see
// [model.Refinement]. Its monitor follows in which states the page may be.
//
//   - follower.go: the monitor, whose state is a set of states of the page
//   - page.go: which states follow a set, when something is seen
//   - state.go: the steps of a page from one state, by the simple interpreter
//   - words.go: what the page may show next, for people
package refine

import (
	"contend/model"
)

// Monitor returns what makes the monitor of a claim that has a refinement. The pages are kept by
// configuration, with what is known of their steps.
func Monitor(r model.Refinement) func(*model.System) model.Monitor {
	all := newPages(r)
	return func(s *model.System) model.Monitor {
		p := all.beside(s)
		return &follower{page: p, name: s.Name, May: p.begins.next, Cut: p.begins.cut}
	}
}

// follower is the monitor. What the rest of a run may show depends on its state alone: after each
// observation that is seen, May has exactly the states in which a run of the page may be that has
// shown the same so far, silent steps included. The claim is violated when there is none.
type follower struct {
	page *page
	name func(model.NodeID) string // of nodes of the system, which values of the page may hold

	May  States // where the page may be; none after a violation, or beyond a limit
	Cut  bool   // a cut of the page kept it from a step, and it might have been elsewhere
	Lost string // the limit beyond which the page is not followed
}

// States are states of a page in no order.
type States []State

// Unordered makes equal what has the same elements: see [value.Unordered].
func (States) Unordered() {}

func (f *follower) Observe(w model.Watch, o model.Observation) {
	seen, ok := f.page.See(o)
	if !ok || len(f.May) == 0 {
		return
	}
	w.Witness()
	a := f.page.after(f.May, inputOf(seen))
	before := f.May
	f.May, f.Cut = a.next, f.Cut || a.cut
	switch {
	case a.large:
		f.May, f.Lost = nil, "page states"
	case len(a.next) > 0:
	case f.Cut:
		f.Lost = "page cut"
	default:
		w.Violate("%s", f.refused(before, showing(seen)))
	}
}

// Follows is in how many states the page may be.
func (f *follower) Follows() int { return len(f.May) }

// Limit names the limit beyond which the page was not followed.
func (f *follower) Limit() string { return f.Lost }
