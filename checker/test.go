package checker

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"contend/model"
)

// Short is how long each exhaustive check may take under go test -short.
const Short = 5 * time.Second

// Test checks a protocol under go test: each of its Checks in a subtest, check1 and so on, each
// mutant in another. A protocol that lists no Checks is checked in its default configuration. A violation fails the test, prints the run and the command that
// shows it again, and leaves the trace in testdata/contend, in a directory of the
// subtest's name, where it is replayed first from then on. Unless -short is set, the source of the
// handlers is looked through by contend-vet, where it and the go command are at hand. A limit that is hit fails too, unless -short is set.
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	var tests []string
	checks := p.Checks
	if len(checks) == 0 {
		checks = []model.Check{{Reading: UsualReading(p, model.Check{})}}
	}
	for i := range checks {
		tests = append(tests, fmt.Sprintf("%s/check%d", t.Name(), i+1))
	}
	vetted := vetting(p)
	t.Run("kept", func(t *testing.T) {
		t.Helper()
		replayOthers(t, p, tests)
	})
	t.Run("vet", func(t *testing.T) {
		t.Helper()
		for _, finding := range vetted() {
			t.Error(finding)
		}
	})
	for i, c := range checks {
		t.Run(path.Base(tests[i]), func(t *testing.T) {
			t.Helper()
			TestCheck(t, p, c)
		})
	}
	for _, v := range p.Variants {
		if v.Mutant() {
			t.Run("mutant/"+v.Name, func(t *testing.T) {
				t.Helper()
				TestMutant(t, p, v)
			})
		}
	}
}

// TestCheck checks one configuration, as [Test] checks each: first it replays the traces that a test
// of this name has kept, and it searches when none of them breaks its claim any more.
func TestCheck(t testing.TB, p *model.Protocol, c model.Check) {
	t.Helper()
	if replayOwn(t, p) {
		return
	}
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
	if !row.tested() {
		t.Error("no claim is put to the test")
	}
	for _, c := range row.Claims {
		t.Logf("%s: %s %s (%d states, %d schedules, %.2fs)", c.Name, c.Verdict, c.Limit, row.States, row.Schedules, row.Seconds)
		switch {
		case c.Verdict == NotClaimed:
			t.Logf("%s is not claimed: %s", c.Name, c.Text)
		case c.excused != "":
			t.Errorf("%s holds here, but the finding %s would excuse a violation: add the configuration to its Holds", c.Name, c.excused)
		case c.Finding != "":
			t.Logf("it is the recorded finding %s", c.Finding)
		case c.Verdict == Violated:
			t.Errorf("%s is violated: %s\n%s", c.Name, c.Text, keep(t, p, c))
		case c.Verdict == Inconclusive && (row.Strategy == "exhaustive" || c.Limit == Stuck || c.Limit == NoStep) && !(testing.Short() && c.Limit == "timeout"):
			t.Errorf("%s is undecided: limit %s; to decide it: %s; this test alone: %s", c.Name, strings.TrimSuffix(c.Limit+": "+c.Text, ": "), Advice(c.Limit), goTest(t.Name()))
		}
	}
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
	t.Errorf("mutant %s escapes: %s is not violated in the check that tries it; its field Show can name one with the sizes and faults that the bug needs; search again: %s", v.Name, v.Breaks, goTest(t.Name()))
}
