package report

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/verify/flags"
	"contend/traces"
)

// TestStatus: away from a terminal a line is printed now and then, on one it is
// redrawn and erased.
func TestStatus(t *testing.T) {
	p := checker.Progress{Row: &checker.Row{Protocol: "p", Variant: "v"}, Distinct: 10, Elapsed: time.Second}
	var out strings.Builder
	s := NewStatus(&out)
	s.Update(p)
	assert.Empty(t, out.String(), "too early")
	s.last = s.last.Add(-printed)
	s.Update(p)
	s.Update(p)
	s.Clear()
	assert.Equal(t, "p/v: 10 states (10/s), layers ×0.00, layer of 0, depth 0, 0 transitions, 0 MiB, 1s\n", out.String())

	out.Reset()
	s = &Status{w: &out, width: 20}
	s.Update(p)
	s.Update(p)
	s.Clear()
	assert.Equal(t, "\r\x1b[Kp/v: 10 states (10/\r\x1b[K", out.String())
}

// TestWhich: of several checks the line says which it is, and what is left at the pace so far.
func TestWhich(t *testing.T) {
	assert.Equal(t, "", which(0, 1, 0))
	assert.Equal(t, "check 1 of 20, ", which(0, 20, 0))
	assert.Equal(t, "check 2 of 20, ", which(1, 20, time.Minute), "too early to tell")
	assert.Equal(t, "check 11 of 20, about 30 seconds left, ", which(10, 20, 30*time.Second))
}

// TestWidth: COLUMNS is heard, but no line is shorter than 40.
func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"": 100, "80": 80, "7": 40, "wide": 100, "-3": 100} {
		t.Setenv("COLUMNS", columns)
		assert.Equal(t, want, Width(&strings.Builder{}), columns)
	}
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
		"holds":               {row("exhaustive", "", claim(checker.Holds, "")), ExitHolds},
		"not claimed":         {row("exhaustive", "", claim(checker.NotClaimed, "")), ExitHolds},
		"nothing claimed":     {row("exhaustive", checker.NothingClaimed, claim(checker.NotClaimed, "")), ExitLimit},
		"nothing sampled":     {row("random", checker.NothingClaimed, claim(checker.NotClaimed, "")), ExitLimit},
		"violated":            {row("exhaustive", "", claim(checker.Violated, "")), ExitViolated},
		"finding":             {row("exhaustive", "", finding), ExitHolds},
		"limit":               {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout")), ExitLimit},
		"violated and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), claim(checker.Violated, "")), ExitViolated},
		"finding and limit":   {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), finding), ExitLimit},
		"sampled to the end":  {row("random", "schedules", claim(checker.Inconclusive, "schedules")), ExitHolds},
		"sampled no step":     {row("random", checker.NoStep, claim(checker.Inconclusive, checker.NoStep)), ExitLimit},
		"sampling timed out":  {row("random", "timeout", claim(checker.Inconclusive, "timeout")), ExitLimit},
		"sampled, violated":   {row("random", "schedules", claim(checker.Violated, "")), ExitViolated},
		"porcupine gave up":   {row("random", "schedules", claim(checker.Inconclusive, "porcupine")), ExitLimit},
		"internal":            {row("exhaustive", "", claim(checker.Inconclusive, "internal: x"), claim(checker.Holds, "")), ExitInternal},
		"internal and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "internal: x"), claim(checker.Inconclusive, "timeout")), ExitInternal},
		"internal, violated":  {row("exhaustive", "", claim(checker.Inconclusive, "internal: x"), claim(checker.Violated, "")), ExitViolated},
		"strict bound":        {row("exhaustive", "", claim(checker.Inconclusive, "strict bound")), ExitLimit},
		"nothing in the row":  {row("exhaustive", ""), ExitHolds},
		"limit, nothing open": {row("exhaustive", "interrupted"), ExitLimit},
	} {
		assert.Equal(t, c.want, verdict([]*checker.Row{c.row}, 0), name)
	}
	assert.Equal(t, ExitLimit, verdict(nil, 1), "interrupted")
}

// TestWords: the small functions that outputs are made of.
func TestWords(t *testing.T) {
	assert.Equal(t, "backoff-lemma-1-grants-δ", slug("backoff-Lemma 1, grants/δ"))
	assert.Equal(t, `check 'Lemma 1' ''\''' ''`, Quoted([]string{"check", "Lemma 1", "'", ""}))
	assert.Equal(t, []string{"a bb", "ccc", "d"}, Wrapped([]string{"a", "bb", "ccc", "d"}, 4))
	assert.Equal(t, "1e-12", probability(3e-13))
	assert.Equal(t, "1", probability(3))
}

// What was found is told even if its run cannot be written any more.
func TestUnsaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for finding, want := range map[string]int{"": ExitViolated, "known": ExitUsage} {
		var out, errors strings.Builder
		to := Surroundings{Out: &out, Err: &errors, Show: func(string, *traces.Trace) error { return nil },
			Why: func(string, *traces.Trace) []string { return nil }}
		r := New(to, nil, flags.Output{Dir: file})
		require.NoError(t, r.Add(&checker.Row{Protocol: "p", Strategy: "exhaustive", Claims: []checker.ClaimResult{
			{Name: "c", Verdict: checker.Violated, Finding: finding, Counterexample: &traces.Trace{}},
		}}))
		code, err := r.Close()
		require.NoError(t, err)
		assert.Equal(t, want, code)
		assert.Contains(t, out.String(), "  c  violated")
		assert.Contains(t, errors.String(), "verify: --out: a run that breaks c could not be written: ")
	}
}

// Durations are told as people say them.
func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1400 * time.Millisecond: "1 second", 42 * time.Second: "42 seconds", 61 * time.Second: "1 minute", 200 * time.Second: "3 minutes", 5 * time.Hour: "5 hours",
	} {
		assert.Equal(t, want, About(d))
	}
}

// What comes from outside does not steer a terminal, and a shell takes what is printed for it.
func TestPlain(t *testing.T) {
	assert.Equal(t, `a\x1b[31mb\u202ec δ`, Plain("a\x1b[31mb\u202ec δ"))
	assert.Equal(t, `plain 'a b' $'\x1b[31m\'\\\n'`, Quoted([]string{"plain", "a b", "\x1b[31m'\\\n"}))
}

// A violation is told of before its row comes, with the file of its run; where the row then has another run, the file is its own.
// A file that was there before stays.
func TestViolationsBeforeTheirRows(t *testing.T) {
	run := func(text string) checker.ClaimResult {
		c := checker.ClaimResult{Name: "lock", Verdict: checker.Violated, Steps: 3, Counterexample: &traces.Trace{Version: traces.Version, Protocol: "p", Time: "untimed", Claim: "lock", Text: text}}
		return c
	}
	dir := t.TempDir()
	tell := func(first, last string) (says string, names []string) {
		var out, told strings.Builder
		to := Surroundings{Out: &out, Err: &told, Status: NewStatus(&told),
			Why:     func(string, *traces.Trace) []string { return nil },
			Page:    func(io.Writer, string, *traces.Trace) error { return nil },
			Picture: func(t *traces.Trace) (*traces.Trace, error) { return t, nil }}
		r := New(to, nil, flags.Output{Dir: dir, JSON: true})
		row := &checker.Row{Protocol: "p", Command: "verify check p"}
		r.Violated(row, run(first))
		row.Claims = []checker.ClaimResult{run(last)}
		require.NoError(t, r.Add(row))
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		for _, f := range files {
			names = append(names, filepath.Base(f))
		}
		assert.Equal(t, filepath.Join(dir, names[len(names)-1]), row.Claims[0].Trace)
		return told.String(), names
	}
	says, names := tell("one", "other")
	assert.Equal(t, "verify: p: lock is violated, by a run of 3 steps: "+filepath.Join(dir, "p-lock-1.json")+"; the search goes on\n", says)
	assert.Equal(t, []string{"p-lock-1.json"}, names)
	_, names = tell("other", "third")
	assert.Equal(t, []string{"p-lock-1.json", "p-lock-2.json"}, names)
}

// A claim that no run can put to the test says so, and why; one that none did says what to give the row.
func TestUntestedIsTold(t *testing.T) {
	order := checker.ClaimResult{Name: "order", Verdict: checker.Holds, Vacuous: "nobody multicasts twice"}
	untested := checker.ClaimResult{Name: "safety", Verdict: checker.Inconclusive, Limit: checker.Untested, Text: "none put it to the test"}
	r := &checker.Row{Strategy: "exhaustive", Claims: []checker.ClaimResult{order, untested}}
	assert.Equal(t, []remark{
		{"order holds, and no run can put it to the test: nobody multicasts twice", vacuous},
		{"safety is open: none put it to the test", ""},
	}, remarks(r))
	assert.Equal(t, ExitLimit, verdict([]*checker.Row{r}, 0))
	r.Claims = r.Claims[:1]
	assert.Equal(t, ExitHolds, verdict([]*checker.Row{r}, 0))
}
