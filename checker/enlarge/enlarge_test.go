package enlarge_test

import (
	"errors"
	"slices"
	"testing"

	"contend/checker/enlarge"
	"contend/checker/sample"
	"contend/checker/verify/starter"
	"contend/model"
)

// A run enlarges what a protocol's own parameters count, each as far as the protocol can be built so;
// durations stay, and it says which do.
func TestOwnParametersAreEnlarged(t *testing.T) {
	depth := model.Param[int]{Name: "depth", Least: 1, Most: 9, Default: 1}
	full := model.Param[int]{Name: "full", Least: 1, Most: 2, Default: 2}
	odd := model.Param[int]{Name: "odd", Least: 1, Most: 9, Default: 1}
	even := model.Param[int]{Name: "even", Least: 2, Most: 8, Default: 2}
	lease := model.Param[model.Ticks]{Name: "lease", Least: 1, Most: 9, Default: 3}
	p := *starter.Protocol
	p.Params = slices.Concat(p.Params, []model.Parameter{depth, full, odd, even, lease})
	p.Checks = nil
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		switch {
		case odd.Of(c)%2 == 0:
			return nil, errors.New("odd is even")
		case even.Of(c) != 2:
			return nil, errors.New("even is not 2")
		}
		return build(c)
	}
	met := map[string]map[int64]bool{}
	for seed := range uint64(200) {
		check := enlarge.Pick(&p, sample.Seeded(seed))
		system, err := p.System(check.Variant, check.Config)
		if err != nil {
			t.Fatal(err)
		}
		for _, param := range p.Params {
			d := param.Declared()
			if met[d.Name] == nil {
				met[d.Name] = map[int64]bool{}
			}
			v, _ := system.Config.Setting(d.Name)
			met[d.Name][v] = true
		}
	}
	for name, want := range map[string][]int64{"depth": {1, 2, 3}, "full": {2}, "odd": {1, 3}, "even": {2}, "lease": {3}} {
		if len(met[name]) != len(want) || slices.ContainsFunc(want, func(v int64) bool { return !met[name][v] }) {
			t.Errorf("%s: met %v, want %v", name, met[name], want)
		}
	}
	want := []string{"delay (it is a duration)", "stay (it is a duration)", "full (it is at most 2)", "even (even is not 2)", "lease (it is a duration)"}
	if got := enlarge.Fixed(&p); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
