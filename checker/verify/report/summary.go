package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"contend/checker"
	"contend/checker/check"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/model"
)

// A tally is the sum of all rows.
type tally struct {
	counts     map[checker.Verdict]int
	findings   int
	limits     map[decide.Limit]int  // open verdicts by what limited them
	searches   map[decide.Limit]bool // of these limits, those that some search met
	cuts       map[string]bool
	reductions map[string]bool
	omission   float64
	searched   bool
	nothing    int  // rows that put no claim to the test
	begun      bool // a search began where a run ends
	untimed    bool // an untimed search found that an always claim holds
}

func tallied(rows []*checker.Row) tally {
	t := tally{counts: map[checker.Verdict]int{}, limits: map[decide.Limit]int{}, searches: map[decide.Limit]bool{}, cuts: map[string]bool{}, reductions: map[string]bool{}}
	for _, row := range rows {
		if row.Limit.Code == checker.NothingClaimed {
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
			limit = sampledOut
		}
		t.limits[limit]++
		t.searches[limit] = t.searches[limit] || !sampled(row)
	case checker.Holds:
		if !sampled(row) && row.Time == model.Untimed.String() && c.Kind == model.Always.String() {
			t.untimed = true
		}
	}
}

// sampledOut is the limit of claims that sampling did not refute.
var sampledOut = decide.Limited("all schedules were sampled, and none violates it")

// stopped returns a text on what an interrupt left out.
func stopped(skipped int) []string {
	if skipped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Interrupted: %s not started.", console.Counted(skipped, "check was", "checks were"))}
}

// replays are the commands for the runs that were saved.
func replays(saved []string) []string {
	var out []string
	for _, to := range []struct {
		does    string
		command func(path string) string
	}{
		{"Replay with:", func(path string) string { return verdict.Tool + " replay " + console.Quoted([]string{path}) }},
		{"Step through it in a browser:", pageOf},
		{"Explore from its last state:", func(path string) string { return verdict.Tool + " explore " + console.Quoted([]string{path}) }},
	} {
		for i, path := range slices.Compact(slices.Clone(saved)) {
			if i == 0 {
				out = append(out, to.does)
			}
			out = append(out, "  "+to.command(path))
		}
	}
	return out
}

// verdicts counts the verdicts, and gives the reasons of the open ones.
func (t *tally) verdicts() []string {
	var out []string
	if n := t.counts[checker.Holds]; n > 0 {
		out = append(out, "Holds within the bounds of its row: "+console.Counted(n, "verdict.", "verdicts."))
	}
	if n := t.counts[checker.Violated]; n > t.findings {
		out = append(out, "Violated: "+console.Counted(n-t.findings, "verdict.", "verdicts."))
	}
	if t.findings > 0 {
		out = append(out, "Violated, as recorded in the findings: "+console.Counted(t.findings, "verdict.", "verdicts."))
	}
	if n := t.limits[sampledOut]; n > 0 {
		out = append(out, fmt.Sprintf("Inconclusive (%s): %s", sampledOut, console.Counted(n, "verdict.", "verdicts.")))
	}
	out = append(out, t.open()...)
	if n := t.counts[checker.NotClaimed]; n > 0 {
		out = append(out, "Not claimed, because the row does not meet what the claim assumes: "+console.Counted(n, "verdict.", "verdicts."))
	}
	if len(out) == 0 {
		out = append(out, "No claim was checked.")
	}
	return out
}

// open returns texts on the verdicts that a limit left open, and on rows that tested nothing.
func (t *tally) open() []string {
	var out []string
	for _, limit := range slices.SortedFunc(maps.Keys(t.limits), compareText) {
		if limit != sampledOut {
			out = append(out, fmt.Sprintf("Inconclusive (%s): %s", limit, console.Counted(t.limits[limit], "verdict.", "verdicts.")))
			advice := check.SampledAdvice(limit.Code)
			if t.searches[limit] {
				advice = check.Advice(limit.Code)
			}
			if advice != "" {
				out = append(out, "To decide: "+advice+".")
			}
		}
	}
	if t.nothing > 0 {
		out = append(out, fmt.Sprintf("No claim was tested in %s: change the configuration, or test the claims anyway with --assume-anyway.",
			console.Counted(t.nothing, "row", "rows")))
	}
	return out
}

func compareText(a, b decide.Limit) int { return strings.Compare(a.String(), b.String()) }

// scope says what the searches did not look at, and how.
func (t *tally) scope() []string {
	var out []string
	if len(t.cuts) > 0 {
		out = append(out, fmt.Sprintf("Steps beyond a cut were not taken (%s); cut(…) counts the states, or runs, that had such a step.", strings.Join(sorted(t.cuts), ", ")))
	}
	if t.begun {
		out = append(out, "Only runs that continue the run of --from were searched: that a claim holds says nothing about other runs.")
	}
	if t.untimed {
		out = append(out, "Untimed, a message may be delayed forever: an always claim that holds also holds if messages are lost and clients stop, unless it assumes otherwise.")
	}
	if !t.searched {
		return out
	}
	return append(out, t.omitted())
}

// omitted returns a text on the reductions, and on the probability that a state was lost.
func (t *tally) omitted() string {
	reductions := "none"
	if len(t.reductions) > 0 {
		reductions = strings.Join(sorted(t.reductions), ", ")
	}
	return fmt.Sprintf("Reductions: %s. Probability that a state was omitted: at most %s.", reductions, probability(t.omission))
}

// probability returns the expected number of omitted states, rounded up to a power of ten. It bounds the
// probability that a state is missing.
func probability(omission float64) string {
	for exponent := -18; exponent < 0; exponent++ {
		if omission <= math.Pow10(exponent) {
			return fmt.Sprintf("1e%d", exponent)
		}
	}
	return "1"
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
