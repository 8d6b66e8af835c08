package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// A counter counts so many alarms, and notes that it is done.
type counter struct{ Left int }

func (n *counter) Start(env model.Env) { env.After("tick", model.Exactly(10)) }
func (n *counter) Timeout(env model.Env, _ any) {
	if n.Left--; n.Left == 0 {
		env.Note("done")
		return
	}
	env.After("tick", model.Exactly(10))
}
func (*counter) Receive(model.Env, model.NodeID, any) {}

// first is violated if node 1 is done before node 0.
type first struct{ Done bool }

func (f *first) Observe(w model.Watch, o model.Observation) {
	if o.Node == 1 && !f.Done {
		w.Violate("node 1 is done before node 0")
	}
	f.Done = f.Done || o.Node == 0
}

// Where clocks drift, one is slow all the time in some runs, and another one fast: 240 ticks of the fast one are less than 100 of the slow
// one. Clocks whose rate changes from one alarm to the next hardly ever differ so much.
func TestSlowClocks(t *testing.T) {
	p := &model.Protocol{Name: "counters", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Network: model.Network{Delay: model.By(1)}}
		for i, left := range []int{10, 24} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: []string{"slow", "fast"}[i], Role: model.Peer, New: func() model.Node { return &counter{left} }})
		}
		return s, nil
	}}
	s, err := p.System("", model.Config{Drift: 500})
	require.NoError(t, err)
	claim := model.Claim{Name: "first", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &first{} }}
	r, err := Sample(s, []model.Claim{claim}, Options{Schedules: 400, Seed: 1, Timed: true})
	require.NoError(t, err)
	assert.Len(t, r.Violations, 1)
}
