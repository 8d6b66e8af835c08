package verdict

import (
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/model"
	"contend/traces"
)

// A Verdict is what is known of a claim.
type Verdict string

// The three verdicts, and the remark that a row does not meet what a claim assumes.
const (
	Holds        Verdict = "holds"        // within the row's bounds, in every run
	Violated     Verdict = "violated"     // by a run that the interpreter replayed
	Inconclusive Verdict = "inconclusive" // a limit was hit, which the row names
	NotClaimed   Verdict = "not claimed"  // the row does not meet what the claim assumes
)

// Internal is the code of the limit of a claim that has no verdict because of a bug of the checker:
// two of its implementations of the semantics disagree about it.
const Internal = search.Internal

// NothingClaimed is the code of the limit of a row that put no claim to the test: it does not meet what they
// assume, or its variant does not make them.
const NothingClaimed = "nothing claimed"

// Stuck is the code of the limit of a check that was given up because a handler did not return.
const Stuck = "handler"

// Untested is the code of the limit of a claim that a complete search did not put to the test, though
// nothing says that it could not: see [model.Claim].
const Untested = "not put to the test"

// NoStep is the code of the limit of a row, and of its claims, of which every schedule ended before its first step.
const NoStep = "no step"

// A ClaimResult is the verdict on one claim.
type ClaimResult struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Against   string  `json:"against,omitempty"` // the adversary of an almost-sure claim
	Source    string  `json:"source"`
	Verdict   Verdict `json:"verdict"`
	Witnessed bool    `json:"witnessed"` // some run put the claim to the test
	// Tested counts the schedules of a sampling that put the claim to the test: those in which something happened that it is
	// about; of an eventually claim those that ended.
	Tested int64 `json:"tested,omitempty"`
	// Vacuous is why no run of the row can put a claim to the test that holds unwitnessed.
	Vacuous string `json:"vacuous,omitempty"`
	Finding string `json:"finding"` // the recorded finding that this violation is
	// Unrecorded names a finding that is on record for this claim, when the violation is met under
	// conditions that the record does not cover.
	Unrecorded string `json:"unrecorded,omitempty"`
	// Excused names a finding that would excuse a violation here, though the claim holds.
	Excused string       `json:"-"`
	Trace   string       `json:"trace"` // the file the counterexample was written to
	Limit   decide.Limit `json:"limit,omitzero"`
	Text    string       `json:"text,omitempty"`  // how it was violated, or why it is not claimed
	Steps   int          `json:"steps,omitempty"` // of the counterexample
	// Found says which sampled schedule violates the claim.
	Found *Found `json:"found,omitempty"`
	// Why says in sentences made from the counterexample why it breaks the claim.
	Why []string `json:"why,omitempty"`
	// Minimized is of a counterexample that was sampled, unless it was not to be minimised.
	Minimized *Minimized `json:"minimized,omitempty"`
	// Unmet is what the claim assumes and the row does not meet, though it was put to the test:
	// see [model.Check.AssumeAnyway].
	Unmet []string `json:"unmet,omitempty"`

	Counterexample *traces.Trace `json:"-"`
}

// Found is a schedule of a sampling: the same seed and strategy make it again.
type Found struct {
	Schedule int    `json:"schedule"` // from 1
	Strategy string `json:"strategy"` // that made it: in a portfolio, one of its members
}

// Internal reports whether a bug of the checker left the claim without a verdict.
func (c *ClaimResult) Internal() bool { return c.Limit.Code == Internal }

// Minimized says of a counterexample that was found by sampling what the minimiser made of it.
type Minimized struct {
	From int    `json:"from"` // steps
	To   int    `json:"to"`
	Text string `json:"text"` // that, and how the configuration changed
	How  string `json:"how"`  // what is known of its size
}

// NewClaim returns the result of a claim, without a verdict.
func NewClaim(c model.Claim) ClaimResult {
	r := ClaimResult{Name: c.Name, Kind: c.Kind.String(), Source: c.Source}
	if c.Kind == model.AlmostSurely {
		r.Against = c.Against.String()
	}
	return r
}

// violatedBy writes into a claim's result that a run violates it.
func (c *ClaimResult) Violate(t *traces.Trace) {
	c.Verdict, c.Limit, c.Text, c.Witnessed, c.Steps, c.Counterexample = Violated, decide.Limit{}, t.Text, true, len(t.Steps), t
}

// NoHandlerFails is the claim that stands behind the others: it is in a row only when a handler
// fails.
var NoHandlerFails = model.Claim{Name: model.NoHandlerFails, Kind: model.Always}
