package search

import (
	"slices"
	"strings"
	"testing"

	"contend/model"
)

// unready is a server that cannot take messages before Start: none comes then.
func unready(then func(n *scripted)) scripted {
	return scripted{
		start: func(n *scripted, _ model.Env) { n.S = 1 },
		receive: func(n *scripted, _ model.Env, _ model.NodeID, m any) {
			if n.S == 0 {
				panic("it has not begun")
			}
			if m == "go on" {
				then(n)
			}
		},
	}
}

// A server that lost its memory runs Start before anything reaches it: absorption does not
// ask what it would do before.
func TestNoServerIsAskedBeforeItStarts(t *testing.T) {
	s := system(client("c", scripted{start: func(_ *scripted, env model.Env) { env.Send(1, "hello") }}), server("s", unready(nil)))
	s.Faults.Restarts = 1
	r := explore(t, s, Options{Stale: true}, never(1))
	if r.verdict(0) != holds || len(r.Notes) > 0 || !slices.Contains(r.Reductions, "stale absorption") {
		t.Errorf("%+v; notes %q, reductions %q", r.verdict(0), r.Notes, r.Reductions)
	}
}

// What Start makes of a server is a state that it goes on to: a message that does nothing
// to it before it crashes, nor as it was made, may do something then.
func TestStartIsAStepOfARestart(t *testing.T) {
	crashed := scripted{
		start: func(n *scripted, env model.Env) { n.S = 1; env.Send(0, "up") },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			switch {
			case m == "calm":
				n.S = 2
				env.Send(0, "calm")
			case m == "late" && n.S == 1:
				env.Note(mark{1})
			}
		},
	}
	c := scripted{
		start: func(_ *scripted, env model.Env) { env.Send(1, "calm") },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, m any) {
			if m == "calm" {
				env.Send(1, "late")
			}
		},
	}
	s := system(client("c", c), server("s", crashed))
	s.Faults.Restarts = 1
	for _, stale := range []bool{false, true} {
		if r := explore(t, s, Options{Stale: stale}, never(1)); r.verdict(0) != refuted {
			t.Errorf("stale absorption %v: %+v, notes %q", stale, r.verdict(0), r.Notes)
		}
	}
}

// Absorption asks of every state that a receiver goes on to, by whichever run, whether a
// message does nothing there. Where it fails the guess is refused.
func TestAbsorptionIsRefusedWhereAHandlerFails(t *testing.T) {
	for name, fail := range map[string]func(){
		"fails: panic: no late message comes here":                          func() { panic("no late message comes here") },
		"fails: panic: runtime error: index out of range [0] with length 0": func() { var none []int; none[0]++ },
		"fails: it may not": func() { model.Misused("it may not") },
	} {
		s := system(
			client("c", scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 0) }, receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
				if env.Choose(2) == 0 { // one run has the late message, another goes on
					env.Send(1, "late")
				} else {
					env.Send(1, "go on")
				}
			}}),
			server("s", scripted{receive: func(n *scripted, _ model.Env, _ model.NodeID, m any) {
				if m == "go on" {
					n.S = 1
				} else if n.S == 1 {
					fail()
				}
			}}))
		r := explore(t, s, Options{Stale: true}, never(1))
		want := "stale absorption is off for string: one that did nothing later " + name
		if r.verdict(0) != holds || !slices.Equal(r.Notes, []string{want}) {
			t.Errorf("%+v; notes %q, want %q", r.verdict(0), r.Notes, want)
		}
	}
}

// Symmetry asks what a server, a monitor, an invariant and a goal would make of the other
// server in the place of the one that starts. Where that fails it is refused.
func TestSymmetryIsRefusedWhereOthersFail(t *testing.T) {
	const first = model.NodeID(2)
	n := scripted{start: func(n *scripted, env model.Env) {
		if env.Self() == first {
			n.S = 1
			env.Note(mark{2})
			env.Send(env.Self(), 1)
		}
	}}
	speaks := scripted{start: func(_ *scripted, env model.Env) { env.Send(first, 1) }}
	picky := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
		if env.Self() != first {
			panic("nobody asks me")
		}
	}}
	invariant := model.Claim{Name: "first", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[1].(*scripted).S == 1 {
			panic("it is not the first")
		}
		return nil
	}}
	for name, c := range map[string]struct {
		s     *model.System
		claim model.Claim
	}{
		"a server":     {system(client("c", speaks), server("s1", picky), server("s2", picky)), never(1)},
		"a monitor":    {system(client("c", scripted{}), server("s1", n), server("s2", n)), model.Claim{Name: "watch", Monitor: func(*model.System) model.Monitor { return &partialWatch{} }}},
		"a goal":       {system(client("c", scripted{}), server("s1", n), server("s2", n)), model.Claim{Name: "goal", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &partialGoal{} }}},
		"an invariant": {system(client("c", scripted{}), server("s1", n), server("s2", n)), invariant},
	} {
		t.Run(name, func(t *testing.T) {
			off := explore(t, c.s, Options{}, c.claim)
			on := explore(t, c.s, Options{Symmetry: true, Stale: true}, c.claim)
			if verdicts([]model.Claim{c.claim}, on) != verdicts([]model.Claim{c.claim}, off) {
				t.Errorf("%+v, without symmetry %+v", on.verdict(0), off.verdict(0))
			}
			if len(on.Notes) != 1 || !strings.HasPrefix(on.Notes[0], "symmetry of servers is refused: ") {
				t.Errorf("notes %q", on.Notes)
			}
		})
	}
}

// partialWatch and partialGoal know server 2 alone.
type partialWatch struct{}

func (*partialWatch) Observe(_ model.Watch, o model.Observation) {
	if o.Node == 1 {
		panic("it was not asked")
	}
}

type partialGoal struct{ Who model.NodeID }

func (g *partialGoal) Observe(_ model.Watch, o model.Observation) { g.Who = o.Node }

func (g *partialGoal) Reached() bool {
	if g.Who == 1 {
		panic("it was not asked")
	}
	return g.Who == 2
}

// A handler that fails where the search itself goes fails with every reduction as without.
func TestFailuresOfRunsAreKept(t *testing.T) {
	for _, opt := range append(reductions, Options{}) {
		s := system(
			client("c", scripted{start: func(_ *scripted, env model.Env) { env.Broadcast([]model.NodeID{1, 2}, 1) }}),
			server("s1", scripted{receive: func(*scripted, model.Env, model.NodeID, any) { panic("it fails") }}),
			server("s2", scripted{receive: func(*scripted, model.Env, model.NodeID, any) { panic("it fails") }}))
		r := explore(t, s, opt, never(1))
		c, fails := r.violation(1)
		if !fails || len(c.Steps) != 1 || !strings.HasPrefix(c.Text, "Receive of s") || !strings.Contains(c.Text, ": panic: it fails (search/probe_test.go:") {
			t.Errorf("%+v: %+v", opt, c)
		}
		if r.verdict(0).undecided != Failure {
			t.Errorf("%+v: %+v", opt, r.verdict(0))
		}
		if opt.Symmetry && !slices.Contains(r.Reductions, "symmetry") {
			t.Errorf("%+v: both servers fail alike, but reductions are %q, notes %q", opt, r.Reductions, r.Notes)
		}
	}
}

// A run that ends in a handler that fails tells nothing of what it comes to.
func TestFailuresCutARunShort(t *testing.T) {
	s := counting(5)
	s.Nodes[0].New = func() model.Node {
		return &scripted{
			invoke:  func(_ *scripted, env model.Env, _ any) { env.Send(0, 1) },
			receive: func(*scripted, model.Env, model.NodeID, any) { panic("it fails") },
		}
	}
	c, fails := explore(t, s, Options{}, never(1)).violation(1)
	if !fails || c.Nodes != nil || len(c.Steps) != 2 || len(c.InFlight) != 2 {
		t.Errorf("%d steps, %d nodes, in flight %v", len(c.Steps), len(c.Nodes), c.InFlight)
	}
	s.Nodes[0].New = func() model.Node { return &scripted{invoke: func(*scripted, model.Env, any) { panic("it fails") }} }
	if c := explore(t, s, Options{}, never(1)).broken(1); c.Nodes != nil || len(c.Steps) != 1 {
		t.Errorf("of an invocation: %d steps, %d nodes", len(c.Steps), len(c.Nodes))
	}
	if c := explore(t, counting(3), Options{}, never(1)).broken(0); len(c.Nodes) != 1 || len(c.InFlight) != 1+len(c.Steps) {
		t.Errorf("of a run without a failure: %d steps, %d nodes, in flight %v", len(c.Steps), len(c.Nodes), c.InFlight)
	}
}

// Where Forge fails nothing is forged: that it fails is a failure of the state.
func TestForgeFails(t *testing.T) {
	s := system(peer("p", scripted{invoke: func(n *scripted, env model.Env, _ any) { n.S = 1 }}, "go"), model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
	s.Forge = func(n model.Node, _, _ model.NodeID) []any {
		if n.(*scripted).S == 1 {
			panic("what should it say")
		}
		return nil
	}
	r := explore(t, s, Options{}, never(1))
	if c := r.broken(1); len(r.Violated()) != 1 || len(c.Steps) != 1 || !strings.HasPrefix(c.Text, "Forge") || !strings.Contains(c.Text, "what should it say") || r.Claims[0].Limit.String() != Failure {
		t.Errorf("violated %+v, undecided %v", r.Violated(), r.open())
	}
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{7} }
	s.Nodes[0].New = func() model.Node {
		return &scripted{receive: func(*scripted, model.Env, model.NodeID, any) { panic("what is this") }}
	}
	if c := explore(t, s, Options{}, never(1)).broken(1); len(c.Steps) != 1 || c.Steps[0].Kind != model.Forge || !strings.Contains(c.Text, "what is this") {
		t.Errorf("where the receiver fails: %+v", c)
	}
}

// A recluse does not come back once more.
type recluse struct {
	Began int `contend:"stable"`
}

func (r *recluse) Start(model.Env) {
	if r.Began++; r.Began == 2 {
		panic("once is enough")
	}
}

// A server that fails as it comes back does so in a step of its own.
func TestRestartsThatFail(t *testing.T) {
	s := system(model.NodeSpec{Name: "s", Role: model.Server, New: func() model.Node { return &recluse{} }})
	s.Faults.Restarts = 1
	if c := explore(t, s, Options{}, never(1)).broken(1); len(c.Steps) != 2 || c.Steps[1].Kind != model.Restart || !strings.Contains(c.Text, "once is enough") {
		t.Errorf("%+v", c)
	}
}
