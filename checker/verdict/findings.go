package verdict

import (
	"fmt"

	"contend/checker/record"
	"contend/model"
	"contend/traces"
)

// recognise marks the violations of a row that are recorded findings. Two things are violations
// of their own, since either the protocol or the record is wrong: a finding whose kept trace does
// not reproduce, and a claim that holds at the very configuration of that trace.
func Recognise(p *model.Protocol, row *Row) {
	for i := range row.Claims {
		c := &row.Claims[i]
		if c.Verdict == NotClaimed || len(c.Unmet) > 0 {
			continue
		}
		for _, f := range p.Findings {
			if f.Claim != c.Name || f.Variant != row.Variant {
				continue
			}
			kept, err := record.Reproduce(p, f)
			if err != nil {
				c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s does not reproduce: %v", f.Name, err)
				break
			}
			mark(p, row, c, f, kept)
		}
	}
}

// mark says of a claim's result what the record of a finding makes of it.
func mark(p *model.Protocol, row *Row, c *ClaimResult, f model.Finding, kept *traces.Trace) {
	is, least := row.Config.Config, p.Spelled(kept.Config.Model())
	is.Faults = row.Faults
	is = p.Spelled(is)
	switch expected := record.Covers(is, f, least); {
	case c.Verdict == Violated && expected:
		c.Finding, c.Unrecorded = f.Name, ""
	case c.Verdict == Violated && c.Finding == "":
		c.Unrecorded = f.Name
	case c.Verdict == Holds && is.Matches(least) && least.Matches(is) && kept.Timed() == (row.Time != model.Untimed.String()):
		c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s says that it breaks in this configuration, but it holds", f.Name)
	case c.Verdict == Holds && expected:
		c.Excused = f.Name
	}
}

// Reproduce replays the kept trace of a finding.
func Reproduce(p *model.Protocol, f model.Finding) error {
	_, err := record.Reproduce(p, f)
	return err
}
