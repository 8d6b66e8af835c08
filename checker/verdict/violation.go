package verdict

import (
	"contend/checker/explain"
	"contend/checker/plan"
	"contend/model"
	"contend/traces"
)

// NewTrace returns a trace of a planned row without steps: its header names the watched claims, the violated claim
// (or ""), and the text of the violation.
func NewTrace(planned *plan.Row, watched []model.Claim, claim, text string) traces.Trace {
	t := traces.New(planned.Protocol, planned.Check.Variant, planned.System.Config, planned.Check.Reading != model.Untimed, claim, model.Printable(text))
	for _, w := range watched {
		t.Watched = append(t.Watched, w.Name)
	}
	return t
}

// ReportViolation calls a function of [Options.Violated] with a violation, while its row is incomplete. It does not
// call the function if it is nil, or if the violation is a recorded finding.
func ReportViolation(planned *plan.Row, row *Row, claim model.Claim, v *explain.Violation, violated func(*Row, ClaimResult)) {
	if violated == nil {
		return
	}
	one := *row
	one.Claims = []ClaimResult{NewClaim(claim)}
	one.Claims[0].Violate(v)
	AddUnmet(&one, planned)
	if Recognize(planned.Protocol, &one); one.Claims[0].Finding == "" {
		violated(row, one.Claims[0])
	}
}
