package model

import "fmt"

// A Refinement holds a protocol to another one, its page: what each run of the protocol shows is
// what some run of the page shows. The page is a small protocol that is easy to believe, such as a
// lock of a few lines, or the page of a paper whose algorithm real code implements.
//
// A run shows its observations one after another, as far as the two sides count them: See maps each
// of the protocol's to one of the page, or to none; Hides leaves out some of the page's. Steps that
// show nothing are silent, on both sides, and there may be any number of them.
//
// The page runs untimed, within the bounds of its configuration. A node of the page that has no
// script is invoked, and releases, whenever an invocation or a release there is seen, with what was
// seen; one with a script does what its script says, which has to be what is seen unless it is
// hidden.
//
// The claim is one of safety: it is about beginnings of runs. A protocol that does nothing refines
// every page.
type Refinement struct {
	Page *Protocol
	// At, unless nil, says in which variant and configuration the page stands beside a system; nil
	// stands for the page's defaults. Beside a system for which the page is not made it panics with [Misused].
	At func(s *System) Check
	// See is the observation of the page that one of the protocol stands for, if any. Its Kind, Node
	// and Value are compared with what the page shows, and for the invocation of a node without a
	// script its Op is taken over.
	See func(o Observation) (Observation, bool)
	// Hides, unless nil, reports whether an observation of the page is not shown.
	Hides func(o Observation) bool
}

// Where says in which variant and configuration the page stands beside a system.
func (r Refinement) Where(s *System) Check {
	if r.At == nil {
		return Check{}
	}
	return r.At(s)
}

// Beside builds the page as it stands beside a system. An At that panics is bad input; it says with
// [Misused] that the page is not for a system.
func (r Refinement) Beside(s *System) (page *System, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case Misuse:
			page, err = nil, fmt.Errorf("page %s: %w", r.Page.Name, p)
		default:
			page, err = nil, fmt.Errorf("page %s: At panics: %v", r.Page.Name, p)
		}
	}()
	at := r.Where(s)
	if page, err = r.Page.System(at.Variant, at.Config); err != nil {
		return nil, fmt.Errorf("page %s: %w", r.Page.Name, err)
	}
	return page, nil
}

// Shows reports whether an observation of the page is shown.
func (r Refinement) Shows(o Observation) bool { return r.Hides == nil || !r.Hides(o) }

// A Follower is the monitor of a claim of kind [Refines]. It follows in which states the page may
// be after what was seen.
type Follower interface {
	// Follows is in how many.
	Follows() int
	// Allows lists what the page may show next, in words.
	Allows(name func(NodeID) string) []string
	// Limit names the limit beyond which the page was not followed; "" if none. Then the claim is
	// neither violated nor holds.
	Limit() string
}
