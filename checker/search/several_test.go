package search

import (
	"slices"
	"testing"

	"contend/model"
)

// Where several claims of one kind are searched for at once each has its own verdict: the second and the third, too.
func TestSeveralClaimsOfAKind(t *testing.T) {
	for _, kind := range []model.Kind{model.Sometimes, model.PossibleFromEverywhere, model.Eventually, model.AlmostSurely} {
		opt := Options{Timed: kind == model.AlmostSurely}
		var one []verdict
		var claims []model.Claim
		for label := 1; label <= 3; label++ {
			c := reach(kind, label)
			claims = append(claims, c)
			one = append(one, explore(t, parting(), opt, c).verdict(0))
		}
		r := explore(t, parting(), opt, claims...)
		for i, want := range one {
			if got := r.verdict(i); got != want {
				t.Errorf("%v, label %d: %+v beside others, %+v alone", kind, i+1, got, want)
			}
		}
		if !slices.Contains(one[1:], refuted) && kind != model.Sometimes {
			t.Errorf("%v: %v", kind, one)
		}
	}
	number := func(o model.Observation) int { return o.Value.(mark).K }
	half := func(o model.Observation) int { return o.Value.(mark).K + 10 }
	r := explore(t, parting(), Options{}, never(9), gauged(model.Noted, number), gauged(model.Noted, half))
	if a, b := r.Costs[1], r.Costs[2]; a.Least.Number != 1 || a.Most.Number != 3 || b.Least.Number != 11 || b.Most.Number != 13 {
		t.Errorf("two costs: %+v, %+v", a, b)
	}
}

// parting notes 1 in any case, and then goes one of two ways: it notes 2, or 3.
func parting() *model.System {
	return system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 0) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if m == 0 {
				env.Note(mark{1})
				env.Send(0, 1+env.Choose(2))
				return
			}
			if n.S == 0 {
				n.S = m.(int)
				env.Note(mark{1 + m.(int)})
			}
		},
	}))
}
