package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/search/decide"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/starter"
	"contend/model"
	"contend/traces"
	"contend/traces/show"
)

// TestExitCodes: what rows come to.
func TestExitCodes(t *testing.T) {
	row := func(strategy, limit string, claims ...checker.ClaimResult) *checker.Row {
		return &checker.Row{Strategy: strategy, Limit: decide.Limited(limit), Claims: claims}
	}
	claim := func(v checker.Verdict, limit string) checker.ClaimResult {
		return checker.ClaimResult{Verdict: v, Limit: decide.Limited(limit)}
	}
	finding := checker.ClaimResult{Verdict: checker.Violated, Finding: "F1"}
	for name, c := range map[string]struct {
		row  *checker.Row
		want int
	}{
		"holds":               {row("exhaustive", "", claim(checker.Holds, "")), console.ExitHolds},
		"not claimed":         {row("exhaustive", "", claim(checker.NotClaimed, "")), console.ExitHolds},
		"nothing claimed":     {row("exhaustive", checker.NothingClaimed, claim(checker.NotClaimed, "")), console.ExitLimit},
		"nothing sampled":     {row("random", checker.NothingClaimed, claim(checker.NotClaimed, "")), console.ExitLimit},
		"violated":            {row("exhaustive", "", claim(checker.Violated, "")), console.ExitViolated},
		"finding":             {row("exhaustive", "", finding), console.ExitHolds},
		"limit":               {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout")), console.ExitLimit},
		"violated and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), claim(checker.Violated, "")), console.ExitViolated},
		"finding and limit":   {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), finding), console.ExitLimit},
		"sampled to the end":  {row("random", "schedules", claim(checker.Inconclusive, "schedules")), console.ExitHolds},
		"sampled no step":     {row("random", checker.NoStep, claim(checker.Inconclusive, checker.NoStep)), console.ExitLimit},
		"sampling timed out":  {row("random", "timeout", claim(checker.Inconclusive, "timeout")), console.ExitLimit},
		"sampled, violated":   {row("random", "schedules", claim(checker.Violated, "")), console.ExitViolated},
		"porcupine gave up":   {row("random", "schedules", claim(checker.Inconclusive, "porcupine")), console.ExitLimit},
		"internal":            {row("exhaustive", "", claim(checker.Inconclusive, checker.Internal), claim(checker.Holds, "")), console.ExitInternal},
		"internal and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, checker.Internal), claim(checker.Inconclusive, "timeout")), console.ExitInternal},
		"internal, violated":  {row("exhaustive", "", claim(checker.Inconclusive, checker.Internal), claim(checker.Violated, "")), console.ExitViolated},
		"strict bound":        {row("exhaustive", "", claim(checker.Inconclusive, "strict bound")), console.ExitLimit},
		"nothing in the row":  {row("exhaustive", ""), console.ExitHolds},
		"limit, nothing open": {row("exhaustive", "interrupted"), console.ExitLimit},
	} {
		assert.Equal(t, c.want, exitCode([]*checker.Row{c.row}, 0), name)
	}
	assert.Equal(t, console.ExitLimit, exitCode(nil, 1), "interrupted")
}

// TestProbability: the expected number of omitted states is rounded up to a power of ten.
func TestProbability(t *testing.T) {
	assert.Equal(t, "1e-12", probability(3e-13))
	assert.Equal(t, "1", probability(3))
}

// started returns the protocol of starter.
func started(string) (*model.Protocol, error) { return starter.Protocol, nil }

// violated returns a result whose counterexample has a text of its own.
func violated(t *testing.T, text string) checker.ClaimResult {
	t.Helper()
	rows, err := checker.Check(starter.Protocol, model.Check{Variant: "grants-twice"}, checker.Options{})
	require.NoError(t, err)
	i := slices.IndexFunc(rows[0].Claims, func(c checker.ClaimResult) bool { return c.Counterexample != nil })
	require.GreaterOrEqual(t, i, 0)
	run := *rows[0].Claims[i].Counterexample
	run.Text = text
	return checker.ClaimResult{Name: run.Claim, Verdict: checker.Violated, Steps: len(run.Steps), Counterexample: &run}
}

// What was found is told even if its run cannot be written any more.
func TestUnsaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for finding, want := range map[string]int{"": console.ExitViolated, "known": console.ExitUsage} {
		var out, errors strings.Builder
		to := Surroundings{Out: &out, Err: &errors, Protocol: started, Style: func() show.Style { return show.Style{} }}
		r := New(to, nil, flags.Output{Dir: file})
		found := violated(t, "")
		found.Finding = finding
		require.NoError(t, r.Add(&checker.Row{Protocol: starter.Protocol.Name, Strategy: "exhaustive", Claims: []checker.ClaimResult{found}}))
		code, err := r.Close()
		require.NoError(t, err)
		assert.Equal(t, want, code)
		assert.Contains(t, out.String(), "  mutual exclusion  violated")
		assert.Contains(t, errors.String(), "verify: --out: cannot write a run that violates mutual exclusion: ")
	}
}

// A violation is told of before its row comes, with the file of its run; where the row then has another run, the file is its own.
// A file that was there before stays.
func TestViolationsBeforeTheirRows(t *testing.T) {
	dir := t.TempDir()
	tell := func(first, last string) (says string, names []string) {
		var out, told strings.Builder
		to := Surroundings{Out: &out, Err: &told, Status: console.NewStatus(&told), Protocol: started}
		r := New(to, nil, flags.Output{Dir: dir, JSON: true})
		row := &checker.Row{Protocol: starter.Protocol.Name, Variant: "grants-twice", Strategy: "exhaustive", Command: "verify check p"}
		r.Violated(row, violated(t, first))
		row.Claims = []checker.ClaimResult{violated(t, last)}
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
	assert.Equal(t, "verify: starter/grants-twice: mutual exclusion is violated by a run of 8 steps: "+filepath.Join(dir, "starter-grants-twice-mutual-exclusion-1.json")+"; the search continues\n", says)
	assert.Equal(t, []string{"starter-grants-twice-mutual-exclusion-1.json"}, names)
	_, names = tell("other", "third")
	assert.Equal(t, []string{"starter-grants-twice-mutual-exclusion-1.json", "starter-grants-twice-mutual-exclusion-2.json"}, names)
}

// A sampled run is written as it was found, and the smaller one takes its place under the same name, though the row's command is known by then
// only. Where the smaller one cannot be written, the first stays, and the row names it.
func TestSmallerRunsTakeThePlaceOfSampledOnes(t *testing.T) {
	for _, unwritable := range []bool{false, true} {
		dir := t.TempDir()
		var out, says strings.Builder
		r := New(Surroundings{Out: &out, Err: &says, Status: console.NewStatus(&says), Protocol: started}, nil, flags.Output{Dir: dir, JSON: true})
		row := &checker.Row{Protocol: starter.Protocol.Name, Variant: "grants-twice", Strategy: "portfolio", Command: "verify run p --schedules 1000"}
		r.Violated(row, violated(t, "as sampled"))
		file := filepath.Join(dir, "starter-grants-twice-mutual-exclusion-1.json")
		assert.Equal(t, "verify: starter/grants-twice: mutual exclusion is violated by a run of 8 steps: "+file+", as it was sampled\n", says.String())
		last, want := violated(t, "smaller"), "smaller"
		if unwritable {
			_, err := last.Explain(starter.Protocol).Run()
			require.NoError(t, err)
			last.Counterexample.Version, want = -1, "as sampled" // which is no trace that can be written
		}
		row.Command, row.Claims = "verify run p --schedules 17", []checker.ClaimResult{last}
		require.NoError(t, r.Add(row))
		assert.Equal(t, file, row.Claims[0].Trace)
		kept, err := traces.Load(file)
		require.NoError(t, err)
		assert.Equal(t, want, kept.Text)
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		assert.Len(t, files, 1)
		code, err := r.Close()
		require.NoError(t, err)
		assert.Equal(t, console.ExitViolated, code)
		assert.Equal(t, unwritable, strings.Contains(says.String(), "--out: cannot write a run that violates mutual exclusion"))
	}
}

// What a row that was sampled is advised has nothing that only a search has.
func TestAdviceToSampledRows(t *testing.T) {
	for _, limit := range []string{"interrupted", "timeout"} {
		rows := []*checker.Row{{Strategy: "portfolio", Claims: []checker.ClaimResult{{Name: "c", Verdict: checker.Inconclusive, Limit: decide.Limited(limit)}}}}
		sampled := tallied(rows)
		text := strings.Join(sampled.open(), "\n")
		assert.Contains(t, text, "To decide: ")
		assert.NotRegexp(t, "--checkpoint|--resume|--profile|states", text)
		rows = append(rows, &checker.Row{Strategy: "exhaustive", Claims: rows[0].Claims})
		both := tallied(rows)
		assert.Regexp(t, "--checkpoint|--profile", strings.Join(both.open(), "\n"))
	}
}

// A claim that no run can put to the test says so, and why; one that none did says what to give the row.
func TestUntestedIsTold(t *testing.T) {
	order := checker.ClaimResult{Name: "order", Verdict: checker.Holds, Vacuous: "nobody multicasts twice"}
	untested := checker.ClaimResult{Name: "safety", Verdict: checker.Inconclusive, Limit: decide.Limited(checker.Untested), Text: "none put it to the test"}
	r := &checker.Row{Strategy: "exhaustive", Claims: []checker.ClaimResult{order, untested}}
	assert.Equal(t, []remark{
		{"order holds, but no run can test it: nobody multicasts twice", vacuous},
		{"safety is inconclusive: none put it to the test", ""},
	}, remarks(r))
	assert.Equal(t, console.ExitLimit, exitCode([]*checker.Row{r}, 0))
	r.Claims = r.Claims[:1]
	assert.Equal(t, console.ExitHolds, exitCode([]*checker.Row{r}, 0))
}

// A verdict that sampling leaves open says how many runs put the claim to the test, unless all did.
func TestVerdictsSayHowManyRunsTestThem(t *testing.T) {
	for want, c := range map[string]checker.ClaimResult{
		"inconclusive":                   {Verdict: checker.Inconclusive, Tested: 40},
		"inconclusive, tested by 1 run":  {Verdict: checker.Inconclusive, Tested: 1},
		"inconclusive, tested by no run": {Verdict: checker.Inconclusive},
		"violated":                       {Verdict: checker.Violated, Tested: 1},
		"violated (finding)":             {Verdict: checker.Violated, Finding: "F1"},
	} {
		assert.Equal(t, want, verdictCell(&checker.Row{Strategy: "pos", Schedules: 40}, c))
	}
	assert.Equal(t, "inconclusive", verdictCell(&checker.Row{Strategy: "exhaustive"}, checker.ClaimResult{Verdict: checker.Inconclusive}))
}
