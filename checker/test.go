package checker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
)

// Short is how long each exhaustive check may take under go test -short.
const Short = 5 * time.Second

// Test checks a protocol under go test: each of its Checks in a subtest, each
// mutant in another. A violation fails the test, prints the run and the one command
// that replays it, and leaves the trace under testdata/contend, where it is
// replayed first from then on. A limit that is hit fails too, unless -short is set.
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	t.Run("kept", func(t *testing.T) { replayKept(t, p) })
	for i, c := range p.Checks {
		t.Run(fmt.Sprintf("check%d", i+1), func(t *testing.T) { TestCheck(t, p, c) })
	}
	for _, v := range p.Variants {
		if v.Mutant() {
			t.Run("mutant/"+v.Name, func(t *testing.T) { TestMutant(t, p, v) })
		}
	}
}

// TestCheck checks one configuration.
func TestCheck(t testing.TB, p *model.Protocol, c model.Check) {
	t.Helper()
	opt := Options{Seed: 1}
	if testing.Short() {
		opt.Timeout = Short
		c.Schedules = min(c.Schedules, 200)
	}
	rows, err := Check(p, c, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		report(t, p, row)
	}
}

func report(t testing.TB, p *model.Protocol, row *Row) {
	t.Helper()
	for _, c := range row.Claims {
		t.Logf("%s: %s %s (%d states, %d schedules, %.2fs)", c.Name, c.Verdict, c.Limit, row.States, row.Schedules, row.Seconds)
		switch {
		case c.Finding != "":
			t.Logf("it is the recorded finding %s", c.Finding)
		case c.Verdict == Violated:
			t.Errorf("%s is violated: %s\n%s", c.Name, c.Text, keep(t, p, row, c))
		case c.Verdict == Inconclusive && row.Strategy == "exhaustive" && !(testing.Short() && c.Limit == "timeout"):
			t.Errorf("%s is undecided: limit %s; %s", c.Name, c.Limit, row.Command)
		}
	}
}

// keep writes a counterexample where the next run replays it first, and returns
// what to print.
func keep(t testing.TB, p *model.Protocol, row *Row, c ClaimResult) string {
	t.Helper()
	if c.Counterexample == nil {
		return row.Command
	}
	path := filepath.Join("testdata", "contend", strings.ReplaceAll(strings.ToLower(p.Name+"-"+row.Variant+"-"+c.Name), " ", "-")+".json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := traces.Save(path, c.Counterexample); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("kept in %s; replayed first by: go test -run %s/kept; searched again by: %s", path, t.Name(), row.Command)
}

// replayKept fails for every kept trace that still breaks its claim. One that does
// not replay any more says that the protocol has changed: it can be deleted.
func replayKept(t testing.TB, p *model.Protocol) {
	t.Helper()
	for _, problem := range keptErrors(t, p) {
		t.Error(problem)
	}
}

func keptErrors(t testing.TB, p *model.Protocol) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "contend", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, path := range paths {
		tr, err := traces.Load(path)
		if err == nil {
			if tr.Protocol != p.Name {
				continue
			}
			_, err = traces.Replay(p, tr, judge.Watched(p.Claims))
		}
		var diverged *traces.Divergence
		switch {
		case err == nil:
			problems = append(problems, fmt.Sprintf("%s still breaks %s: %s", path, tr.Claim, tr.Text))
		case errors.As(err, &diverged):
			t.Logf("%s does not replay any more (%v): delete it when the bug it showed is gone", path, err)
		default:
			problems = append(problems, fmt.Sprintf("%s: %v", path, err))
		}
	}
	return problems
}

// TestMutant checks that a mutant is caught by the claim it names.
func TestMutant(t testing.TB, p *model.Protocol, v model.Variant) {
	t.Helper()
	c := v.Show
	c.Variant, c.Claims = v.Name, []string{v.Breaks}
	rows, err := Check(p, c, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, r := range row.Claims {
			if r.Verdict == Violated {
				t.Logf("%s is violated after %d steps: %s", r.Name, r.Steps, r.Text)
				return
			}
		}
	}
	t.Errorf("mutant %s escapes: %s is not violated; %s", v.Name, v.Breaks, rows[0].Command)
}
