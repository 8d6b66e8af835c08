package gotest

import (
	"slices"
	"strings"
	"testing"

	"contend/checker/check"
	"contend/checker/kept"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/model"
)

// report prints the result of a row. Violations come first, and a failing handler before them, since it ends the
// search for all claims. The undecided claims are last, a line for each limit. Interrupted is the advice for claims
// of an interrupted search. Early has the files of violations that were saved before.
func report(t testing.TB, p *model.Protocol, row *verdict.Row, interrupted string, early map[string]string) {
	t.Helper()
	if !row.Tested() {
		t.Error("no claim is put to the test")
	}
	for _, c := range worstFirst(row.Claims) {
		t.Logf("%s: %s %s (%d states, %d schedules, %.2fs)", c.Name, c.Verdict, c.Limit, row.States, row.Schedules, row.Seconds)
		switch {
		case c.Verdict == verdict.NotClaimed:
			t.Logf("%s is not claimed: %s", c.Name, c.Text)
		case c.Excused != "":
			t.Errorf("%s holds here, but the finding %s would excuse a violation: add the configuration to its Holds", c.Name, c.Excused)
		case c.Finding != "":
			t.Logf("it is the recorded finding %s", c.Finding)
		case c.Verdict == verdict.Violated:
			t.Errorf("%s is violated: %s\n%s", c.Name, c.Text, kept.Keep(t.Name(), c.Explain(p), early[c.Name]))
		}
	}
	for _, all := range undecided(row) {
		c := all[0]
		advice := check.Advice(c.Limit.Code)
		if c.Limit.Code == search.Interrupted {
			advice = interrupted
		}
		t.Errorf("%s undecided: limit %s; to decide %s: %s; this test alone: %s", subject(all), strings.TrimSuffix(c.Limit.String()+": "+c.Text, ": "), object(all), advice, kept.GoTest(t.Name()))
	}
}

// worstFirst returns the claims in the order of the report: a failing handler, other violations, other claims.
func worstFirst(claims []verdict.ClaimResult) []verdict.ClaimResult {
	rank := func(c verdict.ClaimResult) int {
		switch {
		case c.Verdict != verdict.Violated || c.Finding != "":
			return 2
		case c.Name != model.NoHandlerFails:
			return 1
		}
		return 0
	}
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b verdict.ClaimResult) int { return rank(a) - rank(b) })
	return claims
}

// undecided returns the undecided claims that fail a test, grouped by limit.
func undecided(row *verdict.Row) (groups [][]verdict.ClaimResult) {
	for _, c := range row.Claims {
		fails := row.Strategy == "exhaustive" && !(testing.Short() && c.Limit.Code == search.Timeout) || c.Limit.Code == verdict.Stuck || c.Limit.Code == verdict.NoStep
		if c.Verdict != verdict.Inconclusive || !fails {
			continue
		}
		i := slices.IndexFunc(groups, func(g []verdict.ClaimResult) bool { return g[0].Limit == c.Limit && g[0].Text == c.Text })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// subject returns the names of claims, with the verb of a sentence that begins with them.
func subject(claims []verdict.ClaimResult) string {
	var names []string
	for _, c := range claims {
		names = append(names, c.Name)
	}
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}

// object returns the pronoun for claims.
func object(claims []verdict.ClaimResult) string {
	if len(claims) == 1 {
		return "it"
	}
	return "them"
}
