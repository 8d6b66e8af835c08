package checker

import (
	"bytes"
	"fmt"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
)

// recognise marks the violations of a row that are recorded findings. A finding
// whose kept trace does not reproduce any more is a violation of its own: either
// the protocol or the record is wrong.
func recognise(p *model.Protocol, row *Row) {
	for i := range row.Claims {
		c := &row.Claims[i]
		for _, f := range p.Findings {
			if f.Claim != c.Name || f.Variant != row.Variant || c.Verdict == NotClaimed || len(c.Unmet) > 0 {
				continue
			}
			if err := Reproduce(p, f); err != nil {
				c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s does not reproduce: %v", f.Name, err)
			} else if c.Verdict == Violated {
				c.Finding = f.Name
			}
		}
	}
}

// Reproduce replays the kept trace of a finding.
func Reproduce(p *model.Protocol, f model.Finding) error {
	t, err := traces.Read(bytes.NewReader(f.Trace))
	if err != nil {
		return err
	}
	if t.Protocol != p.Name || t.Variant != f.Variant || t.Claim != f.Claim {
		return fmt.Errorf("its trace is of %s/%s, claim %q", t.Protocol, t.Variant, t.Claim)
	}
	_, err = traces.Replay(p, t, judge.Watched(p.Statements()))
	return err
}
