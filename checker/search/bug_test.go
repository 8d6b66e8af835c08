package search

import (
	"testing"
	"time"

	"contend/model"
)

// A: limits.
func counting(limit int) *model.System {
	return system(peer("a", scripted{
		invoke: func(n *scripted, env model.Env, _ any) { env.Send(0, 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			n.S++
			if n.S == limit {
				env.Note(mark{1})
			} else {
				env.Send(0, 1)
			}
		},
	}, "go"))
}

func TestBugLimit(t *testing.T) {
	r := explore(t, counting(50), Options{MaxStates: 10}, never(1), reach(model.Sometimes, 1))
	t.Log(r.States, r.Complete, r.Limit, r.Violated, r.Undecided)
	if r.Complete {
		t.Error("A: complete though limited", r.Limit)
	}
	stop := make(chan struct{})
	close(stop)
	r = explore(t, counting(50), Options{Interrupt: stop}, never(1))
	if r.Complete {
		t.Error("A: complete though", r.Limit)
	}
	r = explore(t, counting(50), Options{Deadline: time.Unix(1, 0), Now: func() time.Time { return time.Unix(2, 0) }}, never(1))
	if r.Complete {
		t.Error("A: complete though", r.Limit)
	}
}

func TestBugLimitLiveness(t *testing.T) {
	r := explore(t, counting(50), Options{MaxStates: 10}, reach(model.PossibleFromEverywhere, 1))
	t.Log(r.States, r.Complete, r.Limit, r.Violated, r.Undecided)
}

// B: adversary's help.
func TestBugHelp(t *testing.T) {
	mk := func() *model.System {
		s := system(peer("a", scripted{
			invoke: func(n *scripted, env model.Env, _ any) { env.Send(0, 1) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
				n.S++
				if n.S == 2 {
					env.Note(mark{1})
				}
			},
		}, "go"))
		s.Faults.Duplication = 1
		return s
	}
	alone := explore(t, mk(), Options{}, reach(model.PossibleFromEverywhere, 1))
	both := explore(t, mk(), Options{}, reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1))
	if len(alone.Violated) != 1 || len(both.Violated) != 2 {
		t.Error("B", alone.Violated, both.Violated)
	}
	// doomed only after the duplication: helper chooses
	mk = func() *model.System {
		s := system(peer("a", scripted{
			start: func(n *scripted, env model.Env) { env.Send(0, 1) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
				n.S++
				if n.S == 2 {
					env.Note(mark{1})
				} else if n.S == 1 {
					env.Send(0, 1)
				}
			},
		}))
		s.Nodes[0].New = func() model.Node {
			return &scripted{
				start: func(n *scripted, env model.Env) { env.After(1, model.Anytime()) },
				timeout: func(n *scripted, env model.Env, _ any) {
					if n.S == 0 {
						env.After(1, model.Anytime())
					}
				},
				receive: func(n *scripted, env model.Env, _ model.NodeID, m any) { n.S = 1; env.Note(mark{1}) }}
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
		s.Forge = func(r model.Node, to, from model.NodeID) []any { return []any{7} }
		return s
	}
	alone = explore(t, mk(), Options{}, reach(model.PossibleFromEverywhere, 1))
	both = explore(t, mk(), Options{}, reach(model.PossibleFromEverywhere, 1), reach(model.Sometimes, 1), reach(model.Eventually, 2))
	_, a := alone.Violated[0]
	_, b := both.Violated[0]
	if a != b {
		t.Error("B2: possible alone violated", a, "beside an Eventually", b)
	}
}

// C: causal + stale
type pastwatch struct{}

func (*pastwatch) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Invoked && o.Node == 1 && o.Past[0] > 0 {
		w.Violate("knows")
	}
}
func TestBugCausalStale(t *testing.T) {
	mk := func() *model.System {
		return system(
			peer("a", scripted{invoke: func(n *scripted, env model.Env, _ any) { env.Send(1, 1) }}, "go"),
			peer("b", scripted{}, "go"))
	}
	c := model.Claim{Name: "c", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &pastwatch{} }, Causal: func(o model.Observation) bool { return o.Kind == model.Invoked }}
	off := explore(t, mk(), Options{}, c)
	on := explore(t, mk(), Options{Stale: true}, c)
	if len(off.Violated) != len(on.Violated) {
		t.Error("C", len(off.Violated), len(on.Violated))
	}
}

// D: FIFO symmetric send order

// E: FIFO + restart

type after1 struct{ One, Crashed, Hit, Again bool }

func (a *after1) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Crashed:
		a.Crashed = true
	case o.Kind == model.Noted && o.Value == (mark{101}) && !a.Crashed:
		a.One = true
	case o.Kind == model.Noted && o.Value == (mark{101}):
		a.Again = true
	case o.Kind == model.Noted && o.Value == (mark{102}) && a.Crashed && a.One && !a.Again:
		a.Hit = true
	}
}
func (a *after1) Reached() bool { return a.Hit }

type order struct{ Two, Hit bool }

func (a *order) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == (mark{102}) {
		a.Two = true
	}
	if o.Kind == model.Noted && o.Value == (mark{103}) && !a.Two {
		a.Hit = true
	}
}
func (a *order) Reached() bool { return a.Hit }

// F: a livelock through the first state.
func TestBugLassoRoot(t *testing.T) {
	s := system(peer("a", scripted{
		start:   func(n *scripted, env model.Env) { env.Send(0, 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) { env.Send(0, 3-m.(int)) },
	}))
	r := explore(t, s, Options{}, reach(model.Eventually, 9))
	if c := r.Violated[0]; c.Loop != 0 || len(c.Steps) != 2 {
		t.Errorf("F: loop %d, steps %v", c.Loop, c.Steps)
	}
}

// H: Start chooses, at restart
func TestBugStartChoice(t *testing.T) {
	s := system(server("s", scripted{start: func(n *scripted, env model.Env) { n.S = env.Choose(2); env.Send(0, n.S) },
		receive: func(n *scripted, env model.Env, from model.NodeID, m any) { env.Note(mark{n.S}) }}))
	s.Faults.Restarts = 1
	r, err := Run(s, []model.Claim{never(9)}, Options{})
	t.Log(r, err)
	if err == nil {
		t.Error("H: a choice in Start is accepted by the search, and at a restart only its first answer is taken; the interpreter refuses it")
	}
}

// I: Sometimes unreached because of a cut
func TestBugSometimesCut(t *testing.T) {
	s := counting(5)
	s.Cuts = []model.Cut{{Name: "small", Beyond: func(n model.Node) bool { return n.(*scripted).S > 2 }}}
	r := explore(t, s, Options{}, reach(model.Sometimes, 1))
	t.Log(r.Complete, r.Cut, r.Reached, r.Undecided)
	if r.Undecided[0] == "" {
		t.Error("I: a Sometimes goal beyond a cut is not undecided")
	}
}
