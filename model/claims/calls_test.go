package claims_test

import (
	"testing"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

// An operation that takes as long as its deadline may return after it. A crash ends an operation.
func TestEndsWithin(t *testing.T) {
	takes := func(d model.Ticks, faults model.Faults) scene {
		n := tiny{
			invoke:  func(_ *tiny, env model.Env, _ any) { env.After("done", model.Exactly(d)) },
			timeout: func(_ *tiny, env model.Env, _ any) { env.Return(nil) },
		}
		s := scene{nodes: []model.NodeSpec{node(0, n, propose{1})}, faults: faults, reading: model.Dense}
		s.nodes[0].Script[0].After = model.Exactly(0)
		return s
	}
	decide(t, []verdict{
		{"in time", takes(2, model.Faults{}), claims.EndsWithin(3), checker.Holds},
		{"at the deadline", takes(3, model.Faults{}), claims.EndsWithin(3), checker.Violated},
		{"late", takes(9, model.Faults{}), claims.EndsWithin(3), checker.Violated},
		{"a crash ends it", takes(2, model.Faults{Crashes: 1}), claims.EndsWithin(3), checker.Holds},
	})
}
