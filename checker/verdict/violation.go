package verdict

import (
	"contend/checker/plan"
	"contend/model"
	"contend/traces"
)

// header starts the trace of a violation.
func NewTrace(of *plan.Row, watched []model.Claim, claim, text string) traces.Trace {
	t := traces.New(of.Protocol, of.Check.Variant, of.System.Config, of.Check.Reading != model.Untimed, claim, model.Printable(text))
	for _, w := range watched {
		t.Watched = append(t.Watched, w.Name)
	}
	return t
}

// tellViolated tells of a violation whose row is still to come, unless it is a recorded finding or nobody listens.
func ReportViolation(of *plan.Row, row *Row, claim model.Claim, t *traces.Trace, tell func(*Row, ClaimResult)) {
	if tell == nil {
		return
	}
	one := *row
	one.Claims = []ClaimResult{NewClaim(claim)}
	one.Claims[0].Violate(t)
	AddUnmet(&one, of)
	if Recognise(of.Protocol, &one); one.Claims[0].Finding == "" {
		tell(row, one.Claims[0])
	}
}
