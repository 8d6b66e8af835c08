package verdict

import (
	"contend/checker/explain"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/model"
	"contend/traces"
)

// A Verdict is the decision on a claim.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"        // in every run within the row's bounds
	Violated     Verdict = "violated"     // by a run that the interpreter replayed
	Inconclusive Verdict = "inconclusive" // a limit was reached; the row names it
	NotClaimed   Verdict = "not claimed"  // the row does not meet the claim's assumptions
)

// Codes of limits, besides those of searches and samplings.
const (
	// Internal is the code for a bug of the checker: two implementations of the semantics disagree about the claim.
	Internal = search.Internal
	// NothingClaimed is the code for a row without a tested claim: the row does not meet their assumptions, or its
	// variant does not make them.
	NothingClaimed = "nothing claimed"
	// Stuck is the code for a handler that did not return.
	Stuck = "handler"
	// Untested is the code for a claim that no run of a complete search tested, without a reason in
	// [model.Claim].Vacuous.
	Untested = "not put to the test"
	// NoStep is the code for a row whose schedules all ended before their first step, and for its claims.
	NoStep = "no step"
)

// A ClaimResult is the result of a row for one claim. Its JSON is a stable contract.
type ClaimResult struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Against   string  `json:"against,omitempty"` // the adversary of an almost-sure claim
	Source    string  `json:"source"`
	Verdict   Verdict `json:"verdict"`
	Witnessed bool    `json:"witnessed"` // whether some run tested the claim
	// Tested is the number of sampled schedules that tested the claim. A schedule tests a claim of kind Eventually
	// if it ends.
	Tested int64 `json:"tested,omitempty"`
	// Vacuous is the reason why no run of the row can test a claim that holds.
	Vacuous string `json:"vacuous,omitempty"`
	Finding string `json:"finding"` // the name of the recorded finding that the violation is
	// Unrecorded names a finding that is recorded for this claim under other conditions.
	Unrecorded string `json:"unrecorded,omitempty"`
	// Excused names a finding that would excuse a violation here, although the claim holds.
	Excused string `json:"-"`
	Trace   string `json:"trace"` // the file of the counterexample
	// Limit is the reason why there is no verdict.
	Limit decide.Limit `json:"limit,omitzero"`
	Text  string       `json:"text,omitempty"`  // describes the violation, or the reason for another verdict
	Steps int          `json:"steps,omitempty"` // number of the counterexample's steps
	// Found is the sampled schedule that violates the claim.
	Found *Found `json:"found,omitempty"`
	// Why is the short explanation of the violation. [ClaimResult.Explain] sets it.
	Why []string `json:"why,omitempty"`
	// Minimized describes the minimization of a sampled counterexample; nil if there was none.
	Minimized *Minimized `json:"minimized,omitempty"`
	// Unmet lists the assumptions of a tested claim that the row does not meet: see [model.Check.AssumeAnyway].
	Unmet []string `json:"unmet,omitempty"`

	// Counterexample is the run that violates the claim; nil if there is none.
	Counterexample *traces.Trace `json:"-"`

	violation *explain.Violation // of the counterexample; may be nil
}

// NewClaim returns the result of a claim, without a verdict.
func NewClaim(c model.Claim) ClaimResult {
	r := ClaimResult{Name: c.Name, Kind: c.Kind.String(), Source: c.Source}
	if c.Kind == model.AlmostSurely {
		r.Against = c.Against.String()
	}
	return r
}

// Violate sets the result to violated by a run.
func (c *ClaimResult) Violate(v *explain.Violation) {
	c.Verdict, c.Limit, c.Text, c.Witnessed, c.Steps = Violated, decide.Limit{}, v.Trace.Text, true, len(v.Trace.Steps)
	c.Counterexample, c.violation = v.Trace, v
}

// Explain sets Why, and returns the replayed and explained counterexample. The run is replayed and explained at
// most once, also if several results have it. Explain returns nil if there is no counterexample.
func (c *ClaimResult) Explain(p *model.Protocol) *explain.Violation {
	if c.Counterexample == nil {
		return nil
	}
	if c.violation == nil || c.violation.Trace != c.Counterexample {
		c.violation = explain.New(p, c.Counterexample)
	}
	if because, err := c.violation.Why(); err == nil {
		c.Why = because.Short
	}
	return c.violation
}

// Internal reports whether a bug of the checker left the claim without a verdict.
func (c *ClaimResult) Internal() bool { return c.Limit.Code == Internal }

// A Found identifies a sampled schedule. The same seed and strategy result in the same schedule.
type Found struct {
	Schedule int    `json:"schedule"` // number, from 1
	Strategy string `json:"strategy"` // name; of a portfolio the member that made the schedule
}

// A Minimized describes the minimization of a sampled counterexample.
type Minimized struct {
	From int    `json:"from"` // number of steps before
	To   int    `json:"to"`   // number of steps after
	Text string `json:"text"` // the numbers, and the change of the configuration
	How  string `json:"how"`  // the proven minimality
}

// NoHandlerFails is the claim that every protocol makes: no handler fails. A row has its result only if a handler
// fails.
var NoHandlerFails = model.Claim{Name: model.NoHandlerFails, Kind: model.Always}
