// Package refine decides whether the observations of a run are those of some run of a page: see
// [model.Refinement]. Its monitor stores the possible states of the page.
//
//   - follower.go: the monitor
//   - page.go: the set of states after an observation
//   - state.go: the steps of a page from one state, by the simple interpreter
//   - words.go: the possible next observations as text
package refine

import (
	"contend/model"
)

// Monitor returns a function that makes the monitor of a refinement's claim. Monitors share pages by
// configuration, with the pages' known steps.
func Monitor(r model.Refinement) func(*model.System) model.Monitor {
	all := newPages(r)
	return func(s *model.System) model.Monitor {
		p := all.get(s)
		return &follower{page: p, name: s.Name, May: p.initial.next, Cut: p.initial.cut}
	}
}

// A follower is the monitor of a refinement. After each observation, May has exactly the states of the page's
// runs with the same observations, silent steps included. The claim is violated if there is none. May
// determines the rest of the run.
type follower struct {
	page *page
	name func(model.NodeID) string // names nodes of the system; the page's values contain them

	May  States // possible states; none after a violation or beyond a limit
	Cut  bool   // a cut of the page prevented a step, so that May may be incomplete
	Lost string // limit that ended the monitor's work
}

// States is a set of a page's states.
type States []State

// Unordered makes permutations equal: see [value.Unordered].
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
		w.Violate("%s", f.violation(before, shownOf(seen)))
	}
}

// Follows returns the number of possible states.
func (f *follower) Follows() int { return len(f.May) }

// Limit returns the limit that ended the monitor's work.
func (f *follower) Limit() string { return f.Lost }
