package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// A ticker acts by itself for ever, and answers calls.
type ticker struct{ Ticks int }

func (n *ticker) Start(env model.Env)         { env.After("tick", model.By(1)) }
func (n *ticker) Invoke(env model.Env, _ any) { env.Return(nil) }
func (n *ticker) Timeout(env model.Env, _ any) {
	n.Ticks = (n.Ticks + 1) % 8
	env.After("tick", model.By(1))
}
func (n *ticker) Receive(model.Env, model.NodeID, any) {}

// A run does not wait for a node that is down to its last step, where the others act by themselves and are done.
func TestNobodyIsAwaitedForEver(t *testing.T) {
	s := &model.System{Faults: model.Faults{Restarts: 2}, Types: []any{""}, Network: model.Network{Delay: model.By(1)}}
	for _, name := range []string{"a", "b", "c"} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Peer, New: func() model.Node { return &ticker{} }, Crash: model.CrashRecovery,
			Script: []model.Op{{Call: "call", After: model.By(9)}, {Call: "call", After: model.By(9)}}})
	}
	for _, timed := range []bool{false, true} {
		r, err := Sample(s, nil, Options{Schedules: 400, Seed: 1, Timed: timed})
		require.NoError(t, err)
		assert.Equal(t, map[End]int64{Done: 400}, r.Ends)
		assert.Less(t, r.MaxDepth, 2000)
	}
}
