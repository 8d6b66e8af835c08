package search

import (
	"math/rand/v2"
	"testing"

	"contend/model"
)

// beating has a heart and a limit: each beat sets the limit anew in one way or another, or
// leaves it alone. The limit notes 1.
func beating(beat, limit model.Window, puts func(env model.Env)) *model.System {
	return system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.After("beat", beat); env.After("limit", limit) },
		timeout: func(n *scripted, env model.Env, key any) {
			if key == "limit" {
				n.S = 1
				env.Note(mark{1})
				return
			}
			if env.After("beat", beat); n.S == 0 {
				puts(env)
			}
		},
	}))
}

// An alarm that is set anew while it is pending is a new event: a heartbeat may put it off
// for ever. One that is left alone fires some time.
func TestAnAlarmSetAnewIsAnotherEvent(t *testing.T) {
	forever := model.Anytime()
	for _, c := range []struct {
		name string
		puts func(env model.Env)
		want verdict
	}{
		{"left alone", func(model.Env) {}, holds},
		{"set anew", func(env model.Env) { env.After("limit", forever) }, refuted},
		{"disarmed and set", func(env model.Env) { env.Cancel("limit"); env.After("limit", forever) }, refuted},
		{"another is set anew", func(env model.Env) { env.After("other", forever) }, holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explore(t, beating(forever, forever, c.puts), Options{}, reach(model.Eventually, 1))
			if got := r.verdict(0); got != c.want {
				t.Errorf("untimed, eventually: %+v; want %+v", got, c.want)
			}
			for against := model.Adaptive; against <= model.Nonadaptive; against++ {
				want := c.want
				if against == model.Nonadaptive {
					want = holds // some time chance is quicker
				}
				r := explore(t, beating(model.Exactly(1), forever, c.puts), Options{Timed: true}, surely(against))
				if got := r.verdict(0); got != want {
					t.Errorf("almost surely, %v: %+v; want %+v", against, got, want)
				}
			}
		})
	}
}

// An event that a cut keeps from firing is owed all the same: a round that leaves it out
// refutes nothing, and the verdict rests on the cut. A round that is fair without it refutes.
func TestWhatACutKeepsBackIsOwed(t *testing.T) {
	s := cutAt(pingPong(false, true), 0) // the call would end it, beyond the cut
	if got := explore(t, s, Options{}, reach(model.Eventually, 1)).verdict(0); got != (verdict{undecided: "cut"}) {
		t.Errorf("a round that a cut call would end: %+v", got)
	}
	s = cutAt(retrier(), 0)
	if got := explore(t, s, Options{}, reach(model.Eventually, 1)).verdict(0); got != refuted {
		t.Errorf("a round where nothing is cut: %+v", got)
	}
	s = system(peer("p", scripted{invoke: func(n *scripted, _ model.Env, _ any) { n.S = 1 }}, "go"))
	if got := explore(t, cutAt(s, 0), Options{}, reach(model.Eventually, 1)).verdict(0); got != (verdict{undecided: "cut"}) {
		t.Errorf("a run that stops at a cut: %+v", got)
	}
}

// What a cut keeps a liar from is no way on, nor owed by anyone.
func TestACutLieIsNotOwed(t *testing.T) {
	s := system(peer("p", scripted{receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S = 1 }}),
		model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{7} }
	for _, kind := range []model.Kind{model.PossibleFromEverywhere, model.Eventually} {
		if got := explore(t, cutAt(s, 0), Options{}, reach(kind, 1)).verdict(0); got != refuted {
			t.Errorf("%v: %+v", kind, got)
		}
	}
}

// twoStep is a client that asks a server twice. The server answers in time by itself, but
// the second question stops that, and is answered only if the server remembers the first:
// which may come once more after a restart, and else is forgotten for good.
func twoStep() *model.System {
	s := system(server("s", scripted{
		start:   func(_ *scripted, env model.Env) { env.After("by itself", model.Anytime()) },
		timeout: func(_ *scripted, env model.Env, _ any) { env.Send(1, 2) },
		receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
			if n.S |= m.(int); m == 1 {
				env.Send(from, 1)
			} else {
				env.Cancel("by itself")
			}
			if n.S == 3 {
				env.Send(from, 2)
			}
		},
	}), client("c", scripted{
		invoke: func(_ *scripted, env model.Env, _ any) { env.Send(0, 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			switch {
			case n.S == 2:
			case m == 1 && n.S == 0:
				n.S = 1
				env.Send(0, 2)
			case m == 2:
				n.S = 2
				env.Return(nil)
			}
		},
	}, "go"))
	s.Nodes[1].Script[0] = model.Op{Call: "go", AtBoot: true}
	s.Faults.Restarts = 1
	return s
}

// A message that may come once more need not: a run in which nothing else is left has
// stopped, for deadlock freedom and under fairness alike.
func TestWhatMayComeOnceMoreNeedNot(t *testing.T) {
	stops := model.Claim{Name: "stops", Kind: model.Always, Done: true}
	fair := model.Claim{Name: "done", Kind: model.Eventually, Done: true}
	for _, claim := range []model.Claim{stops, fair} {
		if got := explore(t, twoStep(), Options{}, claim).verdict(0); got != refuted {
			t.Errorf("%v: %+v", claim.Name, got)
		}
	}
}

// A goal may wait for a server to come back, though that is the environment's move.
func TestAGoalMayWaitForARestart(t *testing.T) {
	s := system(server("s", scripted{
		start:   func(_ *scripted, env model.Env) { env.After("tell", model.Anytime()) },
		timeout: func(_ *scripted, env model.Env, _ any) { env.Send(1, 0) },
	}), client("c", scripted{receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Note(mark{1}) }}))
	s.Faults.Restarts = 1
	possible, fair := reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1)
	if r := explore(t, s, Options{}, possible); r.verdict(0) != holds {
		t.Errorf("alone: %+v", r.verdict(0))
	}
	if r := explore(t, s, Options{}, possible, fair); r.verdict(0) != holds || r.verdict(1) != refuted { // it need not come back
		t.Errorf("beside a claim under fairness: %+v, which is %+v", r.verdict(0), r.verdict(1))
	}
}

// A message behind another in its channel is no way on for chance, and none that leads
// nowhere: against a nonadaptive adversary time stands still only where it does for others.
func TestQueuesDoNotStopTime(t *testing.T) {
	stands := map[model.Adversary]int{}
	for seed := range uint64(25) {
		for against := model.Adaptive; against <= model.Nonadaptive; against++ {
			s := gamble(rand.New(rand.NewPCG(seed, 22)), true)
			s.Network.Channel = model.FIFO
			r := explore(t, s, Options{Timed: true, MaxStates: 300}, surely(against))
			if r.Complete && r.Claims[0].Limit.String() == "time stands still" {
				stands[against]++
			}
		}
	}
	if stands[model.Nonadaptive] > stands[model.Adaptive] {
		t.Errorf("time stands still in %v systems", stands)
	}
}

// In dense time no claim of liveness is decided. Alone it is not searched for; beside
// others it is left open, and theirs are decided.
func TestLivenessInDenseTime(t *testing.T) {
	dense := Options{Timed: true, Dense: true, Merge: true, Workers: 2}
	all := []model.Claim{reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1), surely(model.Adaptive)}
	for _, c := range all {
		r := explore(t, counting(3), dense, c)
		if r.States > 0 || r.Claims[0].Limit.String() != "dense time" || r.Complete {
			t.Errorf("%v: %d states, undecided %q, complete %v", c.Kind, r.States, r.Claims[0].Limit.String(), r.Complete)
		}
	}
	r := explore(t, counting(3), dense, append(all, reach(model.Sometimes, 1))...)
	if !r.Complete || !r.Claims[3].Reached || r.Claims[0].Limit.String() != "dense time" || r.Claims[1].Limit.String() != "dense time" || r.Claims[2].Limit.String() != "dense time" {
		t.Errorf("complete %v, reached %v, undecided %v", r.Complete, r.reached(), r.open())
	}
}
