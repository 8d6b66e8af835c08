package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/checker/search/decide"

	"contend/model"
)

// surely is the goal of a note of label 1, with probability one.
func surely(against model.Adversary) model.Claim {
	c := reach(model.AlmostSurely, 1)
	c.Against = against
	return c
}

// again is a node that arms an alarm of so many ticks, and whenever it fires plays a
// round: the goal is reached when it wins.
func again(w model.Window, won func(n *scripted, env model.Env) bool) *model.System {
	return system(peer("p", scripted{
		start: func(n *scripted, env model.Env) { env.After("round", w) },
		timeout: func(n *scripted, env model.Env, _ any) {
			if won(n, env) {
				env.Note(mark{1})
				return
			}
			env.After("round", w)
		},
	}))
}

// guessing lets the adversary guess, when a sleep begins, whether it will be longer than
// two ticks. The goal is reached when the guess is wrong.
func guessing() *model.System {
	begin := func(env model.Env) {
		env.Hold("short", model.Through(2))
		env.After("sleep", model.Uniform(1, 4))
		env.After("guess", model.Exactly(0))
	}
	return system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { begin(env) },
		timeout: func(n *scripted, env model.Env, key any) {
			if key == "guess" {
				n.S = 1 + env.Choose(2)
				return
			}
			if env.Held("short") == (n.S == 2) {
				env.Note(mark{1})
				return
			}
			n.S = 0
			begin(env)
		},
	}))
}

// race sends two messages again and again, and reaches the goal when the second
// arrives first.
func race() *model.System {
	s := system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 1); env.Send(0, 2) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if n.S == 0 && m == 2 {
				env.Note(mark{1})
			}
			if n.S++; n.S == 2 {
				n.S = 0
				env.Send(0, 1)
				env.Send(0, 2)
			}
		},
	}))
	s.Network.Delay = model.Between(0, 1)
	return s
}

// pong sends itself a message for ever, in no time if the adversary likes, while an
// alarm is pending that reaches the goal.
func pong(alarm model.Window) *model.System {
	s := system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) {
			env.Send(0, 1)
			env.After("goal", alarm)
		},
		timeout: func(_ *scripted, env model.Env, _ any) { env.Note(mark{1}) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Send(0, 1) },
	}))
	s.Network.Delay = model.Between(0, 1)
	return s
}

// What each adversary can do, in systems for which this is seen by hand.
func TestAlmostSurely(t *testing.T) {
	tick, still := model.Exactly(1), verdict{undecided: "time stands still"}
	for _, c := range []struct {
		name                              string
		s                                 func() *model.System
		adaptive, foreseeing, nonadaptive verdict
		loops                             bool
	}{
		{"a coin that is thrown until it wins", func() *model.System {
			return again(tick, func(_ *scripted, env model.Env) bool { return env.Draw(2) == 1 })
		}, holds, holds, holds, false},
		{"the adversary's choice in its place", func() *model.System {
			return again(tick, func(_ *scripted, env model.Env) bool { return env.Choose(2) == 1 })
		}, refuted, refuted, refuted, true},
		{"a coin, and then a choice that has to differ", func() *model.System {
			return again(tick, func(_ *scripted, env model.Env) bool { return env.Draw(2) != env.Choose(2) })
		}, refuted, refuted, refuted, true},
		{"a choice, and then a coin that has to differ", func() *model.System {
			return again(tick, func(_ *scripted, env model.Env) bool { return env.Choose(2) != env.Draw(2) })
		}, holds, holds, holds, false},
		{"a draw that loses both ways, and a choice that might win", func() *model.System {
			return again(tick, func(n *scripted, env model.Env) bool { n.S = env.Draw(2); return env.Choose(2) == 1 })
		}, refuted, refuted, refuted, true},
		{"a draw on which the adversary has a choice only now and then", func() *model.System {
			return again(tick, func(n *scripted, env model.Env) bool {
				if n.S = env.Draw(2); n.S == 0 {
					return env.Choose(2) == 1
				}
				return true
			})
		}, holds, holds, holds, false},
		{"a guess how long a sleep will be", guessing, holds, refuted, holds, true},
		{"a race of messages", race, refuted, refuted, holds, true},
		{"nothing happens", func() *model.System { return system(peer("p", scripted{})) }, refuted, refuted, refuted, false},
		{"a run that ends short of the goal by a choice", chooser, refuted, refuted, refuted, false},
		{"a round that takes no time is no run", func() *model.System { return pong(tick) }, holds, holds, holds, false},
		{"no run goes on", func() *model.System { s := pong(tick); s.Network.Delay = model.Exactly(0); return s },
			still, still, still, false},
		{"what may take any time happens some time", func() *model.System { return pong(model.Anytime()) }, holds, holds, holds, false},
		{"a call comes some time", func() *model.System { return pingPong(false, true) }, holds, holds, holds, false},
		{"only a lie would end it", func() *model.System { return pingPong(true, false) }, refuted, refuted, refuted, true},
		{"only a duplicate would save it", duplicated, refuted, refuted, refuted, false},
		{"beyond a cut", func() *model.System { return cutAt(counting(5), 2) },
			verdict{undecided: "cut"}, verdict{undecided: "cut"}, verdict{undecided: "cut"}, false},
		{"a cut behind the goal", func() *model.System {
			return cutAt(again(tick, func(n *scripted, env model.Env) bool {
				if n.S++; n.S == 2 {
					env.Note(mark{1})
				}
				return false
			}), 3)
		}, holds, holds, holds, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for against, want := range []verdict{c.adaptive, c.foreseeing, c.nonadaptive} {
				r := explore(t, c.s(), Options{Timed: true}, surely(model.Adversary(against)))
				if got := r.verdict(0); got != want || !r.Complete {
					t.Errorf("against one that is %v: %+v; want %+v", model.Adversary(against), got, want)
				}
				found, violated := r.violation(0)
				if violated && ((found.Loop >= 0) != c.loops || strings.Contains(found.Text, fmt.Sprintf("; steps %d to %d go round once", found.Loop+1, len(found.Steps))) != c.loops) {
					t.Errorf("against one that is %v: loop %d, %d steps: %s", model.Adversary(against), found.Loop, len(found.Steps), found.Text)
				}
				if says := fmt.Sprintf("almost surely: against a%s %v adversary", []string{"n", "", ""}[against], model.Adversary(against)); len(r.Notes) == 0 || !strings.HasPrefix(r.Notes[0], says) {
					t.Errorf("against one that is %v: notes %q", model.Adversary(against), r.Notes)
				}
			}
		})
	}
}

// owing is a goal that is there unless a note of label 2 came after the last of label 1.
type owing struct{ Owes bool }

func (g *owing) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		g.Owes = o.Value == (mark{2})
	}
}
func (g *owing) Reached() bool { return !g.Owes }

// The goal must be reached from every state, also from those after it was reached once.
func TestGoalsThatComeBack(t *testing.T) {
	goal := model.Claim{Name: "owing", Kind: model.AlmostSurely, Monitor: func(*model.System) model.Monitor { return &owing{} }}
	for _, c := range []struct {
		name string
		pays func(n *scripted, env model.Env) bool
		want verdict
	}{
		{"pays each time, by a coin", func(_ *scripted, env model.Env) bool { return env.Draw(3) == 0 }, holds},
		{"pays once", func(n *scripted, env model.Env) bool { n.S++; n.S = min(n.S, 3); return n.S == 2 }, refuted},
	} {
		s := system(peer("p", scripted{
			start: func(_ *scripted, env model.Env) { env.After("owe", model.Exactly(1)) },
			timeout: func(n *scripted, env model.Env, key any) {
				if key == "owe" {
					env.Note(mark{2})
					env.After("pay", model.Exactly(1))
					return
				}
				if !c.pays(n, env) {
					env.After("pay", model.Exactly(1))
					return
				}
				env.Note(mark{1})
				env.After("owe", model.Exactly(1))
			},
		}))
		if got := explore(t, s, Options{Timed: true}, goal).verdict(0); got != c.want {
			t.Errorf("%s: %+v; want %+v", c.name, got, c.want)
		}
	}
}

// An adversary that needs the grid to close a strict bound is none. That it is none is known where
// steps are taken at whole ticks only: between them there are others.
func TestAlmostSurelyReadsBoundsExactly(t *testing.T) {
	for _, c := range []struct {
		w    model.Window
		want verdict
	}{{model.Exactly(1), holds}, {model.Between(0, 1), verdict{undecided: "strict bound"}}} {
		holding := func() *model.System {
			return again(c.w, func(_ *scripted, env model.Env) bool {
				held := env.Held("lock")
				env.Hold("lock", model.Through(1))
				return held
			})
		}
		if got := explore(t, holding(), Options{Timed: true}, surely(model.Adaptive)).verdict(0); got != c.want {
			t.Errorf("%v: %+v", c.w, got)
		}
		for what, strikes := range map[string]func(s *model.System){ // at any time
			"a loss":      func(s *model.System) { s.Faults.Loss = 1 },
			"a suspicion": func(s *model.System) { s.Detector = model.Detector{Kind: model.Perfect, Report: model.By(1)} },
			"a lie": func(s *model.System) {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
				s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
			},
		} {
			s := holding()
			strikes(s)
			if got := explore(t, s, Options{Timed: true}, surely(model.Adaptive)).verdict(0); got != (verdict{undecided: "strict bound"}) {
				t.Errorf("%v, and %s: %+v", c.w, what, got)
			}
		}
	}
	loses := again(model.Exactly(1), func(_ *scripted, env model.Env) bool {
		env.Hold("lock", model.Through(1))
		return env.Held("lock") && false
	})
	if r := explore(t, loses, Options{Timed: true}, never(9), surely(model.Adaptive)); len(r.Violated()) != 1 || r.verdict(1) != refuted {
		t.Errorf("without any bound: %+v", r.verdict(1))
	}
}

// Where a cut is met only by what closing allows, nothing is behind a cut; and where the exact grid is not searched to its end, it is said why.
func TestAlmostSurelyBehindAClosedCut(t *testing.T) {
	s := func() *model.System {
		return cutAt(again(model.Exactly(1), func(n *scripted, env model.Env) bool {
			held := env.Held("lock")
			env.Hold("lock", model.Through(1))
			if n.S == 0 {
				n.S = 1
			} else if !held && env.Choose(2) == 1 {
				n.S = 2
			}
			return held
		}), 1)
	}
	if got := explore(t, s(), Options{Timed: true}, surely(model.Adaptive)); got.verdict(0) != holds || got.Cut["small"] == 0 {
		t.Errorf("%+v, cut %v", got.verdict(0), got.Cut)
	}
	withoutOtherGrids(t)
	if got := explore(t, s(), Options{Timed: true}, surely(model.Adaptive)).verdict(0); got.undecided != "strict bound, and on the exact grid states: 1" {
		t.Errorf("%+v", got)
	}
}

// Whole ticks may miss what an open window allows: that the adversary has no place to stay is not known, and against a nonadaptive one
// that it has one is not known, either. A cut is told first.
func TestAlmostSurelyInOpenWindows(t *testing.T) {
	open := model.Window{Lo: model.Below(1), Hi: model.Through(3)}
	strict, cut := verdict{undecided: decide.StrictBound}, verdict{undecided: decide.Cut}
	for _, c := range []struct {
		name                              string
		won                               func(n *scripted, env model.Env) bool
		most                              int
		adaptive, foreseeing, nonadaptive verdict
	}{
		{"a coin", func(_ *scripted, env model.Env) bool { return env.Draw(2) == 1 }, 9, strict, strict, strict},
		{"a choice", func(_ *scripted, env model.Env) bool { return env.Choose(2) == 1 }, 9, refuted, refuted, strict},
		{"a coin, and a cut", func(n *scripted, env model.Env) bool { n.S = env.Draw(2); return n.S == 1 && env.Draw(2) == 1 }, 0, cut, cut, cut},
	} {
		for against, want := range []verdict{c.adaptive, c.foreseeing, c.nonadaptive} {
			if got := explore(t, cutAt(again(open, c.won), c.most), Options{Timed: true}, surely(model.Adversary(against))).verdict(0); got != want {
				t.Errorf("%s, against one that is %v: %+v; want %+v", c.name, model.Adversary(against), got, want)
			}
		}
	}
}

// A claim of probability is refused where coins are not drawn in time, and beside one of
// another adversary, and so is a coin that has no law.
func TestAlmostSurelyRefusals(t *testing.T) {
	toss := func(w model.Window) *model.System {
		return again(w, func(*scripted, model.Env) bool { return true })
	}
	endless, narrow := model.Anytime(), model.Window{Lo: model.Below(1), Hi: model.Below(2), Coin: true}
	endless.Coin = true
	for _, c := range []struct {
		s      *model.System
		timed  bool
		claims []model.Claim
		want   string
	}{
		{toss(model.Exactly(1)), false, []model.Claim{surely(model.Adaptive)},
			"claim almost surely: a claim of probability is searched on the grid only: its coins are drawn in time"},
		{toss(model.Exactly(1)), true, []model.Claim{surely(model.Adaptive), surely(model.Foreseeing)},
			"claim almost surely: it is against an adversary that is foreseeing, and cannot be searched with one that is adaptive"},
		{toss(endless), true, []model.Claim{surely(model.Adaptive)},
			"an instant is drawn from [0, ∞), which has no end or no whole tick"},
		{toss(narrow), true, []model.Claim{surely(model.Adaptive)},
			"an instant is drawn from (1, 2), which has no end or no whole tick"},
	} {
		if _, err := Run(c.s, c.claims, Options{Timed: c.timed}); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// The reductions are off in a search of probability.
func TestAlmostSurelyTurnsReductionsOff(t *testing.T) {
	deaf := scripted{receive: func(*scripted, model.Env, model.NodeID, any) {}}
	s := system(server("s1", deaf), server("s2", deaf), client("c", scripted{
		invoke: func(_ *scripted, env model.Env, _ any) { env.Broadcast([]model.NodeID{0, 1}, 1) },
	}, "go"))
	s.Network.Delay = model.Between(0, 3)
	opt := Options{Timed: true, Symmetry: true, Clients: true, Stale: true}
	if r := explore(t, s, opt, reach(model.PossibleFromEverywhere, 1)); len(r.Reductions) == 0 {
		t.Error("there is nothing to reduce")
	}
	if r := explore(t, s, opt, surely(model.Adaptive)); len(r.Reductions) > 0 {
		t.Errorf("reductions %v", r.Reductions)
	}
}

// gambler is a random node: what it does on an event depends on its state, a draw and a
// choice, and its windows are coins or not.
func gambler(r *rand.Rand, nodes int, chooses bool) func(n *scripted, env model.Env, trigger int) {
	type reply struct {
		next            [4]int
		draws, chooses  int
		arms            model.Window
		armed, to, note int
	}
	var table [3][3]reply
	for s := range table {
		for k := range table[s] {
			a := reply{draws: 1 + r.IntN(2), chooses: 1, armed: r.IntN(3), to: r.IntN(4) - 2, note: r.IntN(4)}
			if k == 1 {
				a.armed = 0 // it goes on
			}
			if chooses {
				a.chooses = 1 + r.IntN(2)
			}
			for i := range a.next {
				a.next[i] = r.IntN(3)
			}
			a.arms = model.Window{Lo: model.Through(1), Hi: model.Through(1 + model.Ticks(r.IntN(2))), Coin: r.IntN(2) == 0}
			table[s][k] = a
		}
	}
	return func(n *scripted, env model.Env, trigger int) {
		a := table[n.S][trigger]
		n.S = a.next[env.Draw(a.draws)*2+env.Choose(a.chooses)]
		if a.to >= 0 && a.to < nodes {
			env.Send(model.NodeID(a.to), 0)
		}
		if a.armed == 0 {
			env.After("alarm", a.arms)
		}
		if a.note == 0 && n.S == 2 {
			env.Note(mark{1})
		}
	}
}

// gamble is a random system of one gambler or two, with few messages in flight at a time.
func gamble(r *rand.Rand, chooses bool) *model.System {
	var nodes []model.NodeSpec
	n := 1 + r.IntN(2)
	for i := range n {
		does := gambler(r, n, chooses)
		nodes = append(nodes, peer([]string{"a", "b"}[i], scripted{
			start:   func(_ *scripted, env model.Env) { env.After("alarm", model.Between(0, 2)) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { does(n, env, 0) },
			timeout: func(n *scripted, env model.Env, _ any) { does(n, env, 1) },
			invoke:  func(n *scripted, env model.Env, _ any) { does(n, env, 2) },
		}, []any{"go"}[:r.IntN(2)]...))
	}
	s := system(nodes...)
	s.Network.Channel, s.Network.Delay = model.Set, model.Between(0, model.Ticks(r.IntN(2)))
	return s
}

// What holds against an adversary that knows more holds against one that knows less. And
// where the adversary has no choices and the environment no moves, a nonadaptive one is
// a Markov chain: the goal is reached with probability one exactly when it is possible
// from everywhere.
func TestAdversariesInOrder(t *testing.T) {
	compared, differ := 0, map[string]int{}
	for seed := range uint64(30) {
		for _, chooses := range []bool{false, true} {
			complete := true
			try := func(c model.Claim) bool {
				s := gamble(rand.New(rand.NewPCG(seed, 22)), chooses)
				r := explore(t, s, Options{Timed: true, MaxStates: 1500}, c)
				complete = complete && r.Complete
				return r.verdict(0) == holds
			}
			foreseeing, adaptive, nonadaptive := try(surely(model.Foreseeing)), try(surely(model.Adaptive)), try(surely(model.Nonadaptive))
			possible := try(reach(model.PossibleFromEverywhere, 1))
			if !complete {
				continue
			}
			compared++
			if foreseeing && !adaptive || adaptive && !nonadaptive || nonadaptive && !possible || possible && !nonadaptive && !chooses {
				t.Fatalf("seed %d, choices %v: foreseeing %v, adaptive %v, nonadaptive %v, possible %v", seed, chooses, foreseeing, adaptive, nonadaptive, possible)
			}
			switch {
			case foreseeing:
				differ["all hold"]++
			case adaptive:
				differ["not against a foreseeing one"]++
			case nonadaptive:
				differ["only against a nonadaptive one"]++
			case !possible:
				differ["not even possible"]++
			}
		}
	}
	if compared < 30 || len(differ) < 3 {
		t.Errorf("%d systems are compared: %v", compared, differ)
	}
}

// In dense time claims against different adversaries are left open together.
func TestAdversariesInDenseTime(t *testing.T) {
	s := again(model.Exactly(1), func(_ *scripted, env model.Env) bool { return env.Choose(2) == 1 })
	r := explore(t, s, Options{Timed: true, Dense: true}, surely(model.Adaptive), surely(model.Nonadaptive), never(9))
	if !r.Complete || r.Claims[0].Limit.None() || r.Claims[1].Limit.None() || !r.Claims[2].Limit.None() {
		t.Errorf("complete %v, undecided %v", r.Complete, r.open())
	}
}

// What the interpreter makes of a run for ever counts: that no times make it is a disagreement, and so is what it says of the exact grid. A claim
// of which it says nothing but that is open.
func TestRunsForEverAreConfirmed(t *testing.T) {
	held := func(_ *scripted, env model.Env) bool {
		env.Hold("lock", model.Through(1))
		return env.Held("lock") && env.Choose(2) == 1
	}
	plain := func(_ *scripted, env model.Env) bool { return env.Choose(2) == 1 }
	for name, c := range map[string]struct {
		won      func(*scripted, model.Env) bool
		confirm  func(Candidate) (Confirmation, error)
		disputed string
	}{
		"real":                      {plain, func(Candidate) (Confirmation, error) { return Real, nil }, ""},
		"no times make it":          {plain, func(Candidate) (Confirmation, error) { return StrictBound, nil }, "no times make a run of the exact grid"},
		"real on the exact grid":    {held, func(Candidate) (Confirmation, error) { return Real, nil }, ""},
		"no run of the exact grid":  {held, func(Candidate) (Confirmation, error) { return Unknown, errors.New("it is no run") }, "it is no run"},
		"no times on an exact grid": {held, func(Candidate) (Confirmation, error) { return StrictBound, nil }, "no times make a run of the exact grid"},
	} {
		r := explore(t, again(model.Exactly(1), c.won), Options{Timed: true, Confirm: c.confirm}, surely(model.Adaptive))
		if violated := r.Claims[0].Violated != nil; violated != (c.disputed == "") || !strings.Contains(r.Claims[0].Disputed, c.disputed) || len(r.disputes()) > 0 != (c.disputed != "") {
			t.Errorf("%s: violated %v, disputed %v", name, violated, r.disputes())
		}
	}
}
