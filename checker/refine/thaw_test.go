package refine_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/lab/random"
	"contend/model/value"
	"contend/model/world"
)

// A run that was frozen and thawed is where it was, and the same can happen: of random systems with all
// faults, step by step, with the same answers.
func TestThawedRunsAreTheSame(t *testing.T) {
	steps, holds, repeats, queued := 0, 0, 0, 0
	for seed := range uint64(150) {
		s := random.Draw(seed).System
		codec, err := value.New(s)
		require.NoError(t, err)
		x, err := world.Prepare(s, codec, nil)
		require.NoError(t, err)
		w, err := x.Start(world.Options{})
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 1))
		for range 30 {
			f := w.Frozen()
			again := x.Thaw(f)
			require.Equal(t, w.State(), again.State(), "seed %d", seed)
			require.Equal(t, value.Canonical(f), value.Canonical(again.Frozen()), "seed %d", seed)
			moves, same := w.Moves(), again.Moves()
			require.Len(t, same, len(moves), "seed %d", seed)
			if len(moves) == 0 || w.Failed() {
				break
			}
			for _, n := range f.Nodes {
				holds += len(n.Holds)
			}
			for _, e := range f.Pending {
				if e.Optional {
					repeats++
				}
				if e.Place > 1 {
					queued++
				}
			}
			m := moves[r.IntN(len(moves))]
			answers := r.Uint64()
			answer := func(n int, _ string) int { return int(answers % uint64(n)) }
			there := same[matching(m, same)]
			_, err := w.Step(m, 0, answer)
			_, other := again.Step(there, 0, answer)
			require.Equal(t, err == nil, other == nil, "seed %d: %v, %v", seed, err, other)
			if err != nil || w.Failed() {
				break
			}
			require.Equal(t, w.State(), again.State(), "seed %d", seed)
			steps++
		}
	}
	require.Greater(t, steps, 1000)
	for what, n := range map[string]int{"holds": holds, "what may come once more": repeats, "queues": queued} {
		require.Positive(t, n, what)
	}
}

// matching is the place of the same move: thawed events have an order of their own.
func matching(m world.Move, same []world.Move) int {
	is := func(a world.Move) string {
		if a.Event != nil {
			e := *a.Event
			return value.Canonical(world.FrozenEvent{Kind: a.Kind, Node: int(e.Node), From: int(e.From), Value: e.Value, Op: e.Op, Optional: e.Optional, Place: int(e.Kind)})
		}
		return value.Canonical(world.FrozenEvent{Kind: a.Kind, Node: int(a.Node), Value: a.Value})
	}
	for i, x := range same {
		if is(x) == is(m) {
			return i
		}
	}
	return -1
}
