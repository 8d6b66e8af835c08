package model

import "fmt"

// A Refinement relates a protocol to another one, its page: each run of the protocol shows what some run of the
// page shows. The page is a small protocol that is easy to trust. Examples are a lock of a few lines, or the
// protocol of a paper that real code implements.
//
// A run shows its observations in order, as far as both sides count them. See maps an observation of the
// protocol to one of the page or to none, and Hides omits some of the page's. Steps that show nothing are
// silent. There may be any number of them on both sides.
//
// The page runs untimed, within the bounds of its configuration. A node of the page without a script is
// invoked, and releases, whenever that is seen, with the seen value. A node with a script follows it, and its
// observations must be seen or hidden.
//
// The claim is a safety claim: it is about prefixes of runs. A protocol that does nothing refines every page.
type Refinement struct {
	Page *Protocol
	// At, unless nil, returns the variant and the configuration of the page for a system; nil means the page's
	// defaults. It panics with [Misused] if the page does not apply to the system.
	At func(s *System) Check
	// See returns the page's observation for an observation of the protocol, or false. Kind, Node and Value
	// are compared with the page's observation. For the invocation of a node without a script Op is compared,
	// too.
	See func(o Observation) (Observation, bool)
	// Hides, unless nil, reports whether an observation of the page is not shown.
	Hides func(o Observation) bool
}

// Where returns the variant and the configuration of the page for a system.
func (r Refinement) Where(s *System) Check {
	if r.At == nil {
		return Check{}
	}
	return r.At(s)
}

// Beside builds the page for a system. A panic of At becomes an error.
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
	check := r.Where(s)
	if page, err = r.Page.System(check.Variant, check.Config); err != nil {
		return nil, fmt.Errorf("page %s: %w", r.Page.Name, err)
	}
	return page, nil
}

// Shows reports whether an observation of the page is shown.
func (r Refinement) Shows(o Observation) bool { return r.Hides == nil || !r.Hides(o) }

// A Follower is the monitor of a claim of kind [Refines]. It computes the states of the page that are
// possible after the shown observations.
type Follower interface {
	// Follows returns the number of possible states.
	Follows() int
	// Allows returns descriptions of the observations that the page may show next.
	Allows(name func(NodeID) string) []string
	// Limit returns the limit that stopped the computation, or "". With a limit the claim has no verdict.
	Limit() string
}
