package search

import (
	"contend/checker/search/decide"
	"contend/checker/search/statespace"
	"contend/model"
)

// A Result is what a search found.
type Result struct {
	States, Transitions int64
	Depth               int              // layers
	HandlerCalls        int64            // without the second ones, which compare
	Complete            bool             // every state within the bounds was met
	Limit               decide.Limit     // what stopped it
	Cut                 map[string]int64 // by cut: states in which it kept a step back
	Omission            float64          // the probability that a state was missed
	Bytes               int64            // of the visited set, in memory
	DiskBytes           int64            // of the visited set, in files
	Reductions          []string         // that were used
	Notes               []string         // what people should know, as that a reduction was refused
	// Claims are the outcomes of the claims in their order, and behind them of [model.NoHandlerFails].
	Claims    []Outcome
	Histories int               // final histories judged
	Workers   int               // that searched
	Widths    []int64           // of the layers, in states
	Space     *statespace.Space // where it is to be drawn
	Profile   func() string     // what splits states
	Handlers  map[string]bool   // of the nodes: whether any run calls them; without those that are not known to be
}

// An Outcome is what a search found out about one claim. [Result.Verdict] makes a state of it.
type Outcome struct {
	Violated *Candidate   // the run that violates the claim; nil unless there is one
	Limit    decide.Limit // what leaves the claim open
	Cost     *Extremes    // of a claim that is Measured; nil unless a run comes to a number
	Tested
}

// Tested is what is known of a claim while a search goes on.
type Tested struct {
	Witnessed bool // something put the claim to the test
	Reached   bool // the goal of a Sometimes claim
	Spurious  int  // candidates that only closed strict bounds made
	// Disputed, unless "", says how the search and the interpreter disagree about a run that seems to break the claim. The claim then has
	// no verdict: it is an internal error.
	Disputed string
}

// newResult returns the result of a search that found nothing yet.
func newResult(claims int) *Result {
	return &Result{Cut: map[string]int64{}, Claims: make([]Outcome, claims+1), Profile: func() string { return "" }}
}

// tested returns what is known of the claims, for a checkpoint.
func (r *Result) tested() (all []Tested) {
	for i := range r.Claims {
		all = append(all, r.Claims[i].Tested)
	}
	return all
}

// restore writes what tested returned into a result.
func (r *Result) restore(all []Tested) {
	for i := range all {
		r.Claims[i].Tested = all[i]
	}
}

// A State is what is known of a claim when its search is over.
type State int

// The states of a claim.
const (
	Open      State = iota // a limit left it open
	Holds                  // no run violates it, and some put it to the test; or it is a goal, and a run reaches it
	Violated               // by a run that the interpreter confirmed
	Unreached              // it is a goal, and no run reaches it
	Untested               // no run violates it or puts it to the test
)

// Internal is the code of a limit that is a bug of the checker: two of its implementations of the semantics disagree.
const Internal = "internal"

// Verdict returns the state of a claim of a kind, and the limit if it is open. What is known for certain precedes what is doubtful, and
// what is said of the claim precedes what is said of the search.
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

// Violated returns the places of the claims that are violated, in their order.
func (r *Result) Violated() (claims []int) {
	for i := range r.Claims {
		if r.Claims[i].Violated != nil {
			claims = append(claims, i)
		}
	}
	return claims
}

// settled reports whether the interpreter had the last word on the claim: nothing more is to be learned of it.
func (o *Outcome) settled() bool { return o.Violated != nil || o.Reached || o.Disputed != "" }

// violate writes that a run violates the claim.
func (o *Outcome) violate(c Candidate) { o.Violated, o.Limit = &c, decide.Limit{} }
