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

// Short is the timeout of each check under go test -short, also of mutants.
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

// shortSchedules is the maximum number of schedules of a sampled check under go test -short.
const shortSchedules = 200

// Test checks a protocol under go test: each of its Checks in a subtest, named check1 and so on, and each mutant in
// another. A protocol without Checks is checked in its default configuration.
//
// A violation fails the test. The test prints the run and the command that shows it again, and stores the trace in
// testdata/contend, in a directory of the subtest's name. The next run of the test replays it first. A search that
// reaches a limit fails, too. A check ends before go test's own timeout, and soon after a violation. The subtest
// vet runs contend-vet on the source of the handlers. If it cannot run, the subtest is skipped with the reason.
//
// Under go test -short, the timeout of each check is [Short], and a check samples at most 200 schedules. The source
// is not vetted. A claim without a verdict, and a mutant that is not caught, do not fail because of this timeout:
// they are logged. Other limits fail.
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	usual().test(t, p)
}

// test is [Test].
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
	vetting, reported := vetted.Begin(p, vetUntil(t)), mistakes{}
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
	checked := 0 // -run may omit some
	for i, c := range checks {
		t.Run(path.Base(tests[i]), func(t *testing.T) {
			t.Helper()
			checked++
			rows = append(rows, x.check(t, p, c, reported)...)
		})
	}
	if uncalled := verdict.Uncalled(rows); uncalled != "" && checked == len(checks) {
		t.Log(uncalled)
	}
	for _, v := range p.Variants {
		if v.Mutant() {
			t.Run("mutant/"+v.Name, func(t *testing.T) {
				t.Helper()
				x.mutant(t, p, v, reported)
			})
		}
	}
}

// vetUntil returns the time at which contend-vet must end, after half of the time of go test; the zero time if
// there is no timeout.
func vetUntil(t *testing.T) time.Time {
	end, limited := t.Deadline()
	if !limited {
		return time.Time{}
	}
	return time.Now().Add(time.Until(end) / 2)
}

// TestCheck checks one configuration as [Test] does. It first replays the stored traces of a test of this name. It
// searches if none of them breaks its claim.
func TestCheck(t testing.TB, p *model.Protocol, c model.Check) {
	t.Helper()
	usual().check(t, p, c, mistakes{})
}

// check is [TestCheck], and returns the rows. It skips a mistake that another subtest has reported.
func (x tester) check(t testing.TB, p *model.Protocol, c model.Check, reported mistakes) []*verdict.Row {
	t.Helper()
	if kept.Own(t, p) {
		return nil
	}
	opt := x.checkOptions()
	h := x.hurry(t, &opt)
	early := saveEarly(t.Name(), &opt)
	rows, err := check.Run(p, limitSchedules(c), opt)
	if err != nil {
		reported.fatal(t, err)
	}
	advice := h.explain(rows)
	for _, row := range rows {
		report(t, p, row, advice, early)
	}
	return rows
}

// saveEarly sets Violated so that each violation is saved as soon as it is found: go test may end the test before
// the check ends. It returns the files by claim. The check fills them.
func saveEarly(test string, opt *verdict.Options) map[string]string {
	files, next := map[string]string{}, opt.Violated
	opt.Violated = func(row *verdict.Row, c verdict.ClaimResult) {
		files[c.Name] = kept.Save(test, c.Counterexample)
		if next != nil {
			next(row, c)
		}
	}
	return files
}

// limitSchedules returns a check with at most the schedules that -short allows.
func limitSchedules(c model.Check) model.Check {
	if testing.Short() {
		c.Schedules = min(c.Schedules, shortSchedules)
	}
	return c
}

// checkOptions returns the options of a check.
func (x tester) checkOptions() verdict.Options {
	opt := x.options
	if testing.Short() {
		opt.Timeout = x.short
	}
	return opt
}

// mistakes has the sentences of the mistakes that the subtests of a test have reported.
type mistakes map[string]bool

// fatal ends a subtest that cannot run. It skips the subtest if another has reported the same mistake.
func (m mistakes) fatal(t testing.TB, err error) {
	t.Helper()
	if m[err.Error()] {
		t.Skip(err)
	}
	m[err.Error()] = true
	t.Fatal(err)
}
