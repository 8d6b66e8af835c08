package gotest

import (
	"testing"

	"contend/checker/check"
	"contend/checker/kept"
	"contend/checker/sample"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/model"
)

// TestMutant checks that the claim of a mutant catches it.
func TestMutant(t testing.TB, p *model.Protocol, v model.Variant) {
	t.Helper()
	usual().mutant(t, p, v, mistakes{})
}

// mutant is [TestMutant]. It skips a mistake that another subtest has reported.
func (x tester) mutant(t testing.TB, p *model.Protocol, v model.Variant, reported mistakes) {
	t.Helper()
	c := v.Show
	c.Variant, c.Claims = v.Name, []string{v.Breaks}
	opt := x.checkOptions()
	opt.NoMinimize = true // the run is not shown
	rows, err := check.Run(p, limitSchedules(c), opt)
	if err != nil {
		reported.fatal(t, err)
	}
	late := false
	for _, row := range rows {
		for _, r := range row.Claims {
			if r.Verdict == verdict.Violated {
				t.Logf("%s is violated after %d steps: %s", r.Name, r.Steps, r.Text)
				return
			}
			late = late || testing.Short() && r.Verdict == verdict.Inconclusive && (r.Limit.Code == search.Timeout || r.Limit.Code == string(sample.Budget))
		}
	}
	if late {
		t.Logf("mutant %s is not caught within what -short allows; in full: %s", v.Name, kept.GoTest(t.Name()))
		return
	}
	t.Errorf("mutant %s escapes: %s is not violated in the check that tries it; its field Show can name one with the sizes and faults that the bug needs; search again: %s", v.Name, v.Breaks, kept.GoTest(t.Name()))
}
