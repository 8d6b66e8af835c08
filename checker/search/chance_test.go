package search

import (
	"testing"

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
	tick := model.Exactly(1)
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
		{"what may take any time happens some time", func() *model.System { return pong(model.Anytime()) }, holds, holds, holds, false},
		{"a call comes some time", func() *model.System { return pingPong(false, true) }, holds, holds, holds, false},
		{"only a lie would end it", func() *model.System { return pingPong(true, false) }, refuted, refuted, refuted, true},
		{"only a duplicate would save it", duplicated, refuted, refuted, refuted, false},
		{"beyond a cut", func() *model.System { return cutAt(counting(5), 2) },
			verdict{undecided: "cut"}, verdict{undecided: "cut"}, verdict{undecided: "cut"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for against, want := range []verdict{c.adaptive, c.foreseeing, c.nonadaptive} {
				r := explore(t, c.s(), Options{Timed: true}, surely(model.Adversary(against)))
				if got := r.verdict(0); got != want || !r.Complete {
					t.Errorf("against one that is %v: %+v; want %+v", model.Adversary(against), got, want)
				}
				if found, violated := r.Violated[0]; violated && (found.Loop >= 0) != c.loops {
					t.Errorf("against one that is %v: loop %d, %d steps: %s", model.Adversary(against), found.Loop, len(found.Steps), found.Text)
				}
			}
		})
	}
}
