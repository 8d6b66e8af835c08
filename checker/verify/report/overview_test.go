package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/search/decide"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/model"
)

// TestOverview: several protocols have a line each, which fits the width, and their findings stand below.
func TestOverview(t *testing.T) {
	t.Setenv("COLUMNS", "60")
	one, two := &model.Protocol{Name: "one"}, &model.Protocol{Name: "a-protocol-of-a-long-name"}
	var out strings.Builder
	r := New(Surroundings{Out: &out, Err: &out}, []*plan.Plan{{Protocol: one}, {Protocol: two}}, flags.Output{})
	claim := func(name string, v checker.Verdict, finding string) checker.ClaimResult {
		return checker.ClaimResult{Name: name, Verdict: v, Finding: finding, Witnessed: true}
	}
	for _, row := range []*checker.Row{
		{Protocol: "one", Strategy: "exhaustive", States: 7, Seconds: 0.25, Claims: []checker.ClaimResult{claim("order", checker.Holds, ""), claim("a claim of a name that takes a line", checker.Violated, "F1")}},
		{Protocol: "one", Variant: "fast", Strategy: "exhaustive", States: 12, Seconds: 1, Claims: []checker.ClaimResult{claim("order", checker.Violated, "F2"), claim("a claim of a name that takes a line", checker.Violated, "F1")}},
		{Protocol: two.Name, Strategy: "random", Schedules: 9, Limit: decide.Limited("schedules"), Claims: []checker.ClaimResult{{Name: "order", Verdict: checker.Inconclusive, Limit: decide.Limited("schedules")}}},
		{Protocol: two.Name, Strategy: "exhaustive", States: 5, Limit: decide.Limited("timeout"), Claims: []checker.ClaimResult{{Name: "order", Verdict: checker.Inconclusive, Limit: decide.Limited("timeout")}, claim("x", checker.Violated, "")}},
	} {
		require.NoError(t, r.Add(row))
	}
	code, err := r.Close()
	require.NoError(t, err)
	assert.Equal(t, console.ExitViolated, code)
	assert.Equal(t, `PROTOCOL                   HOLDS  FINDINGS  SAMPLED  OPEN  LARGEST SEARCH  SECONDS
one                            1         2                             12      1.2
a-protocol-of-a-long-name                         1     1               5      0.0  1 violated
2 protocols                    1         2        1     1              12      1.2  1 violated

Findings: claims of a source that its protocol, as
    printed, violates
  one                        a claim of a name that takes a
                             line; and 1 more

Inconclusive (timeout): 1 verdict.
To decide: give it more time (--timeout), or make the
    system smaller; --profile shows what splits its states.
A verdict is valid within the bounds of its row, and not
    beyond them.
Reductions: none. Probability that a state was omitted:
    at most 1e-18.

Next
  verify check one
      its rows with their bounds (--rows: all rows)
  verify new mylock         start your own protocol
`, out.String())
}
