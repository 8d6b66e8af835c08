package checker

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"contend/impl/backoff"
	"contend/model"
)

// recorded is a testing.TB that keeps what it is told instead of failing.
type recorded struct {
	testing.TB
	errors []string
}

func (r *recorded) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// A violation fails the test, says how to replay it, and is kept; and kept traces
// that still break their claim fail the next run first.
func TestViolationFailsAndIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := &recorded{TB: t}
	TestCheck(tb, backoff.Protocol, model.Check{Variant: "forgetful", Config: model.Config{N: 1}.With(backoff.Tries.Is(1)), Reading: model.Grid, Claims: []string{"Lemma 1"}})
	if len(tb.errors) != 1 || !strings.Contains(tb.errors[0], "verify check backoff/forgetful -n 1") {
		t.Fatalf("errors: %q", tb.errors)
	}
	kept, err := filepath.Glob("testdata/contend/backoff-forgetful-lemma-1.json")
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if errs := keptErrors(t, backoff.Protocol); len(errs) != 1 || !strings.Contains(errs[0], "still breaks Lemma 1") {
		t.Errorf("replaying what is kept: %q", errs)
	}
}

// A mutant that is not caught fails the test.
func TestEscapedMutantFails(t *testing.T) {
	tb := &recorded{TB: t}
	harmless := model.Variant{Name: "whole-ticks", Breaks: "Lemma 1", Show: model.Check{Config: model.Config{N: 1}.With(backoff.Tries.Is(1)), Reading: model.Grid}}
	TestMutant(tb, backoff.Protocol, harmless)
	if len(tb.errors) != 1 || !strings.Contains(tb.errors[0], "escapes") {
		t.Errorf("errors: %q", tb.errors)
	}
}

// An exhaustive row that hits a limit fails the test, unless it is short.
func TestLimitFails(t *testing.T) {
	tb := &recorded{TB: t}
	report(tb, backoff.Protocol, &Row{Strategy: "exhaustive", Claims: []ClaimResult{{Name: "x", Verdict: Inconclusive, Limit: "states: 5"}}})
	report(tb, backoff.Protocol, &Row{Strategy: "random", Claims: []ClaimResult{{Name: "x", Verdict: Inconclusive, Limit: "schedules"}}})
	if len(tb.errors) != 1 || !strings.Contains(tb.errors[0], "states: 5") {
		t.Errorf("errors: %q", tb.errors)
	}
}
