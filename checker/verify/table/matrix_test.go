package table

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/lab/tables"
	"contend/model/printed"
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

// Lines and columns without a cell in common stand in grids of their own, and a grid that is the same under several
// conditions stands once.
func TestGrids(t *testing.T) {
	m := &matrix{table: &printed.Table{}}
	for _, when := range []string{"calm", "storm"} {
		for _, cell := range [][3]string{{"a", "b", "yes"}, {"b", "a", "yes"}, {"c", "d", when}, {"a", "c", "yes"}, {"e", "b", "yes"}} {
			e := &tables.Entry{Row: cell[0], Title: cell[0], Name: cell[1], When: when, Verdict: tables.NotPrinted}
			if cell[2] == "storm" {
				e.Claims = []tables.Result{{Verdict: checker.Violated, Steps: 2}}
			}
			m.add(e)
		}
	}
	texts, whens := m.grids()
	want := []string{
		"|  | b | c |\n|---|---|---|\n| a | yes | yes |\n| e | yes | – |\n", "|  | a |\n|---|---|\n| b | yes |\n", "|  | d |\n|---|---|\n| c | yes |\n",
		"|  | d |\n|---|---|\n| c | no, 2 |\n",
	}
	if !slices.Equal(slices.Sorted(slices.Values(texts)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the grids are %q, want %q", texts, want)
	}
	for text, n := range map[string]int{want[0]: 2, want[1]: 2, want[2]: 1, want[3]: 1} {
		if got := whens[text]; len(got) != n {
			t.Errorf("%q stands for %q", text, got)
		}
	}
}
