package table

import (
	"testing"

	"contend/checker"
	"contend/checker/tables"
)

// A cell says yes or no only where that is known: that its claims hold is not enough.
func TestCells(t *testing.T) {
	holds, violated := tables.Result{Verdict: checker.Holds}, tables.Result{Verdict: checker.Violated, Steps: 4}
	for want, e := range map[string]tables.Entry{
		"yes":     {Verdict: tables.NotPrinted, Claims: []tables.Result{holds}},
		"yes =":   {Verdict: tables.Agrees, Expected: true, Claims: []tables.Result{holds}},
		"no, 4":   {Verdict: tables.NotPrinted, Claims: []tables.Result{holds, violated}},
		"no, 4 ≠": {Verdict: tables.Differs, Claims: []tables.Result{violated}},
		"open":    {Verdict: tables.Inconclusive, Claims: []tables.Result{holds}},
	} {
		if got := cellOf(&e); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
