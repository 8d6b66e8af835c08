package search

import (
	"testing"

	"contend/model"
)

// Where several claims are searched for at once each has its own verdict, and is put to the test by what it speaks of: the second and
// the last, too.
func TestSeveralClaimsOfAKind(t *testing.T) {
	for _, c := range []struct {
		kind    model.Kind
		opt     Options
		tested  []bool // whether the claim of label 1, 2, … is put to the test
		refuted []bool
	}{
		{model.Always, Options{}, []bool{true, true, true, false, true}, make([]bool, 5)},
		{model.Always, Options{Timed: true}, []bool{true, true, true, false, true}, make([]bool, 5)},
		{model.Always, Options{Timed: true, Dense: true}, []bool{true, true, true, false, true}, make([]bool, 5)},
		{model.Sometimes, Options{}, []bool{true, true, true, false, true}, make([]bool, 5)},
		{model.Sometimes, Options{Timed: true, Dense: true}, []bool{true, true, true, false, true}, make([]bool, 5)},
		{model.PossibleFromEverywhere, Options{}, []bool{true, true, true, true, false}, []bool{false, true, true, true, false}},
		{model.Eventually, Options{}, []bool{true, true, true, true, false}, []bool{false, true, true, true, false}},
		{model.AlmostSurely, Options{Timed: true}, []bool{true, true, true, true, false}, []bool{false, true, true, true, false}},
	} {
		var claims []model.Claim
		for label := range 5 {
			claim := reach(c.kind, label+1)
			if c.kind != model.Always { // a goal is put to the test by what is short of it, or reaches it
				claim.Monitor = func(*model.System) model.Monitor { return &silent{label: label + 1} }
			}
			claims = append(claims, claim)
		}
		for i := range claims {
			alone := explore(t, parting(), c.opt, claims[i])
			if refuted := alone.Claims[0].Violated != nil; refuted != c.refuted[i] || alone.Claims[0].Witnessed != c.tested[i] || !alone.Complete {
				t.Errorf("%v, %+v, label %d alone: refuted %v, tested %v", c.kind, c.opt.Timed, i+1, refuted, alone.Claims[0].Witnessed)
			}
		}
		r := explore(t, parting(), c.opt, claims...)
		for i := range claims {
			if refuted := r.Claims[i].Violated != nil; refuted != c.refuted[i] || r.Claims[i].Witnessed != c.tested[i] || !r.Claims[i].Limit.None() || r.Claims[i].Reached != (c.kind == model.Sometimes && c.tested[i]) {
				t.Errorf("%v, timed %v, label %d beside others: refuted %v, tested %v", c.kind, c.opt.Timed, i+1, refuted, r.Claims[i].Witnessed)
			}
		}
	}
	number := func(o model.Observation) int { return o.Value.(mark).K }
	half := func(o model.Observation) int { return o.Value.(mark).K + 10 }
	r := explore(t, parting(), Options{}, never(9), gauged(model.Noted, number), gauged(model.Noted, half))
	if a, b := r.Claims[1].Cost, r.Claims[2].Cost; a.Least.Number != 1 || a.Most.Number != 5 || b.Least.Number != 11 || b.Most.Number != 15 || len(r.Violated()) > 0 {
		t.Errorf("two costs: %+v, %+v, violated %v", a, b, r.Violated())
	}
}

// silent is a noted that does not say that it was put to the test.
type silent struct {
	label int
	Seen  bool
}

func (g *silent) Observe(_ model.Watch, o model.Observation) {
	g.Seen = g.Seen || o.Kind == model.Noted && o.Value == (mark{g.label})
}

func (g *silent) Reached() bool { return g.Seen }

// parting notes 5 as it starts and 1 in any case, and then goes one of two ways: it notes 2, or 3.
func parting() *model.System {
	return system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Note(mark{5}); env.Send(0, 0) },
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
