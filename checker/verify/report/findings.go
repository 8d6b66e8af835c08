package report

import (
	"fmt"

	"contend/checker"
	"contend/checker/verify/console"
)

// A finding is a claim that a row shows to break as is on record.
type finding struct {
	row   *checker.Row
	claim checker.ClaimResult
}

// known are the findings that rows show, each once: where it came first.
func known(rows []*checker.Row) []finding {
	var out []finding
	seen := map[string]bool{}
	for _, row := range rows {
		for _, c := range row.Claims {
			if key := row.Protocol + " " + c.Finding; c.Finding != "" && !seen[key] {
				seen[key] = true
				out = append(out, finding{row, c})
			}
		}
	}
	return out
}

// shown returns the place and the length of the run of a finding.
func (f finding) shown() string {
	if f.claim.Trace == "" {
		return ""
	}
	return fmt.Sprintf(" (%s: %s)", console.Counted(f.claim.Steps, "step", "steps"), console.Plain(f.claim.Trace))
}
