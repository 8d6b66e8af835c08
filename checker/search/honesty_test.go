package search

import (
	"strings"
	"testing"

	"contend/checker/search/step"
	"contend/model"
	"contend/model/rules"
)

// Node types that a search refuses.
type (
	configured struct {
		cfg *settings
		S   int
	}
	settings struct{ Limit int }

	pointing struct{ P *int }
	talking  struct{ C chan int }
	acting   struct{ F func() }
	hiding   struct{ In hidden }
	//lint:ignore U1000 it is refused by name
	hidden struct{ secret int }

	list     struct{ Items []int }
	unlisted struct{}
)

func (c *configured) Receive(model.Env, model.NodeID, any)   { c.cfg.Limit++ }
func (*pointing) Receive(model.Env, model.NodeID, any)       {}
func (*talking) Receive(model.Env, model.NodeID, any)        {}
func (*acting) Receive(model.Env, model.NodeID, any)         {}
func (*hiding) Receive(model.Env, model.NodeID, any)         {}
func (*pointing) Observe(w model.Watch, o model.Observation) {}

// ran counts the runs of a handler, which no handler may.
var ran int

// greeted is a system of one node of which a greeting is delivered to itself.
func greeted(receive func(n *scripted, env model.Env, from model.NodeID, m any)) *model.System {
	s := system(server("s", scripted{start: func(_ *scripted, env model.Env) { env.Send(0, list{[]int{1}}) }, receive: receive}))
	s.Types = append(s.Types, list{})
	return s
}

func madeBy(n model.Node) *model.System {
	s := system(client("c", scripted{start: func(_ *scripted, env model.Env) { env.Send(1, 1) }}), server("s", scripted{}))
	s.Nodes[1].New = func() model.Node { return n }
	return s
}

func invoked(invoke func(n *scripted, env model.Env, op any)) *model.System {
	return system(peer("p", scripted{invoke: invoke}, "go"))
}

// A refusal is a system that a search refuses, and how its sentence begins.
type refusal struct {
	name  string
	s     *model.System
	error string
}

func refuse(t *testing.T, list []refusal) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			r, err := Run(c.s, []model.Claim{never(9)}, Options{})
			if err == nil && len(r.Violated()) > 0 {
				err = said(nil, func() string { return r.broken(1).Text })
			}
			if err == nil {
				t.Fatalf("it is accepted: %d states", r.States)
			}
			if !strings.HasPrefix(err.Error(), c.error) {
				t.Errorf("error %q, want %q", err, c.error)
			}
		})
	}
}

// A handler that is no function of what it is given ends the search with one
// sentence that names it, and the field in which two runs of it differ.
func TestImpureHandlersAreRefused(t *testing.T) {
	keys := map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8}
	forger := system(client("c", scripted{}), model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
	forger.Forge = func(n model.Node, _, _ model.NodeID) []any { n.(*scripted).S++; return nil }
	refuse(t, []refusal{
		{"the order of a map", greeted(func(n *scripted, _ model.Env, _ model.NodeID, _ any) {
			for range 30 { // what differs with probability 1/8 hardly ever agrees thirty times
				for k := range keys {
					n.Log = append(n.Log, k)
					break
				}
			}
		}), "Receive of *search.scripted is not deterministic: two runs on the same state differ in field Log ("},
		{"a counter of the package", greeted(func(n *scripted, _ model.Env, _ model.NodeID, _ any) { ran++; n.S = ran }),
			"Receive of *search.scripted is not deterministic: two runs on the same state differ in field S ("},
		{"a counter that shows in effects", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { ran++; env.Send(0, ran) }),
			"Receive of *search.scripted is not deterministic: two runs on the same state differ in its effects"},
		{"a choice that comes and goes", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
			if ran++; ran%2 == 0 {
				env.Choose(2)
			}
		}), "Receive of *search.scripted is not deterministic: two runs on the same state differ in its choices"},
		{"a changed configuration", madeBy(&configured{cfg: &settings{1}}),
			"Receive of *search.configured changes its configuration: unexported fields must stay as they were made, and the fields that are state must be exported"},
		{"a changed message", greeted(func(_ *scripted, _ model.Env, _ model.NodeID, m any) { m.(list).Items[0] = 2 }),
			"Receive of *search.scripted changes the value it was given"},
		{"a forger that changes the receiver", forger, "Forge changes the state of *search.scripted"},
	})
}

// A handler that asks of its environment what there is not ends the search with one
// sentence.
func TestMisuseOfEnvIsRefused(t *testing.T) {
	refuse(t, []refusal{
		{"nobody to send to", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Send(7, 1) }),
			"node s sends to node 7, which does not exist"},
		{"a second return", invoked(func(_ *scripted, env model.Env, _ any) { env.Return(1); env.Return(2) }), "node p returns, but no invocation runs"},
		{"a return to nobody", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Return(1) }), "node s returns, but no invocation runs"},
		{"a choice among none", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Choose(0) }), "a handler chooses among 0, but may among 1 to 65536"},
		{"a choice among more than a search can count", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Choose(1 << 31) }),
			"a handler chooses among 2147483648, but may among 1 to 65536"},
		{"a draw among too many", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Draw(rules.MaxChoices + 1) }),
			"a handler chooses among 65537, but may among 1 to 65536"},
		{"an empty alarm", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.After(1, model.Between(2, 1)) }),
			"node s arms an alarm: window [2, 1]: the upper bound is below the lower"},
		{"a hold of less than nothing", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Hold(1, model.Through(-1)) }),
			"node s holds for -1 ticks, but a hold lasts 0 to 1073741824"},
		{"an unlisted type", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Send(0, unlisted{}) }),
			"type search.unlisted is used as a message, key, result, state of an object or other interface value, but System.Types does not list it"},
	})
}

// State that is no plain value is refused by the name of its field.
func TestStateIsPlainValues(t *testing.T) {
	refuse(t, []refusal{
		{"a pointer", madeBy(&pointing{}),
			"node s: search.pointing.P is a ptr (*int): state must be plain values"},
		{"a channel", madeBy(&talking{}),
			"node s: search.talking.C is a chan (chan int): state must be plain values"},
		{"a func", madeBy(&acting{}),
			"node s: search.acting.F is a func (func()): state must be plain values"},
		{"an unexported field", madeBy(&hiding{}),
			"node s: search.hiding.In.secret is unexported: state inside a node must be exported"},
	})
}

// A monitor's state is held to the same rule, and its claim is named.
func TestMonitorStateIsPlainValues(t *testing.T) {
	claim := model.Claim{Name: "pointing", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &pointing{} }}
	_, err := Run(invoked(nil), []model.Claim{claim}, Options{})
	if want := "claim pointing: search.pointing.P is a ptr (*int): state must be plain values"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// An invariant that changes a node is found out whichever worker asks it.
func TestInvariantsThatChangeNodesAreFoundOutByAnyWorker(t *testing.T) {
	tuned(t, 1, 1<<40, func() {
		for state := 0; state < 600; state += 60 {
			s := system(server("s", scripted{start: func(n *scripted, env model.Env) { n.S = 1 + env.Choose(600) }}))
			changes := model.Claim{Name: "changes", Kind: model.Always, Invariant: func(nodes []model.Node) error {
				if n := nodes[0].(*scripted); n.S == state+1 {
					n.Log = append(n.Log, 1)
				}
				return nil
			}}
			s.Nodes = append(s.Nodes, server("t", scripted{start: func(_ *scripted, env model.Env) { env.Send(env.Self(), 1) }, receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S++ }}))
			if r, err := Run(s, []model.Claim{changes}, pure(Options{Workers: 3, MaxStates: 10_000})); err == nil {
				t.Fatalf("state %d: complete %v, %q", state, r.Complete, r.Limit)
			}
		}
	})
}

// What a search says of itself is of all its workers; one that is not made has nothing to say.
func TestProfileOfAllWorkers(t *testing.T) {
	x := unsearched(t, never(1))
	x.workers = append(x.workers, newSearcher(x, 1))
	x.workers[0].Lookups, x.workers[1].Lookups = 100, 300
	x.workers[0].Reactions, x.workers[1].Reactions = make([]step.Reaction, 1), make([]step.Reaction, 2)
	x.res.Widths = []int64{7}
	if text := x.profile(); !strings.Contains(text, "cache hits") || !strings.Contains(text, "99.2500%") || !strings.Contains(text, " 7") {
		t.Error(text)
	}
	r, err := Run(counting(1), []model.Claim{surely(model.Adaptive)}, pure(Options{Timed: true, Dense: true}))
	if err != nil || r.Profile() != "" || r.Claims[0].Limit.None() {
		t.Errorf("%v, %q, undecided %v", err, r.Profile(), r.open())
	}
}
