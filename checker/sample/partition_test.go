package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// A caller calls an answerer at each tick, and notes when it has heard nothing for so many ticks.
type caller struct{ Unanswered int }

const patience = 40

func (n *caller) Start(env model.Env)         { env.After("tick", model.Exactly(3)) }
func (n *caller) Invoke(env model.Env, _ any) { env.Return(nil) }
func (n *caller) Timeout(env model.Env, _ any) {
	if n.Unanswered++; n.Unanswered == patience {
		env.Note("alone")
	}
	env.Send(1, "call")
	env.After("tick", model.Exactly(3))
}
func (n *caller) Receive(model.Env, model.NodeID, any) { n.Unanswered = 0 }

type answerer struct{}

func (*answerer) Start(model.Env)                                 {}
func (*answerer) Receive(env model.Env, from model.NodeID, m any) { env.Send(from, m) }
func (*answerer) Timeout(model.Env, any)                          {}

// alone is violated by the caller's note.
type alone struct{}

func (*alone) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Violate("nobody has answered for %d ticks", patience)
	}
}

// Some partitions outlast many time-outs.
func TestLongPartitions(t *testing.T) {
	s := &model.System{Faults: model.Faults{Partitions: 2}, Types: []any{""}, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
		{Name: "caller", Role: model.Client, New: func() model.Node { return &caller{} }},
		{Name: "answerer", Role: model.Server, New: func() model.Node { return &answerer{} }},
	}}
	claim := model.Claim{Name: "answered", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &alone{} }}
	r, err := Sample(s, []model.Claim{claim}, Options{Schedules: 200, Seed: 1, Timed: true})
	require.NoError(t, err)
	assert.Len(t, r.Violations, 1)
}
