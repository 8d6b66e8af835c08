package search

import (
	"errors"
	"strings"
	"testing"

	"contend/checker/judge"
	"contend/checker/search/decide"
	"contend/checker/search/runs"
	"contend/model"
)

// verdict is what a search makes of one claim.
type verdict struct {
	violated, reached bool
	undecided         string
}

func (r *Result) verdict(claim int) verdict {
	violated := r.Claims[claim].Violated != nil
	return verdict{violated, r.Claims[claim].Reached, r.Claims[claim].Limit.String()}
}

var holds, refuted = verdict{}, verdict{violated: true}

// chooser notes 1 or ends for good, as it chooses.
func chooser() *model.System {
	return system(peer("p", scripted{invoke: func(n *scripted, env model.Env, _ any) {
		if n.S = 1 + env.Choose(2); n.S == 1 {
			env.Note(mark{1})
		}
	}}, "go"))
}

// retrier chooses again until it notes 1.
func retrier() *model.System {
	return system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 0) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
			if env.Choose(2) == 0 {
				env.Send(0, 0)
				return
			}
			env.Note(mark{1})
		},
	}))
}

// counting sends itself one message after another, and notes 1 at the last.
func counting(last int) *model.System {
	return system(peer("p", scripted{
		invoke: func(_ *scripted, env model.Env, _ any) { env.Send(0, 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if n.S++; n.S == last {
				env.Note(mark{1})
				return
			}
			env.Send(0, 1)
		},
	}, "go"))
}

func cutAt(s *model.System, most int) *model.System {
	s.Cuts = []model.Cut{{Name: "small", Beyond: func(n model.Node) bool { return n.(*scripted).S > most }}}
	return s
}

// A goal is reached in some run or in none; a cut that may hide it is named.
func TestSometimes(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     *model.System
		label int
		want  verdict
	}{
		{"reached", chooser(), 1, verdict{reached: true}},
		{"unreached", chooser(), 2, holds},
		{"reached before a cut", cutAt(counting(3), 3), 1, verdict{reached: true}},
		{"beyond a cut", cutAt(counting(5), 2), 1, verdict{undecided: "cut"}},
	} {
		r := explore(t, c.s, Options{}, reach(model.Sometimes, c.label))
		if got := r.verdict(0); got != c.want || !r.Complete {
			t.Errorf("%s: %+v, complete %v; want %+v", c.name, got, r.Complete, c.want)
		}
	}
}

// A state is doomed when the goal can be reached from it by no step of the protocol
// itself; where every way leads through a cut nothing is said.
func TestPossibleFromEverywhere(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     *model.System
		want  verdict
		steps int
	}{
		{"always still possible", retrier(), holds, 0},
		{"doomed by a choice", chooser(), refuted, 1},
		{"at the end of the way", counting(3), holds, 0},
		{"beyond a cut", cutAt(counting(5), 2), verdict{undecided: "cut"}, 0},
		{"only by a message twice", duplicated(), refuted, 0},
	} {
		r := explore(t, c.s, Options{}, reach(model.PossibleFromEverywhere, 1))
		if got := r.verdict(0); got != c.want || len(r.broken(0).Steps) != c.steps {
			t.Errorf("%s: %+v after %d steps; want %+v after %d", c.name, got, len(r.broken(0).Steps), c.want, c.steps)
		}
	}
}

// duplicated reaches its goal only when the network delivers a message twice.
func duplicated() *model.System {
	s := system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
			if n.S++; n.S == 2 {
				env.Note(mark{1})
			}
		},
	}))
	s.Faults.Duplication = 1
	return s
}

// pingPong goes round for ever; lie lets a Byzantine server end it, and call lets
// the application.
func pingPong(lie, call bool) *model.System {
	n := scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 1) },
		receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
			if from != 0 {
				n.S = 1
				env.Note(mark{1})
				return
			}
			env.Send(0, 3-m.(int))
		},
		invoke: func(n *scripted, env model.Env, _ any) { n.S = 1; env.Note(mark{1}) },
	}
	s := system(peer("p", n))
	if call {
		s = system(peer("p", n, "stop"))
	}
	if lie {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{7} }
	}
	return s
}

// A run that is fair to the protocol and never reaches the goal refutes it: one that
// ends, or one that goes round. Fairness is owed to no move of the adversary.
func TestEventually(t *testing.T) {
	for _, c := range []struct {
		name        string
		s           *model.System
		want        verdict
		steps, loop int
	}{
		{"at the end of every run", counting(3), holds, 0, 0},
		{"a run that ends short of it", chooser(), refuted, 1, -1},
		{"a round short of it", pingPong(false, false), refuted, 2, 0},
		{"a round that is unfair to a call", pingPong(false, true), holds, 0, 0},
		{"a round that only a lie would end", pingPong(true, false), refuted, 2, 0},
		{"a run that only a duplicate would save", duplicated(), refuted, 1, -1},
		{"a choice that is never taken", retrier(), refuted, 1, 0},
		{"beyond a cut", cutAt(counting(5), 2), verdict{undecided: "cut"}, 0, 0},
	} {
		r := explore(t, c.s, Options{}, reach(model.Eventually, 1))
		found := r.broken(0)
		if got := r.verdict(0); got != c.want || len(found.Steps) != c.steps || found.Loop != c.loop {
			t.Errorf("%s: %+v after %d steps, loop %d; want %+v after %d, loop %d",
				c.name, got, len(found.Steps), found.Loop, c.want, c.steps, c.loop)
		}
	}
}

// A round that reductions would hide is found with them on: under fairness they are off.
func TestFairnessTurnsReductionsOff(t *testing.T) {
	on := explore(t, pingPong(true, false), Options{Symmetry: true, Stale: true}, reach(model.Eventually, 1))
	if len(on.Violated()) != 1 || len(on.Reductions) > 0 {
		t.Errorf("violated %v, reductions %v", on.Violated(), on.Reductions)
	}
}

// What a claim says of the adversary's help does not depend on the claims beside it.
func TestNoHelpBesideOtherClaims(t *testing.T) {
	waiting := func() *model.System {
		s := system(peer("p", scripted{
			start: func(_ *scripted, env model.Env) { env.After(1, model.Anytime()) },
			timeout: func(n *scripted, env model.Env, _ any) {
				if n.S == 0 {
					env.After(1, model.Anytime())
				}
			},
			receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S = 1; env.Note(mark{1}) },
		}), model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{7} }
		return s
	}
	for _, mk := range []func() *model.System{duplicated, waiting} {
		possible := reach(model.PossibleFromEverywhere, 1)
		alone := explore(t, mk(), Options{}, possible)
		beside := explore(t, mk(), Options{}, possible, reach(model.Sometimes, 1), reach(model.Eventually, 2))
		if alone.verdict(0) != refuted || beside.verdict(0) != refuted || !beside.verdict(1).reached {
			t.Errorf("alone %+v, beside other claims %+v, which reach the goal: %+v", alone.verdict(0), beside.verdict(0), beside.verdict(1))
		}
	}
}

// An invariant is judged in every state, the first included, and of nodes that are
// down it is told nothing.
func TestInvariant(t *testing.T) {
	most := func(most int) model.Claim {
		return model.Claim{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0] != nil && nodes[0].(*scripted).S > most {
				return errors.New("it is large")
			}
			return nil
		}}
	}
	for bound, steps := range map[int]int{-1: 0, 0: 2, 2: 4} {
		r := explore(t, counting(3), Options{}, most(bound))
		if r.verdict(0) != refuted || len(r.broken(0).Steps) != steps || r.broken(0).Text != "it is large" {
			t.Errorf("at most %d: %+v after %d steps, want %d", bound, r.verdict(0), len(r.broken(0).Steps), steps)
		}
	}
	s := counting(3)
	s.Nodes[0].Role = model.Client
	s.Faults.Crashes = 1
	if r := explore(t, s, Options{}, most(3)); r.verdict(0) != holds || !r.Claims[0].Witnessed {
		t.Errorf("%+v, witnessed %v", r.verdict(0), r.Claims[0].Witnessed)
	}
}

// The calls of a lock's clients.
type (
	acquire struct{}
	release struct{}
	owner   struct {
		Held bool
		By   model.NodeID
	}
)

var mutex = model.Object{
	Name: "lock", Init: owner{}, Types: []any{owner{}},
	Step: func(state any, client model.NodeID, op any) []model.Effect {
		held := state.(owner)
		switch {
		case op == acquire{} && !held.Held:
			return []model.Effect{{State: owner{true, client}}}
		case op == release{} && held == owner{true, client}:
			return []model.Effect{{State: owner{}}}
		}
		return nil
	},
}

// locked is a lock server with two clients. It holds those who ask back until the
// holder leaves, unless it forgets.
func locked(forgets bool) *model.System {
	ask := scripted{
		invoke:  func(_ *scripted, env model.Env, op any) { env.Send(0, op) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Return(nil) },
	}
	guard := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, op any) {
		switch {
		case op == release{} && n.S == 2:
			n.S = 1
			env.Send(n.Who, 0)
		case op == release{}:
			n.S = 0
		case n.S == 0 || forgets:
			n.S = 1
			env.Send(from, 0)
		default: // of two clients one waits
			n.S, n.Who = 2, from
		}
	}}
	s := system(server("s", guard), client("a", ask), client("b", ask))
	for i := range s.Nodes[1:] {
		s.Nodes[1+i].Script = []model.Op{{Call: acquire{}, After: model.Anytime(), Release: release{}, Stay: model.Anytime()}}
	}
	s.Types = append(s.Types, acquire{}, release{})
	return s
}

// A history that no order of the operations explains breaks the specification.
func TestLinearizable(t *testing.T) {
	claims := judge.Watched([]model.Claim{{Name: "lock", Kind: model.Linearizable, Object: mutex}})
	if r := explore(t, locked(false), Options{}, claims...); r.verdict(0) != holds || !r.Claims[0].Witnessed || !r.Complete {
		t.Errorf("a lock: %+v, witnessed %v", r.Violated(), r.Claims[0].Witnessed)
	}
	r := explore(t, locked(true), Options{}, claims...)
	last := runs.Step{}
	if n := len(r.broken(0).Steps); n > 0 {
		last = r.broken(0).Steps[n-1]
	}
	if r.verdict(0) != refuted || last.Kind != model.Return {
		t.Errorf("a lock that forgets: %+v, last step %v", r.verdict(0), last)
	}
}

// alarmed is a monitor that is alarmed a tick after an invocation.
type alarmed struct{}

func (*alarmed) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Invoked {
		w.After("soon", model.Exactly(1))
	}
}

// That only the alarm of a monitor can be next does not stop a run: the node's own comes
// after it. When there is none, the run has stopped, whether or not an alarm is left.
func TestAlarmsOfMonitorsStopNothing(t *testing.T) {
	claims := []model.Claim{
		{Name: "stops", Kind: model.Always, Done: true},
		{Name: "alarmed", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &alarmed{} }},
	}
	for _, stops := range []bool{false, true} {
		s := system(peer("p", scripted{
			invoke: func(_ *scripted, env model.Env, _ any) {
				if !stops {
					env.After("late", model.Exactly(2))
				}
			},
			timeout: func(_ *scripted, env model.Env, _ any) { env.Return(nil) },
		}, "go"))
		for _, opt := range []Options{{}, {Timed: true}, {Timed: true, Dense: true, Merge: true}} {
			if r := explore(t, s, opt, claims...); len(r.Violated()) > 0 != stops || !r.Complete {
				t.Errorf("stops %v, timed %v, dense %v: violated %v, complete %v", stops, opt.Timed, opt.Dense, r.Violated(), r.Complete)
			}
		}
	}
}

// That all scripts get done in some run is a witness like any other: reached in the first
// state in which they are, and not by a system that never gets there.
func TestSometimesDone(t *testing.T) {
	claim := model.Claim{Name: "done", Kind: model.Sometimes, Done: true}
	back := func(_ *scripted, env model.Env, _ any) { env.Return(nil) }
	for _, timing := range []Options{{}, {Timed: true}, {Timed: true, Dense: true, Merge: true}, {Symmetry: true, Stale: true}} {
		for name, c := range map[string]struct {
			s    *model.System
			want bool
		}{
			"each returns":       {system(peer("p", scripted{invoke: back}, "go", "again"), client("c", scripted{invoke: back}, "go")), true},
			"one never returns":  {system(peer("p", scripted{invoke: back}, "go"), client("c", scripted{}, "go")), false},
			"none has an errand": {system(server("s", scripted{})), true},
		} {
			if r := explore(t, c.s, timing, claim); r.Claims[0].Reached != c.want || r.Claims[0].Witnessed != c.want || !r.Complete {
				t.Errorf("%s, %+v: reached %v, witnessed %v, complete %v", name, timing, r.Claims[0].Reached, r.Claims[0].Witnessed, r.Complete)
			}
		}
	}
}

// Each claim that scripts are done is put to the test where nothing can happen any more.
func TestEveryScriptIsDone(t *testing.T) {
	done := func(name string) model.Claim { return model.Claim{Name: name, Kind: model.Always, Done: true} }
	s := system(client("c", scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Return(nil) }}, "go"))
	r := explore(t, s, Options{}, done("one"), never(0), done("two"))
	if !r.Claims[0].Witnessed || r.Claims[1].Witnessed || !r.Claims[2].Witnessed || len(r.Violated()) > 0 {
		t.Errorf("witnessed %v, violated %v", r.witnessed(), r.Violated())
	}
}

// An invariant that panics in a state says nothing there: no handler fails is violated, and its own claim is left open.
func TestInvariantThatFails(t *testing.T) {
	small := model.Claim{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*scripted).S == 2 {
			panic("two")
		}
		return nil
	}}
	claims := []model.Claim{never(2), small}
	r := explore(t, counting(4), Options{}, claims...)
	const text = "Invariant of claim small: panic: two"
	if got := r.broken(len(claims)); len(r.Violated()) != 1 || !strings.HasPrefix(got.Text, text) || len(got.Steps) != 3 || r.Claims[1].Limit.String() != Failure {
		t.Errorf("violated %+v, undecided %v", r.Violated(), r.open())
	}
}

// Each of several invariants is broken in its own words, and each claim whose runs the interpreter does not take is left open.
func TestClaimsAreToldApart(t *testing.T) {
	says := func(name string, at int) model.Claim {
		return model.Claim{Name: name, Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*scripted).S == at {
				return errors.New(name + " is broken")
			}
			return nil
		}}
	}
	claims := []model.Claim{says("one", 1), says("two", 2), says("nine", 9)}
	r := explore(t, counting(4), Options{}, claims...)
	if len(r.Violated()) != 2 || r.broken(0).Text != "one is broken" || r.broken(1).Text != "two is broken" {
		t.Errorf("violated %+v", r.Violated())
	}
	none := func(Candidate) (Confirmation, error) { return Unknown, errors.New("it is no run") }
	if r := explore(t, counting(4), Options{Confirm: none}, claims...); len(r.Violated()) > 0 || len(r.disputes()) != 2 || r.Claims[0].Disputed == "" || r.Claims[1].Disputed == "" {
		t.Errorf("violated %+v, disputed %v", r.Violated(), r.disputes())
	}
}

// A round that never reaches the goal need not let time pass: the claim is open.
func TestEventuallyInRoundsThatTakeNoTime(t *testing.T) {
	s := pingPong(false, false)
	s.Network.Delay = model.Between(0, 1)
	if got := explore(t, s, Options{Timed: true}, reach(model.Eventually, 1)).verdict(0); got != (verdict{undecided: decide.TimedRound}) {
		t.Errorf("%+v", got)
	}
	s.Nodes[0].New = func() model.Node { // it goes round, or ends
		return &scripted{
			start: func(_ *scripted, env model.Env) { env.Send(0, 1) },
			receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
				if env.Choose(2) == 1 {
					env.Send(0, 1)
				}
			},
		}
	}
	if got := explore(t, s, Options{Timed: true}, reach(model.Eventually, 1)).verdict(0); got != refuted {
		t.Errorf("where a run ends: %+v", got)
	}
}

// A run that violates a claim of what can come says from which step on it cannot, and what its monitor put to the test counts though the goal
// is reached from the beginning.
func TestWhatCanComeIsTold(t *testing.T) {
	if c := explore(t, chooser(), Options{}, reach(model.PossibleFromEverywhere, 1)).broken(0); c.NoReturn == nil || c.NoReturn.After != 1 || c.NoReturn.Unknown != "" || c.NoReturn.AtLatest {
		t.Errorf("%+v", c.NoReturn)
	}
	at := system(peer("p", scripted{start: func(_ *scripted, env model.Env) { env.Note(mark{1}) }}))
	if r := explore(t, at, Options{}, reach(model.Eventually, 1)); r.verdict(0) != holds || !r.Claims[0].Witnessed {
		t.Errorf("%+v, put to the test %v", r.verdict(0), r.Claims[0].Witnessed)
	}
}
