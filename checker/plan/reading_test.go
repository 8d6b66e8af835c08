package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/plan"
	"contend/model"
)

// TestUsualReading: time is read where a claim that is asked for cannot be checked without it.
func TestUsualReading(t *testing.T) {
	p := &model.Protocol{Name: "p",
		Claims: []model.Claim{{Name: "safe"}, {Name: "elected", Assumes: []model.Assumption{model.Synchronous, model.NoCrash}}, {Name: "fast", Assumes: []model.Assumption{model.Timed}}},
		Variants: []model.Variant{
			{Name: "slow", Unclaimed: []string{"fast"}, Waives: map[string][]model.Assumption{"elected": {model.Synchronous}}},
		}}
	untimed := []model.Check{{}, {Claims: []string{"safe"}}}
	for _, x := range []struct {
		listed []model.Check
		check  model.Check
		want   model.Reading
		claim  string // that the note names
	}{
		{nil, model.Check{}, model.Grid, "elected"},
		{nil, model.Check{Claims: []string{"safe"}}, model.Untimed, ""},
		{nil, model.Check{Claims: []string{"safe", "elected"}}, model.Grid, "elected"},
		{nil, model.Check{Claims: []string{"elected"}, AssumeAnyway: true}, model.Untimed, ""},
		{nil, model.Check{Claims: []string{"fast"}, AssumeAnyway: true}, model.Grid, "fast"},
		{nil, model.Check{Variant: "slow"}, model.Untimed, ""},
		{untimed, model.Check{}, model.Untimed, "elected"},
		{untimed, model.Check{Claims: []string{"fast"}}, model.Grid, "fast"},
		{append(untimed, model.Check{Reading: model.Dense}), model.Check{}, model.Grid, "elected"},
	} {
		p.Checks = x.listed
		reading, note := plan.UsualReading(p, x.check)
		assert.Equal(t, x.want, reading, "%+v", x.check)
		assert.Equal(t, x.claim != "", strings.Contains(note, fmt.Sprintf("claim %q", x.claim)), note)
	}
}
