package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"contend/checker"
	"contend/model"
)

// tally is what rows come to, all together.
type tally struct {
	counts     map[checker.Verdict]int
	findings   int
	limits     map[string]int // open verdicts by what limited them
	cuts       map[string]bool
	reductions map[string]bool
	omission   float64
	searched   bool
	nothing    int  // rows that put no claim to the test
	begun      bool // a search began where a run ends
	untimed    bool // an untimed search found that an always claim holds
}

func tallied(rows []*checker.Row) tally {
	t := tally{counts: map[checker.Verdict]int{}, limits: map[string]int{}, cuts: map[string]bool{}, reductions: map[string]bool{}}
	for _, row := range rows {
		if row.Limit == checker.NothingClaimed {
			t.nothing++
		} else if !sampled(row) {
			t.searched = true
		}
		t.omission += row.Omission
		t.begun = t.begun || row.From != nil
		for _, r := range row.Reductions {
			t.reductions[r] = true
		}
		for cut, n := range row.Cut {
			if n > 0 {
				t.cuts[cut] = true
			}
		}
		for _, c := range row.Claims {
			t.claim(row, c)
		}
	}
	return t
}

func (t *tally) claim(row *checker.Row, c checker.ClaimResult) {
	t.counts[c.Verdict]++
	switch c.Verdict {
	case checker.Violated:
		if c.Finding != "" {
			t.findings++
		}
	case checker.Inconclusive:
		limit := c.Limit
		if SampledOut(row, c) {
			limit = "all schedules sampled, none violates it"
		}
		t.limits[limit]++
	case checker.Holds:
		if !sampled(row) && row.Time == model.Untimed.String() && c.Kind == model.Always.String() {
			t.untimed = true
		}
	}
}

// summary says in sentences what is known and what is not.
func summary(rows []*checker.Row, saved []string, skipped int) string {
	t := tallied(rows)
	out := append(t.verdicts(), t.scope()...)
	if skipped > 0 {
		out = append(out, fmt.Sprintf("Interrupted: %s not begun.", Counted(skipped, "check was", "checks were")))
	}
	if len(saved) > 0 {
		out = append(out, "Replay with:")
		for _, path := range slices.Compact(slices.Clone(saved)) {
			out = append(out, "  verify replay "+Quoted([]string{path}))
		}
		out = append(out, "Step through it in a browser:")
		for _, path := range slices.Compact(slices.Clone(saved)) {
			out = append(out, "  "+pageOf(path))
		}
		out = append(out, "Look around from where it ends:")
		for _, path := range slices.Compact(slices.Clone(saved)) {
			out = append(out, "  verify explore "+Quoted([]string{path}))
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// verdicts counts the verdicts, and gives the reasons of the open ones.
func (t *tally) verdicts() []string {
	var out []string
	if n := t.counts[checker.Holds]; n > 0 {
		out = append(out, "Holds within the bounds of its row: "+Counted(n, "verdict.", "verdicts."))
	}
	if n := t.counts[checker.Violated]; n > t.findings {
		out = append(out, "Violated: "+Counted(n-t.findings, "verdict.", "verdicts."))
	}
	if t.findings > 0 {
		out = append(out, "Violated, as recorded in the findings: "+Counted(t.findings, "verdict.", "verdicts."))
	}
	for _, limit := range sorted(t.limits) {
		out = append(out, fmt.Sprintf("Inconclusive (%s): %s", limit, Counted(t.limits[limit], "verdict.", "verdicts.")))
	}
	if n := t.counts[checker.NotClaimed]; n > 0 {
		out = append(out, "Not claimed, since the row does not meet what the claim assumes: "+Counted(n, "verdict.", "verdicts."))
	}
	if t.nothing > 0 {
		out = append(out, fmt.Sprintf("Nothing was put to the test in %s: change the configuration, or check what is not claimed with --assume-anyway.",
			Counted(t.nothing, "row", "rows")))
	}
	if len(out) == 0 {
		out = append(out, "Nothing is known.")
	}
	return out
}

// scope says what the searches did not look at, and how.
func (t *tally) scope() []string {
	var out []string
	if len(t.cuts) > 0 {
		out = append(out, fmt.Sprintf("Nothing beyond the cut was looked at (%s); cut(…) counts the states, or runs, where there was more.", strings.Join(sorted(t.cuts), ", ")))
	}
	if t.begun {
		out = append(out, "Only runs that continue the one of --from were looked at: what holds there, or is not reached, says nothing of others.")
	}
	if t.untimed {
		out = append(out, "Read untimed, no delivery is ever forced: what always holds does so with any loss and with clients that stop for good, unless the claim assumes otherwise.")
	}
	if !t.searched {
		return out
	}
	reductions := "none"
	if len(t.reductions) > 0 {
		reductions = strings.Join(sorted(t.reductions), ", ")
	}
	return append(out, fmt.Sprintf("Reductions: %s. Probability that a state was omitted: at most %s.", reductions, probability(t.omission)))
}

// probability rounds the expected number of omitted states, which bounds the
// probability that there is one, up to a power of ten.
func probability(omission float64) string {
	for exponent := -18; exponent < 0; exponent++ {
		if omission <= math.Pow10(exponent) {
			return fmt.Sprintf("1e%d", exponent)
		}
	}
	return "1"
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
