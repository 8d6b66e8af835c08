package plan_test

import (
	"testing"

	"contend/checker/plan"
	"contend/model"
)

// A claim is put to the test where its assumptions are met, or passed over, and its option makes it. Time is not passed over for a claim of
// probability, and a claim that is searched apart is judged as that search reads time.
func TestWhatIsPutToTheTest(t *testing.T) {
	lossless := model.Claim{Name: "lossless", Kind: model.Always, Done: true, Assumes: []model.Assumption{model.NoLoss}}
	chance := model.Claim{Name: "chance", Kind: model.AlmostSurely, Done: true}
	timed := model.Claim{Name: "timed", Kind: model.Always, Done: true, Assumes: []model.Assumption{model.Timed}}
	apart := timed
	apart.Apart = onGrid
	lossy := model.Config{N: 1}.With(model.Ops.Is(2))
	lossy.Faults.Loss = 1
	for name, c := range map[string]struct {
		claim      model.Claim
		check      model.Check
		unclaimed  string
		unmet      int
		passesOver bool
	}{
		"nothing assumed":      {model.Claim{Name: "plain", Kind: model.Always, Done: true}, model.Check{Config: lossy}, "", 0, false},
		"unmet":                {lossless, model.Check{Config: lossy}, "it assumes no loss", 1, false},
		"passed over":          {lossless, model.Check{Config: lossy, AssumeAnyway: true}, "", 1, true},
		"met anyway":           {lossless, model.Check{AssumeAnyway: true}, "", 0, false},
		"chance without time":  {chance, model.Check{AssumeAnyway: true}, "it assumes timed", 1, false},
		"chance with time":     {chance, model.Check{Reading: model.Grid}, "", 0, false},
		"left by the option":   {lossless, model.Check{Variant: "without", AssumeAnyway: true}, "the option does not claim it", 0, false},
		"time that is not met": {timed, model.Check{}, "it assumes timed", 1, false},
		"time of its own":      {apart, model.Check{}, "", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &model.Protocol{Name: "app", Params: []model.Parameter{model.N, model.Ops}, Build: build, Claims: []model.Claim{c.claim},
				Variants: []model.Variant{{Name: "without", Unclaimed: []string{"lossless"}}}}
			pl, err := plan.New(p, c.check)
			if err != nil {
				t.Fatal(err)
			}
			is := pl.Rows[0].Claims[0]
			if is.Unclaimed != c.unclaimed || len(is.Unmet) != c.unmet || pl.Claimed() != (c.unclaimed == "") || len(pl.Rows[0].Met()) > 0 != pl.Claimed() {
				t.Errorf("unclaimed %q, unmet %v, claimed %v; want %q and %d unmet", is.Unclaimed, is.Unmet, pl.Claimed(), c.unclaimed, c.unmet)
			}
			if got := plan.PassesOver(p, c.check, pl.System); got != c.passesOver {
				t.Errorf("it passes over what is assumed: %v, want %v", got, c.passesOver)
			}
		})
	}
}
