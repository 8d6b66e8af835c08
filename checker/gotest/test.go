package gotest

import (
	"fmt"
	"path"
	"testing"
	"time"

	"contend/checker/check"
	"contend/checker/fuzzing"
	"contend/checker/kept"
	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/vetted"
	"contend/model"
)

// Short is how long each check may take under go test -short, a mutant's too.
const Short = 5 * time.Second

// A tester checks protocols under go test.
type tester struct {
	options        verdict.Options // of each check
	short          time.Duration   // the timeout of a check under go test -short
	afterViolation time.Duration   // the minimum time that a check continues after a violation
}

// usual returns the tester of users.
func usual() tester {
	return tester{options: verdict.Options{Seed: 1}, short: Short, afterViolation: 10 * time.Second}
}

// shortSchedules is how many schedules a sampled check runs at most under go test -short.
const shortSchedules = 200

// Test checks a protocol under go test: each of its Checks in a subtest, check1 and so on, each
// mutant in another. A protocol that lists no Checks is checked in its default configuration. A violation fails the test, prints the run and the command that
// shows it again, and leaves the trace in testdata/contend, in a directory of the
// subtest's name, where it is replayed first from then on. The source of the handlers is looked through
// by contend-vet, in the subtest vet; if it cannot run, that subtest is skipped, and says why. A search that hits a limit fails too. It ends before go test's
// own time limit does, and soon after a violation.
//
// Under go test -short each check, also of a mutant, takes at most the time [Short] and samples at most
// 200 schedules, and the source is not looked through. A claim that this time leaves undecided, and a
// mutant that is not caught in it, is logged and does not fail; other limits do.
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	usual().test(t, p)
}

func (x tester) test(t *testing.T, p *model.Protocol) {
	t.Helper()
	if err := (fuzzing.Target{Protocol: p}).Ready(); err != nil {
		t.Fatal(err)
	}
	var tests []string
	checks := p.Checks
	if len(checks) == 0 {
		reading, _ := plan.UsualReading(p, model.Check{})
		checks = []model.Check{{Reading: reading}}
	}
	for i := range checks {
		tests = append(tests, fmt.Sprintf("%s/check%d", t.Name(), i+1))
	}
	vetting, told := vetted.Begin(p, vetUntil(t)), mistakes{}
	t.Run("kept", func(t *testing.T) {
		t.Helper()
		kept.ReplayOthers(t, p, tests)
	})
	t.Run("vet", func(t *testing.T) {
		t.Helper()
		findings, err := vetting()
		for _, finding := range findings {
			t.Error(finding)
		}
		if err != nil {
			t.Skip(err)
		}
	})
	var rows []*verdict.Row
	checked := 0 // -run may leave some out
	for i, c := range checks {
		t.Run(path.Base(tests[i]), func(t *testing.T) {
			t.Helper()
			checked++
			rows = append(rows, x.check(t, p, c, told)...)
		})
	}
	if uncalled := verdict.Uncalled(rows); uncalled != "" && checked == len(checks) {
		t.Log(uncalled)
	}
	for _, v := range p.Variants {
		if v.Mutant() {
			t.Run("mutant/"+v.Name, func(t *testing.T) {
				t.Helper()
				x.mutant(t, p, v, told)
			})
		}
	}
}

// vetUntil is until when contend-vet may look through the source: half of the time that go test gives.
func vetUntil(t *testing.T) time.Time {
	end, limited := t.Deadline()
	if !limited {
		return time.Time{}
	}
	return time.Now().Add(time.Until(end) / 2)
}

// TestCheck checks one configuration, as [Test] checks each: first it replays the traces that a test
// of this name has kept, and it searches when none of them breaks its claim any more.
func TestCheck(t testing.TB, p *model.Protocol, c model.Check) {
	t.Helper()
	usual().check(t, p, c, mistakes{})
}

func (x tester) check(t testing.TB, p *model.Protocol, c model.Check, told mistakes) []*verdict.Row {
	t.Helper()
	if kept.Own(t, p) {
		return nil
	}
	opt := x.bounded()
	h := x.hurried(t, &opt)
	early := savedEarly(t.Name(), &opt)
	rows, err := check.Run(p, shortened(c), opt)
	if err != nil {
		told.fatal(t, err)
	}
	hint := h.tell(rows)
	for _, row := range rows {
		report(t, p, row, hint, early)
	}
	return rows
}

// savedEarly makes options save a violation as soon as it is found: the search goes on, a sampled run is made smaller, and go test may
// end the test before either is over. It returns the files, by claim, which are filled while the check runs.
func savedEarly(test string, opt *verdict.Options) map[string]string {
	files, also := map[string]string{}, opt.Violated
	opt.Violated = func(row *verdict.Row, c verdict.ClaimResult) {
		files[c.Name] = kept.Save(test, c.Counterexample)
		if also != nil {
			also(row, c)
		}
	}
	return files
}

// shortened is a check with the schedules that it may sample.
func shortened(c model.Check) model.Check {
	if testing.Short() {
		c.Schedules = min(c.Schedules, shortSchedules)
	}
	return c
}

// bounded are the options of a check in a test.
func (x tester) bounded() verdict.Options {
	opt := x.options
	if testing.Short() {
		opt.Timeout = x.short
	}
	return opt
}

// mistakes are the sentences that the subtests of a test have told.
type mistakes map[string]bool

// fatal ends a subtest that cannot be run. What another has told is not told again.
func (m mistakes) fatal(t testing.TB, err error) {
	t.Helper()
	if m[err.Error()] {
		t.Skip(err)
	}
	m[err.Error()] = true
	t.Fatal(err)
}
