package oracle_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// Without strict bounds, whole ticks and real time reach the same states. The two explorations share only the
// interpreter.
func TestWholeTicksAndRealTimeAgree(t *testing.T) {
	compared, violated := 0, 0
	for seed := uint64(0); compared < 40; seed++ {
		it := random.Draw(seed)
		claims := reached(it.Claims)
		if it.Reading != model.Grid || len(claims) == 0 {
			continue
		}
		whole, err := oracle.Explore(it.System, oracle.Watched(claims), oracle.Whole, 40)
		if err != nil || whole.Strict {
			continue
		}
		real, err := oracle.Explore(it.System, oracle.Watched(claims), oracle.Real, 400)
		if errors.Is(err, oracle.ErrLarge) {
			continue
		}
		require.NoError(t, err)
		compared++
		for _, c := range claims {
			v := whole.Decide(c)
			assert.Equal(t, v, real.Decide(c), "seed %d, %s", seed, c.Name)
			if v == oracle.Violated {
				violated++
			}
		}
	}
	assert.Greater(t, violated, 5, "of the claims too few are violated")
}

// reached returns the claims about reachability.
func reached(claims []model.Claim) (list []model.Claim) {
	for _, c := range claims {
		if c.Kind == model.Always && c.Name != "nothing" || c.Kind == model.Sometimes || c.Kind == model.Linearizable {
			list = append(list, c)
		}
	}
	return list
}

// In real time a run may need any number of instants between two ticks: here a message goes
// from node to node, each time later within the same tick, and each node rings a tick after
// it came. They ring in that order and in no other.
func TestRealTimeIsAsFineAsARunNeeds(t *testing.T) {
	s := system()
	for i := range 3 {
		s.Nodes = append(s.Nodes, node(string(rune('a'+i)), model.Peer, puppet{
			start: func(_ *puppet, env model.Env) {
				if i == 0 {
					env.Send(0, 0)
				}
			},
			receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) {
				env.Note(i)
				env.After("ring", model.Exactly(1))
				if i < 2 {
					env.Send(model.NodeID(i+1), 0)
				}
			},
			timeout: func(_ *puppet, env model.Env, _ any) { env.Note(10 + i) },
		}))
	}
	s.Network.Delay = open(0, 1)
	for _, x := range []struct {
		want []int
		is   oracle.Verdict
	}{
		{[]int{0, 1, 2, 10, 11, 12}, oracle.Holds},
		{[]int{0, 10, 1, 11, 2, 12}, oracle.Violated}, // the first would ring before its message came
		{[]int{0, 1, 10, 2, 11, 12}, oracle.Holds},
		{[]int{11, 10}, oracle.Violated},
		{[]int{12, 11}, oracle.Violated},
	} {
		c := notes(model.Sometimes, x.want...)
		g, err := oracle.Explore(s, []model.Claim{c}, oracle.Real, 1000)
		require.NoError(t, err)
		assert.Equal(t, x.is, g.Decide(c), "%v", x.want)
	}
}
