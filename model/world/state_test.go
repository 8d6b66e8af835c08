package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// Two runs have the same State exactly when the same can happen from there on.
func TestState(t *testing.T) {
	two := func(w model.Window) *model.System {
		a := acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Send(2, "m") }}
		s := system(client("a", a, model.Op{Call: "go", After: w}), client("b", a, model.Op{Call: "go", After: w}), server("s", acts{}))
		s.Network.Delay = model.By(3)
		s.Faults.Loss = 1
		return s
	}
	invoke := func(at world.Time, nodes ...model.NodeID) func(r *run) {
		return func(r *run) {
			for _, n := range nodes {
				r.do(at, model.Invoke, n)
			}
		}
	}
	held := holder(model.Through(2))
	soon := holder(model.Through(2))
	soon.Network.Delay = model.By(5)
	ask := func(at world.Time, answers ...int) func(r *run) {
		return func(r *run) { r.do(0, model.Invoke, 0); r.do(at, model.Deliver, 1, answers...) }
	}
	for _, tc := range []struct {
		name  string
		s     *model.System
		opt   world.Options
		a, b  func(r *run)
		equal bool
	}{
		{"independent steps commute", two(model.By(5)), timed, invoke(1, 0, 1), invoke(1, 1, 0), true},
		{"one step or the other", two(model.By(5)), timed, invoke(1, 0), invoke(1, 1), false},
		{"untimed, instants say nothing", two(model.By(5)), untimed, invoke(0, 0), invoke(7, 0), true},
		{"timed, only what is left counts", two(model.Anytime()), timed, invoke(1, 0, 1), invoke(9, 0, 1), true},
		{"a deadline came closer", two(model.By(5)), timed, invoke(1, 0), invoke(2, 0), false},
		{"a message is in flight for longer", two(model.Anytime()), timed,
			func(r *run) { r.do(1, model.Invoke, 0); r.do(1, model.Invoke, 1) },
			func(r *run) { r.do(1, model.Invoke, 0); r.do(2, model.Invoke, 1) }, false},
		{"delivered or lost", two(model.By(5)), timed,
			func(r *run) { r.do(0, model.Invoke, 0); r.do(0, model.Deliver, 2) },
			func(r *run) {
				r.do(0, model.Invoke, 0)
				r.move(0, world.Move{Kind: model.Lose, Event: r.event(model.Deliver, 2)})
			}, false},
		{"a hold lasts for less", held, timed, ask(0), ask(1), false},
		{"a hold seen to be over or not", held, untimed, ask(0, 0), ask(0, 1), false},
		{"nobody asked whether it is over", soon, timed,
			func(r *run) { r.do(3, model.Invoke, 0) }, func(r *run) { r.do(9, model.Invoke, 0) }, true},
	} {
		a, b := start(t, tc.s, tc.opt), start(t, tc.s, tc.opt)
		tc.a(a)
		tc.b(b)
		if tc.equal {
			assert.Equal(t, a.State(), b.State(), tc.name)
		} else {
			assert.NotEqual(t, a.State(), b.State(), tc.name)
		}
	}
}

// The remaining budget is part of a state. So are messages that may arrive again after a restart.
func TestStateHasBudgetAndPast(t *testing.T) {
	one, other := start(t, restarting(model.Bag), timed), start(t, restarting(model.Bag), timed)
	for _, r := range []*run{one, other} {
		r.do(0, model.Invoke, 0)
		r.do(0, model.Deliver, 1)
	}
	assert.Equal(t, one.State(), other.State())
	one.move(0, world.Move{Kind: model.Crash, Node: 1})
	assert.NotEqual(t, one.State(), other.State())
	other.move(0, world.Move{Kind: model.Crash, Node: 1})
	one.move(1, world.Move{Kind: model.Restart, Node: 1})
	other.move(9, world.Move{Kind: model.Restart, Node: 1})
	assert.NotEqual(t, one.State(), other.State(), "the message may come again to one only")
}

// In a FIFO channel the order of messages in flight matters, in a bag it does not.
func TestStateOfChannels(t *testing.T) {
	for _, tc := range []struct {
		channel model.Channel
		equal   bool
	}{{model.Bag, true}, {model.FIFO, false}} {
		a, b := start(t, talk(tc.channel, "x", "y"), untimed), start(t, talk(tc.channel, "y", "x"), untimed)
		a.do(0, model.Invoke, 0)
		b.do(0, model.Invoke, 0)
		if tc.equal {
			assert.Equal(t, a.State(), b.State())
		} else {
			assert.NotEqual(t, a.State(), b.State())
		}
	}
}
