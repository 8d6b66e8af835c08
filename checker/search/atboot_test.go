package search

import (
	"slices"
	"strings"
	"testing"

	"contend/model"
)

// early breaks when anything is observed before all of its invocations, or when they
// are out of order.
type early struct {
	order []model.NodeID
	Begun int
}

func (e *early) Observe(w model.Watch, o model.Observation) {
	switch {
	case e.Begun == len(e.order):
	case o.Kind != model.Invoked || o.Node != e.order[e.Begun]:
		w.Violate("%v at %d", o.Kind, o.Node)
	default:
		e.Begun++
	}
}

func beginWith(order ...model.NodeID) model.Claim {
	return model.Claim{Name: "order", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &early{order: order} }}
}

// booted makes the first operations of some nodes begin at boot.
func booted(s *model.System, nodes ...model.NodeID) *model.System {
	for _, id := range nodes {
		first := &s.Nodes[id].Script[0]
		first.AtBoot, first.After = true, model.Window{}
	}
	return s
}

// tempted is a system in which much could happen at once: a server's greeting is in
// flight, and an alarm set; anything may crash, be lost, come twice or be forged.
func tempted() *model.System {
	c := scripted{
		invoke:  func(_ *scripted, env model.Env, _ any) { env.Return(nil) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Note(mark{1}) },
	}
	s := scripted{
		start:   func(_ *scripted, env model.Env) { env.Send(0, "hello"); env.After("now", model.Between(0, 1)) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Note(mark{2}) },
		timeout: func(_ *scripted, env model.Env, _ any) { env.Note(mark{3}) },
	}
	sys := system(client("a", c, "go", "on"), client("b", c, "go"), client("c", c, "go"), server("s", s),
		model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	for i := range sys.Nodes {
		for k := range sys.Nodes[i].Script {
			sys.Nodes[i].Script[k].After = model.Between(0, 1)
		}
	}
	sys.Network.Delay = model.Between(0, 1)
	sys.Forge = func(_ model.Node, _, _ model.NodeID) []any { return []any{"lie"} }
	return sys
}

// Operations that are AtBoot come before anything else, in the order of the nodes,
// whatever the environment may do; once they have begun all of it may happen.
func TestNothingComesBeforeOperationsAtBoot(t *testing.T) {
	faults := []model.Faults{{}, {Crashes: 1}, {Restarts: 1}, {Loss: 1}, {Duplication: 1}}
	for _, timed := range []bool{false, true} {
		for _, f := range faults {
			free, s := tempted(), booted(tempted(), 0, 2)
			free.Faults, s.Faults = f, f
			opt := Options{Timed: timed, Stale: true}
			if r := explore(t, free, opt, beginWith(0, 2)); r.verdict(0) != refuted {
				t.Errorf("timed %v, %+v: without AtBoot the order is kept", timed, f)
			}
			claims := []model.Claim{beginWith(0, 2), reach(model.Sometimes, 1), reach(model.Sometimes, 2), reach(model.Sometimes, 3)}
			r := explore(t, s, opt, claims...)
			if r.verdict(0) != holds {
				t.Errorf("timed %v, %+v: %s", timed, f, r.broken(0).Text)
			}
			for label := 1; label <= 3; label++ {
				if !r.Claims[label].Reached {
					t.Errorf("timed %v, %+v: %d is never noted", timed, f, label)
				}
			}
		}
	}
}

// The environment spends nothing before: the only way into a system that begins at
// boot is through its invocations, one after another.
func TestOneWayThroughBoot(t *testing.T) {
	s := booted(tempted(), 0, 1, 2)
	s.Faults = model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}
	for _, timed := range []bool{false, true} {
		r := explore(t, s, Options{Timed: timed, MaxStates: 500}, never(0))
		if len(r.Widths) < 5 || r.Widths[0] != 1 || r.Widths[1] != 1 || r.Widths[2] != 1 || r.Widths[3] != 1 || r.Widths[4] == 1 {
			t.Errorf("timed %v: layers of %v states", timed, r.Widths)
		}
	}
}

// A handler may choose as its operation begins at boot, and no time has passed: what
// was held at the start is held.
func TestChoicesAtBoot(t *testing.T) {
	choosing := scripted{
		start: func(_ *scripted, env model.Env) { env.Hold("lock", model.Through(1)) },
		invoke: func(_ *scripted, env model.Env, _ any) {
			env.Note(mark{1 + env.Choose(3)})
			if !env.Held("lock") {
				env.Note(mark{4})
			}
		},
	}
	for _, timed := range []bool{false, true} {
		s := booted(system(client("c", choosing, "go")), 0)
		r := explore(t, s, Options{Timed: timed}, reach(model.Sometimes, 1), reach(model.Sometimes, 2), reach(model.Sometimes, 3),
			reach(model.Sometimes, 4))
		if !r.Claims[0].Reached || !r.Claims[1].Reached || !r.Claims[2].Reached || r.Claims[3].Reached == timed {
			t.Errorf("timed %v: reached %v", timed, r.reached())
		}
	}
}

// Where an operation at boot leads beyond a cut nothing else happens instead, and the
// run is not stuck but cut.
func TestCutAtBoot(t *testing.T) {
	s := cutAt(booted(system(
		client("a", scripted{invoke: func(n *scripted, _ model.Env, _ any) { n.S = 9 }}, "go"),
		client("b", scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Note(mark{1}) }}, "go")), 0), 5)
	r := explore(t, s, Options{}, model.Claim{Name: "stops", Kind: model.Always, Done: true}, reach(model.Sometimes, 1))
	if r.States != 1 || r.Cut["small"] != 1 || r.verdict(0) != holds || r.verdict(1) != (verdict{undecided: "cut"}) {
		t.Errorf("%d states, cut %v, %+v, %+v", r.States, r.Cut, r.verdict(0), r.verdict(1))
	}
}

// Each cut counts the states in which a step leads beyond it.
func TestTwoCuts(t *testing.T) {
	to := func(is int) scripted { return scripted{invoke: func(n *scripted, _ model.Env, _ any) { n.S = is }} }
	s := cutAt(system(client("a", to(9), "go"), client("b", to(3), "go"), client("c", to(1), "go")), 5)
	s.Cuts = append(s.Cuts, model.Cut{Name: "three", Beyond: func(n model.Node) bool { return n.(*scripted).S == 3 }},
		model.Cut{Name: "two", Beyond: func(n model.Node) bool { return n.(*scripted).S == 2 }})
	r := explore(t, s, Options{})
	if r.States != 2 || r.Cut["small"] != 2 || r.Cut["three"] != 2 || r.Cut["two"] != 0 {
		t.Errorf("%d states, cut %v", r.States, r.Cut)
	}
}

// What was absorbed before an operation began at boot does nothing after it either,
// else the guess is refuted.
func TestAbsorptionBeforeBoot(t *testing.T) {
	for _, atBoot := range []bool{false, true} {
		s := system(
			client("c", scripted{
				invoke: func(n *scripted, _ model.Env, _ any) { n.S = 1 },
				receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
					if n.S == 1 {
						env.Note(mark{1})
					}
				},
			}, "go"),
			server("s", scripted{start: func(_ *scripted, env model.Env) { env.Send(0, "hello") }}))
		if atBoot {
			booted(s, 0)
		}
		for _, stale := range []bool{false, true} {
			if r := explore(t, s, Options{Stale: stale}, never(1)); r.verdict(0) != refuted {
				t.Errorf("at boot %v, stale absorption %v: %+v", atBoot, stale, r.verdict(0))
			}
		}
	}
}

// A claim under fairness, and one about doomed states, hold from the boot on.
func TestLivenessFromBoot(t *testing.T) {
	noting := scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Note(mark{1}); env.Return(nil) }}
	s := booted(system(client("a", noting, "go"), client("b", noting, "go")), 1)
	s.Faults.Crashes = 1
	for _, c := range []struct {
		kind model.Kind
		want verdict
	}{{model.Eventually, holds}, {model.PossibleFromEverywhere, holds}} {
		if r := explore(t, s, Options{}, reach(c.kind, 1)); r.verdict(0) != c.want {
			t.Errorf("%v: %+v, want %+v", c.kind, r.verdict(0), c.want)
		}
	}
}

// chosen is a monitor of clients of which the first, as it begins, chooses one of the others:
// it is broken when the chosen one is not the next to begin.
type chosen struct{ Who []model.NodeID }

func (c *chosen) Observe(w model.Watch, o model.Observation) {
	switch who, is := o.Value.(won); {
	case is && len(c.Who) == 0:
		c.Who = []model.NodeID{who.Who}
	case o.Kind == model.Invoked && len(c.Who) > 0 && o.Node != c.Who[0]:
		w.Violate("another begins")
	}
}

// Operations that begin at boot begin in the order of the nodes. So before they have, clients
// are not interchangeable, though they are all alike.
func TestClientsAtBootKeepTheirOrder(t *testing.T) {
	chooses := scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		others := slices.DeleteFunc([]model.NodeID{1, 2, 3}, func(id model.NodeID) bool { return id == env.Self() })
		env.Note(won{others[env.Choose(2)]})
		env.Return(nil)
	}}
	s := booted(system(server("s", scripted{}), peer("a", chooses, "go"), peer("b", chooses, "go"), peer("c", chooses, "go")), 1, 2, 3)
	s.Types = append(s.Types, won{})
	claim := model.Claim{Name: "chosen", Monitor: func(*model.System) model.Monitor { return &chosen{} }}
	for _, opt := range []Options{{}, {Clients: true}, {Timed: true, Clients: true}, {Timed: true, Dense: true, Merge: true, Clients: true}} {
		r := explore(t, s, opt, claim, never(0))
		if r.verdict(0) != refuted || strings.Contains(strings.Join(r.Notes, ""), "refused") || opt.Clients != slices.Contains(r.Reductions, "client symmetry") {
			t.Errorf("%+v: %+v, reductions %v, notes %q", opt, r.verdict(0), r.Reductions, r.Notes)
		}
	}
}
