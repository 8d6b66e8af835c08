package plan_test

import (
	"testing"

	"contend/checker/plan"
	"contend/model"
)

// The largest check that a check covers is tried instead, of those with its reading that are searched and claim something of it.
func TestSmaller(t *testing.T) {
	ops := func(n int) model.Config { return model.Config{}.With(model.Ops.Is(n)) }
	claims := []model.Claim{{Name: "a", Kind: model.Always, Done: true}, {Name: "b", Kind: model.Always, Done: true}}
	p := &model.Protocol{Name: "app", Params: []model.Parameter{model.Ops}, Build: build, Claims: claims,
		Checks: []model.Check{{Config: ops(2)}, {Config: ops(3), Claims: []string{"b"}}, {Config: ops(4), Reading: model.Grid}, {Config: ops(4), Schedules: 9}, {Config: ops(6)}}}
	for _, c := range []struct {
		ops    int
		claims []model.Claim
		want   int // 0: none
	}{{5, claims, 3}, {5, claims[:1], 2}, {3, claims, 2}, {2, claims, 0}, {7, claims, 6}} {
		row, err := plan.Whole(p, model.Check{Config: ops(c.ops)}, c.claims)
		if err != nil {
			t.Fatal(err)
		}
		smaller, system, found := row.Smaller()
		if found != (c.want > 0) || found && (model.Ops.Of(system.Config) != c.want || model.Ops.Of(smaller.Config) != c.want) {
			t.Errorf("%d operations and %d claims: %v with %v, want %d", c.ops, len(c.claims), found, smaller, c.want)
		}
	}
}
