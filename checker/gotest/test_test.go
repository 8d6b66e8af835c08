package gotest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/checker/check"
	"contend/checker/explain"
	"contend/checker/kept"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/verify/starter"
	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/model"
	"contend/traces"
)

// recorded is a testing.TB that keeps what it is told instead of failing.
type recorded struct {
	testing.TB
	errors, logs []string
}

func (r *recorded) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

func (r *recorded) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }

func (r *recorded) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// forgetful is a server that forgets whom it granted: Lemma 1 is broken.
func forgetful(tries int) model.Check {
	return model.Check{Variant: "forgetful", Config: model.Config{N: 1}.With(backoff.Tries.Is(tries)), Reading: model.Grid, Claims: []string{"Lemma 1"}}
}

// A violation fails the test, prints its run, and is kept; and a kept trace that still
// breaks its claim fails the next run first.
func TestViolationFailsAndIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := &recorded{TB: t}
	TestCheck(tb, backoff.Protocol, forgetful(1))
	file := "testdata/contend/TestViolationFailsAndIsKept/lemma-1.json"
	again := "go test contend/checker/gotest -run '^TestViolationFailsAndIsKept$'"
	wantOne(t, tb.errors, "Lemma 1 is violated: ", "config  n=1", "arrives", "✗ Lemma 1 is violated at step", "kept in "+file, "in a browser: "+strings.TrimSuffix(file, ".json")+".html", "replayed first by: "+again)
	if _, err := os.Stat(strings.TrimSuffix(file, ".json") + ".html"); err != nil {
		t.Error(err)
	}

	tb = &recorded{TB: t}
	TestCheck(tb, backoff.Protocol, model.Check{Config: model.Config{N: 1}.With(backoff.Tries.Is(1)), Reading: model.Grid, Claims: []string{"Lemma 1"}})
	wantOne(t, tb.errors, file+" still breaks Lemma 1: ", "arrives", "✗ Lemma 1 is violated at step")
}

// wantOne holds a test to one error, with these texts in this order.
func wantOne(t *testing.T, errors []string, texts ...string) {
	t.Helper()
	if len(errors) != 1 {
		t.Fatalf("errors: %q", errors)
	}
	rest := errors[0]
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Fatalf("there is no %q in %s", text, rest)
		}
		rest = after
	}
}

// Two checks of one test keep a file each, and each is replaced by a newer one of its own.
func TestChecksKeepFilesOfTheirOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 {
		for _, tries := range []int{1, 2} {
			rows, err := check.Run(backoff.Protocol, forgetful(tries), verdict.Options{})
			if err != nil {
				t.Fatal(err)
			}
			report(&recorded{TB: t}, backoff.Protocol, rows[0], "", nil)
		}
	}
	files := kept.Traces(t, func(string) bool { return true })
	if len(files) != 2 {
		t.Fatalf("kept: %q", files)
	}
	for i, file := range files {
		tr, err := traces.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if want := 2 - i; backoff.Tries.Of(tr.Config.Model()) != want { // lemma-1-2.json comes before lemma-1.json
			t.Errorf("%s is of %v, want %d tries", file, tr.Config, want)
		}
	}
}

// The run of a sampled violation is there, and replays, before it is made smaller; then the smaller one is, alone and under the same name.
func TestSampledRunsAreKeptFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	c := model.Check{Variant: "get-does-not-raise", Config: model.Config{N: 3}, Reading: model.Untimed, Claims: []string{"Theorem 1"}, Schedules: 100}
	steps := func() (n int) {
		files := kept.Traces(t, func(string) bool { return true })
		if len(files) != 1 || filepath.Base(files[0]) != "theorem-1.json" {
			t.Fatalf("kept: %q", files)
		}
		tr, err := traces.Load(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explain.New(ordering.Protocol, tr).Run(); err != nil {
			t.Error(err)
		}
		return len(tr.Steps)
	}
	first, opt := 0, verdict.Options{Seed: 1}
	opt.Progress = func(p verdict.Progress) {
		if p.Minimizing != nil && first == 0 {
			first = steps()
		}
	}
	early := saveEarly(t.Name(), &opt)
	rows, err := check.Run(ordering.Protocol, c, opt)
	if err != nil {
		t.Fatal(err)
	}
	report(&recorded{TB: t}, ordering.Protocol, rows[0], "", early)
	if last := steps(); first <= last {
		t.Errorf("the run has %d steps, and %d before it is made smaller", last, first)
	}
}

// A run is printed where it cannot be kept.
func TestRunThatCannotBeKept(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("testdata", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tb := &recorded{TB: t}
	rows, err := check.Run(backoff.Protocol, forgetful(1), verdict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report(tb, backoff.Protocol, rows[0], "", nil)
	wantOne(t, tb.errors, "✗ Lemma 1 is violated at step", "not kept: ", "search again: go test contend/checker/gotest -run")
}

// blind is a monitor that finds nothing.
type blind struct{}

func (blind) Observe(model.Watch, model.Observation) {}

// What is kept by tests that are no more is replayed, too, and what fits no longer is left
// alone.
func TestOtherKeptTraces(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Run("gone", func(t *testing.T) {
		TestCheck(&recorded{TB: t}, backoff.Protocol, forgetful(1))
	})
	for _, c := range []struct {
		tests      []string
		edit       func(p *model.Protocol)
		error, log string // in what is said
	}{
		{nil, func(*model.Protocol) {}, "still breaks Lemma 1", ""},
		{[]string{t.Name() + "/gone"}, func(*model.Protocol) {}, "", ""},
		{nil, func(p *model.Protocol) { p.Name = "other" }, "", ""},
		{nil, func(p *model.Protocol) {
			p.Variants = []model.Variant{{Name: "forgetful", Edit: func(*model.System) {}}}
		}, "", "does not replay any more (step "},
		{nil, func(p *model.Protocol) {
			p.Claims = []model.Claim{{Name: "Lemma 1", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &blind{} }}}
		}, "", "lemma-1.json passes: it is a run that does not break Lemma 1 any more"},
	} {
		p, tb := *backoff.Protocol, &recorded{TB: t}
		c.edit(&p)
		kept.ReplayOthers(tb, &p, c.tests)
		for _, said := range []struct {
			is   []string
			want string
		}{{tb.errors, c.error}, {tb.logs, c.log}} {
			if len(said.is) > 1 || (len(said.is) == 1) != (said.want != "") || !strings.Contains(strings.Join(said.is, ""), said.want) {
				t.Errorf("it says %q, want %q", said.is, said.want)
			}
		}
	}
}

// A check that puts no claim to the test fails.
func TestNothingTestedFails(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := &recorded{TB: t}
	TestCheck(tb, backoff.Protocol, model.Check{Config: model.Config{N: 1}.With(backoff.Tries.Is(1)), Claims: []string{"Lemma 1"}})
	wantOne(t, tb.errors, "no claim is put to the test")
}

// A mutant that is not caught fails the test.
func TestEscapedMutantFails(t *testing.T) {
	tb := &recorded{TB: t}
	harmless := model.Variant{Name: "whole-ticks", Breaks: "Lemma 1", Show: model.Check{Config: model.Config{N: 1}.With(backoff.Tries.Is(1)), Reading: model.Grid}}
	TestMutant(tb, backoff.Protocol, harmless)
	if len(tb.errors) != 1 || !strings.Contains(tb.errors[0], "escapes") || !strings.Contains(tb.errors[0], "its field Show can name") {
		t.Errorf("errors: %q", tb.errors)
	}
}

// An exhaustive row that hits a limit fails the test, unless it is short.
func TestLimitFails(t *testing.T) {
	tb := &recorded{TB: t}
	report(tb, backoff.Protocol, &verdict.Row{Strategy: "exhaustive", Claims: []verdict.ClaimResult{{Name: "x", Verdict: verdict.Inconclusive, Limit: decide.Limit{Code: search.States, Detail: "5"}}}}, "", nil)
	report(tb, backoff.Protocol, &verdict.Row{Strategy: "random", Claims: []verdict.ClaimResult{{Name: "x", Verdict: verdict.Inconclusive, Limit: decide.Limited("schedules")}}}, "", nil)
	if len(tb.errors) != 1 || !strings.Contains(tb.errors[0], "states: 5") {
		t.Errorf("errors: %q", tb.errors)
	}
}

// A row in which nothing is put to the test fails the test.
func TestNothingClaimedFails(t *testing.T) {
	tb := &recorded{TB: t}
	TestCheck(tb, backoff.Protocol, model.Check{Config: model.Config{N: 1}.With(backoff.Tries.Is(1)), Claims: []string{"Lemma 1"}})
	if len(tb.errors) != 1 || !strings.Contains(tb.errors[0], "no claim is put to the test") {
		t.Errorf("errors: %q", tb.errors)
	}
}

// A protocol that lists no checks is checked all the same, in its default configuration.
func TestWithoutChecks(t *testing.T) {
	p := *starter.Protocol
	p.Checks, p.Variants, p.Claims = nil, nil, slices.Clone(p.Claims)
	watched := 0
	monitor := p.Claims[0].Monitor
	p.Claims[0].Monitor = func(s *model.System) model.Monitor {
		watched++
		return monitor(s)
	}
	Test(t, &p)
	if watched == 0 {
		t.Error("no claim was put to the test")
	}
}

// A counterexample is replayed once for all that a test prints and stores of it.
func TestCounterexampleIsReplayedOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	p, built := *starter.Protocol, 0
	p.Build = func(c model.Config) (*model.System, error) { built++; return starter.Protocol.Build(c) }
	c := model.Check{Variant: "grants-twice"}
	rows, err := check.Run(&p, c, verdict.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows[0].Claims, func(r verdict.ClaimResult) bool { return r.Counterexample != nil })
	if _, err := rows[0].Claims[i].Explain(&p).Picture(); err != nil {
		t.Fatal(err)
	}
	want := built
	built = 0
	tb := &recorded{TB: t}
	TestCheck(tb, &p, c)
	wantOne(t, tb.errors, "mutual exclusion is violated", "Why", "kept in ", "in a browser: ")
	if built != want {
		t.Errorf("%d builds, want %d: those of the check and of one explanation", built, want)
	}
}
