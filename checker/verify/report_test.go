package verify

import (
	"contend/checker"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestStatus: away from a terminal a line is printed now and then, on one it is
// redrawn and erased.
func TestStatus(t *testing.T) {
	p := checker.Progress{Row: &checker.Row{Protocol: "p", Variant: "v"}, Distinct: 10, Elapsed: time.Second}
	var out strings.Builder
	s := newStatus(&out)
	s.update(p)
	assert.Empty(t, out.String(), "too early")
	s.last = s.last.Add(-printed)
	s.update(p)
	s.update(p)
	s.clear()
	assert.Equal(t, "p/v: 10 states (10/s), layers ×0.00, layer of 0, depth 0, 0 transitions, 0 MiB, 1s\n", out.String())

	out.Reset()
	s = &status{w: &out, width: 20}
	s.update(p)
	s.update(p)
	s.clear()
	assert.Equal(t, "\r\x1b[Kp/v: 10 states (10/\r\x1b[K", out.String())
}

// TestExitCodes: what rows come to.
func TestExitCodes(t *testing.T) {
	row := func(strategy, limit string, claims ...checker.ClaimResult) *checker.Row {
		return &checker.Row{Strategy: strategy, Limit: limit, Claims: claims}
	}
	claim := func(v checker.Verdict, limit string) checker.ClaimResult {
		return checker.ClaimResult{Verdict: v, Limit: limit}
	}
	finding := checker.ClaimResult{Verdict: checker.Violated, Finding: "F1"}
	for name, c := range map[string]struct {
		row  *checker.Row
		want int
	}{
		"holds":               {row("exhaustive", "", claim(checker.Holds, "")), exitHolds},
		"not claimed":         {row("exhaustive", "", claim(checker.NotClaimed, "")), exitHolds},
		"violated":            {row("exhaustive", "", claim(checker.Violated, "")), exitViolated},
		"finding":             {row("exhaustive", "", finding), exitHolds},
		"limit":               {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout")), exitLimit},
		"violated and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), claim(checker.Violated, "")), exitViolated},
		"finding and limit":   {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), finding), exitLimit},
		"sampled to the end":  {row("random", "schedules", claim(checker.Inconclusive, "schedules")), exitHolds},
		"sampling timed out":  {row("random", "timeout", claim(checker.Inconclusive, "timeout")), exitLimit},
		"sampled, violated":   {row("random", "schedules", claim(checker.Violated, "")), exitViolated},
		"porcupine gave up":   {row("random", "schedules", claim(checker.Inconclusive, "porcupine")), exitLimit},
		"internal":            {row("exhaustive", "", claim(checker.Inconclusive, "internal: x"), claim(checker.Holds, "")), exitInternal},
		"internal and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "internal: x"), claim(checker.Inconclusive, "timeout")), exitInternal},
		"internal, violated":  {row("exhaustive", "", claim(checker.Inconclusive, "internal: x"), claim(checker.Violated, "")), exitViolated},
		"strict bound":        {row("exhaustive", "", claim(checker.Inconclusive, "strict bound")), exitLimit},
		"nothing in the row":  {row("exhaustive", ""), exitHolds},
		"limit, nothing open": {row("exhaustive", "interrupted"), exitLimit},
	} {
		assert.Equal(t, c.want, verdict([]*checker.Row{c.row}, 0), name)
	}
	assert.Equal(t, exitLimit, verdict(nil, 1), "interrupted")
}

// TestWords: the small functions that outputs are made of.
func TestWords(t *testing.T) {
	assert.Equal(t, "backoff-lemma-1-grants-δ", slug("backoff-Lemma 1, grants/δ"))
	assert.Equal(t, `check 'Lemma 1' ''\''' ''`, quoted([]string{"check", "Lemma 1", "'", ""}))
	assert.Equal(t, []string{"a bb", "ccc", "d"}, wrapped([]string{"a", "bb", "ccc", "d"}, 4))
	assert.Equal(t, "1e-12", probability(3e-13))
	assert.Equal(t, "1", probability(3))
}
