package search

import (
	"contend/checker/search/decide"
	"contend/checker/search/statespace"
	"contend/model"
)

// A Result is the result of a search.
type Result struct {
	States, Transitions int64
	Depth               int              // layers
	HandlerCalls        int64            // without repeated ones
	Complete            bool             // every state within the bounds was met
	Limit               decide.Limit     // why it stopped
	Cut                 map[string]int64 // by cut: states in which it withheld a step
	Omission            float64          // the probability that a state was missed
	Bytes               int64            // of the visited set, in memory
	DiskBytes           int64            // of the visited set, in files
	Reductions          []string         // used
	Notes               []string         // for users, such as that a reduction was refused
	// Claims has the outcomes of the claims in order, and behind them that of [model.NoHandlerFails].
	Claims    []Outcome
	Histories int               // final histories judged
	Workers   int               // that searched
	Widths    []int64           // of the layers, in states
	Space     *statespace.Space // with Options.Draw
	Profile   func() string     // what splits states
	Handlers  map[string]bool   // of the nodes: whether some run calls them; without the unknown
}

// An Outcome is the result of a search for one claim. [Result.Verdict] computes its state.
type Outcome struct {
	Violated *Candidate   // the run that violates the claim; nil unless there is one
	Limit    decide.Limit // what leaves the claim open
	Cost     *Extremes    // of a Measured claim; nil if no run has a value
	Tested
}

// Tested is what is known about a claim during a search.
type Tested struct {
	Witnessed bool // some run tests the claim
	Reached   bool // the goal of a Sometimes claim
	Spurious  int  // candidates that exist only because strict bounds are closed
	// Disputed, unless "", is the disagreement of search and interpreter about a run that seems to violate the
	// claim. The claim then has no verdict: it is an internal error.
	Disputed string
}

// newResult returns the result of a search that has found nothing.
func newResult(claims int) *Result {
	return &Result{Cut: map[string]int64{}, Claims: make([]Outcome, claims+1), Profile: func() string { return "" }}
}

// tested returns what is known about the claims, for a checkpoint.
func (r *Result) tested() (all []Tested) {
	for i := range r.Claims {
		all = append(all, r.Claims[i].Tested)
	}
	return all
}

// restore writes the values of tested into a result.
func (r *Result) restore(all []Tested) {
	for i := range all {
		r.Claims[i].Tested = all[i]
	}
}

// A State is what is known about a claim after a search.
type State int

// The states of a claim.
const (
	Open      State = iota // a limit left it open
	Holds                  // no run violates it, and some run tests it; or it is a goal, and a run reaches it
	Violated               // the interpreter confirmed a violation
	Unreached              // it is a goal, and no run reaches it
	Untested               // no run violates it or tests it
)

// Internal is the code of a limit that is a bug of the checker: two of its implementations of the semantics
// disagree.
const Internal = "internal"

// Verdict returns the state of a claim of a kind, and the limit if it is open. Certain results precede doubtful
// ones, and results for the claim precede those for the whole search.
func (r *Result) Verdict(claim int, kind model.Kind) (State, decide.Limit) {
	o := &r.Claims[claim]
	switch {
	case o.Violated != nil:
		return Violated, decide.Limit{}
	case kind == model.Sometimes && o.Reached:
		return Holds, decide.Limit{}
	case o.Disputed != "":
		return Open, decide.Limit{Code: Internal, Detail: o.Disputed}
	case o.Spurious > 0:
		return Open, decide.Limited(decide.StrictBound)
	case !o.Limit.None():
		return Open, o.Limit
	case kind == model.Sometimes && r.Complete:
		return Unreached, decide.Limit{}
	case !r.Complete:
		return Open, r.Limit
	case o.Witnessed || claim == len(r.Claims)-1:
		return Holds, decide.Limit{}
	}
	return Untested, decide.Limit{}
}

// Violated returns the indexes of the violated claims, in order.
func (r *Result) Violated() (claims []int) {
	for i := range r.Claims {
		if r.Claims[i].Violated != nil {
			claims = append(claims, i)
		}
	}
	return claims
}

// settled reports whether the interpreter has decided the claim.
func (o *Outcome) settled() bool { return o.Violated != nil || o.Reached || o.Disputed != "" }

// violate records a run that violates the claim.
func (o *Outcome) violate(c Candidate) { o.Violated, o.Limit = &c, decide.Limit{} }
