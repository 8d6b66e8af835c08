package verdict

import (
	"fmt"

	"contend/checker/record"
	"contend/model"
	"contend/traces"
)

// Recognize sets the findings of a row's violations. It also sets two results to violated, since the protocol or
// the record is wrong: a finding whose stored trace does not reproduce, and a claim that holds in the configuration
// of that trace.
func Recognize(p *model.Protocol, row *Row) {
	for i := range row.Claims {
		c := &row.Claims[i]
		if c.Verdict == NotClaimed || len(c.Unmet) > 0 {
			continue
		}
		for _, f := range p.Findings {
			if f.Claim != c.Name || f.Variant != row.Variant {
				continue
			}
			stored, err := record.Reproduce(p, f)
			if err != nil {
				c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s does not reproduce: %v", f.Name, err)
				break
			}
			compareFinding(p, row, c, f, stored)
		}
	}
}

// compareFinding compares a claim's result with a finding and its stored trace.
func compareFinding(p *model.Protocol, row *Row, c *ClaimResult, f model.Finding, stored *traces.Trace) {
	is, least := row.Config.Config, p.Spelled(stored.Config.Model())
	is.Faults = row.Faults
	is = p.Spelled(is)
	switch expected := record.Covers(is, f, least); {
	case c.Verdict == Violated && expected:
		c.Finding, c.Unrecorded = f.Name, ""
	case c.Verdict == Violated && c.Finding == "":
		c.Unrecorded = f.Name
	case c.Verdict == Holds && is.Matches(least) && least.Matches(is) && stored.Timed() == (row.Time != model.Untimed.String()):
		c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s says that it breaks in this configuration, but it holds", f.Name)
	case c.Verdict == Holds && expected:
		c.Excused = f.Name
	}
}
