package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/model"
)

// TestUsualReading: time is read where a claim that is asked for cannot be checked without it.
func TestUsualReading(t *testing.T) {
	p := &model.Protocol{Name: "p",
		Claims: []model.Claim{{Name: "safe"}, {Name: "elected", Assumes: []model.Assumption{model.Synchronous, model.NoCrash}}, {Name: "fast", Assumes: []model.Assumption{model.Timed}}},
		Variants: []model.Variant{
			{Name: "slow", Unclaimed: []string{"fast"}, Waives: map[string][]model.Assumption{"elected": {model.Synchronous}}},
		}}
	for _, x := range []struct {
		check model.Check
		want  model.Reading
	}{
		{model.Check{}, model.Grid},
		{model.Check{Claims: []string{"safe"}}, model.Untimed},
		{model.Check{Claims: []string{"safe", "elected"}}, model.Grid},
		{model.Check{Claims: []string{"elected"}, AssumeAnyway: true}, model.Untimed},
		{model.Check{Claims: []string{"fast"}, AssumeAnyway: true}, model.Grid},
		{model.Check{Variant: "slow"}, model.Untimed},
	} {
		assert.Equal(t, x.want, checker.UsualReading(p, x.check), "%+v", x.check)
	}
}
