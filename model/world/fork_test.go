package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// forked returns a system with everything that a run may change.
func forked() (*model.System, []model.Claim) {
	s := several(model.Bag)
	s.Nodes[0].New = func() model.Node {
		return &puppet{acts: acts{invoke: func(_ *puppet, env model.Env, op any) {
			env.Hold(op, model.Through(50))
			env.After(op, model.Anytime())
			env.Broadcast([]model.NodeID{1, 2, 3}, op)
			env.Return(nil)
		}}}
	}
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
	s.Faults.Loss = 1
	s.Network.Delay = model.Anytime()
	s.Nodes[0].Script[1].After = model.Anytime()
	s.Cuts = []model.Cut{{Name: "long", Beyond: func(n model.Node) bool { p, ok := n.(*puppet); return ok && len(p.Log) > 3 }}}
	watches := watching(watcher{
		invoked: func(w model.Watch) {
			w.Hold("h", model.Through(50))
			w.After("k", model.Anytime())
			w.Violate("noted")
			w.Witness()
		},
		rings: func(model.Watch) {},
	})
	return s, []model.Claim{watches, past()}
}

// A kept has everything that can be observed of a run.
type kept struct {
	State      []string
	Violations []world.Violation
	Witnessed  map[string]bool
	Liars      int
	Budget     model.Faults
	Steps      int
	Standing   world.Status
	Watching   world.Status
	Moves      []string
	Cut        map[string]bool
}

func keptOf(r *run) kept {
	k := kept{State: r.State(), Liars: len(r.ToByzantine), Budget: r.Budget(), Steps: r.Steps, Standing: r.Status(0), Moves: names(r.Moves()), Witnessed: map[string]bool{}, Cut: map[string]bool{}}
	k.Watching, _ = r.MonitorStatus("watched")
	k.Standing.State, k.Watching.State = nil, nil // they are in the lines
	k.Violations = append(k.Violations, r.Violations...)
	for c := range r.Witnessed {
		k.Witnessed[c] = true
	}
	for c := range r.Cut {
		k.Cut[c] = true
	}
	return k
}

// A fork is independent: its steps do not affect the original run, and steps of the run do not affect the
// fork. Both take the same steps equally.
func TestForks(t *testing.T) {
	s, claims := forked()
	steps := []func(r *run){
		func(r *run) { r.do(0, model.Invoke, 0) },
		func(r *run) { r.do(0, model.Return, 0) },
		func(r *run) { r.do(3, model.Deliver, 1) },
		func(r *run) { r.do(4, model.Expire, -1) },
		func(r *run) { r.back(5, 1) },
		func(r *run) { r.move(6, world.Move{Kind: model.Lose, Event: r.event(model.Deliver, 2)}) },
		func(r *run) { r.do(7, model.Invoke, 0) },
		func(r *run) { r.do(7, model.Timeout, 0, 0) },
	}
	for n := range len(steps) + 1 {
		r, straight := start(t, s, traced, claims...), start(t, s, traced, claims...)
		for _, step := range steps[:n] {
			step(r)
			step(straight)
		}
		before := keptOf(r)
		f := &run{TB: t, World: r.Fork()}
		assert.Equal(t, before, keptOf(f), "after %d steps", n)
		for _, step := range steps[n:] {
			if step(straight); n < len(steps)-1 {
				step(f)
			}
		}
		if n < len(steps)-1 {
			assert.Equal(t, keptOf(straight), keptOf(f))
		}
		assert.Equal(t, before, keptOf(r), "the fork of %d steps changes the run", n)
		after := keptOf(f)
		for _, step := range steps[n:] {
			step(r)
		}
		assert.Equal(t, after, keptOf(f), "the run changes its fork of %d steps", n)
		assert.Equal(t, keptOf(straight), keptOf(r))
	}
}

// Each of two forks appends its own elements to the lists of the run.
func TestForksOfOneRun(t *testing.T) {
	s, claims := forked()
	s.Cuts = nil
	last := s.Nodes[0].Script[1]
	s.Nodes[0].Script = []model.Op{s.Nodes[0].Script[0], last, last, last}
	r := start(t, s, traced, claims...)
	for range 3 { // so that lists have room for one more
		r.do(0, model.Invoke, 0)
		r.do(0, model.Return, 0)
	}
	one, other := &run{TB: t, World: r.Fork()}, &run{TB: t, World: r.Fork()}
	one.do(5, model.Invoke, 0)
	other.do(9, model.Invoke, 0)
	other.Violations[3].Text = "another"
	for _, x := range []struct {
		r    *run
		at   world.Time
		text string
	}{{one, 5, "c: noted"}, {other, 9, "another"}} {
		require.Len(t, x.r.ToByzantine, 4)
		assert.Equal(t, x.at, x.r.ToByzantine[3].Born)
		require.Len(t, x.r.Violations, 4)
		assert.Equal(t, x.text, x.r.Violations[3].Text)
	}
	assert.Len(t, r.Violations, 3)
	assert.Len(t, r.ToByzantine, 3)
}

// A world that follows chains since a moment is not forked.
func TestNoForkOfMoments(t *testing.T) {
	nothing := func(model.Watch, model.Observation) {}
	for since, refused := range map[bool]bool{true: true, false: false} {
		c := model.Cost{Chains: true}
		if since {
			c.Since = func(model.Observation) bool { return false }
		}
		r := start(t, tellAll(), untimed, metered(c, nothing))
		if refused {
			assert.PanicsWithError(t, "a world that follows chains from a moment on cannot be forked", func() { r.Fork() })
		} else {
			assert.NotPanics(t, func() { r.Fork() })
		}
	}
}

// An event that leads beyond a cut in a fork may still fire in the run.
func TestForksAndCuts(t *testing.T) {
	s := cutAt(talk(model.Bag, "x"), 1)
	s.Nodes[1] = server("s", acts{receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) { p.say("too long") }})
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	f := &run{TB: t, World: r.Fork()}
	require.ErrorAs(t, f.refused(0, f.of(model.Deliver, 1)), new(world.ErrCut))
	assert.True(t, r.offers(model.Deliver, 1))
	assert.Empty(t, r.Cut)
}

// Operations at boot begin in a fork as in the run.
func TestForksAtBoot(t *testing.T) {
	s := system(client("a", returns, model.Op{Call: "go", AtBoot: true}), client("b", returns, model.Op{Call: "go", AtBoot: true}))
	r := start(t, s, untimed)
	f := &run{TB: t, World: r.Fork()}
	f.do(0, model.Invoke, 0)
	f.do(0, model.Invoke, 1)
	assert.False(t, f.Booting())
	assert.True(t, r.Booting())
	r.do(0, model.Invoke, 0)
	assert.True(t, r.Booting())
}

// A standing has a node's state, and the holds that may last, by key.
func TestStandings(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, op any) {
		env.Hold("b", model.Through(2))
		env.Hold("a", model.Below(3))
	}}, model.Op{Call: "go", After: model.Exactly(1)}), client("d", acts{}, model.Op{Call: "go", After: model.Anytime()}))
	s.Faults.Crashes = 1
	claim := watching(watcher{invoked: func(w model.Watch) { w.Hold("m", model.Through(1)) }})
	a, b := world.Countdown{Key: "a", Since: 1, Step: 1, Length: model.Below(3)}, world.Countdown{Key: "b", Since: 1, Step: 1, Length: model.Through(2)}
	for _, c := range []struct {
		at   world.Time
		opt  world.Options
		want []world.Countdown
	}{
		{3, timed, []world.Countdown{a, b}}, {4, timed, nil}, {9, untimed, []world.Countdown{a, b}},
	} {
		r := start(t, s, c.opt, claim)
		assert.Equal(t, world.Status{State: r.Live(0)}, r.Status(0))
		r.do(1, model.Invoke, 0)
		assert.Equal(t, world.Status{State: r.Live(0), Begun: 1, Runs: true, Holds: []world.Countdown{a, b}}, r.Status(0))
		r.do(c.at, model.Invoke, 1)
		assert.Equal(t, c.want, r.Status(0).Holds)
		w, ok := r.MonitorStatus("watched")
		assert.True(t, ok)
		require.Len(t, w.Holds, 1)
		assert.Equal(t, "m", w.Holds[0].Key)
		assert.Equal(t, 2, w.State.(*watcher).Count)
		r.move(c.at, world.Move{Kind: model.Crash, Node: 0})
		assert.Equal(t, world.Status{Down: true, Begun: 1}, r.Status(0))
		assert.Equal(t, model.Faults{}, r.Budget())
	}
	r := start(t, s, timed, model.Claim{Name: "other"}, claim)
	got, ok := r.Claim("watched")
	assert.True(t, ok)
	assert.Equal(t, "watched", got.Name)
	for _, name := range []string{"none", "other"} {
		_, ok := r.MonitorStatus(name)
		assert.False(t, ok)
		_, ok = r.Claim(name)
		assert.Equal(t, name == "other", ok)
	}
	// A hold that excludes its last instant ends at this instant. The other does not.
	r = start(t, system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
		env.Hold("open", model.Below(2))
		env.Hold("through", model.Through(2))
		env.Return(nil)
	}},
		model.Op{Call: "go"}, model.Op{Call: "go", After: model.Exactly(2)})), timed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	deadline, _ := r.Deadline()
	require.Equal(t, world.Time(2), deadline)
	f := &run{TB: t, World: r.Fork()}
	f.do(2, model.Invoke, 0)
	holds := f.Status(0).Holds
	assert.Len(t, holds, 2, "it set both anew")
}
