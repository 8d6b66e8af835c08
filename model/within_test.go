package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A counter is an inner node: it asks the server, and returns at its alarm.
type counter struct {
	Got   []string
	Rings int
}

func (c *counter) start(env model.Env, lease model.Ticks) {
	env.Hold("lease", model.Through(lease))
	env.After("ring", model.Exactly(lease))
	env.After("never", model.Exactly(9))
	env.Cancel("never")
	env.Broadcast([]model.NodeID{1}, "hello")
}

func (c *counter) Receive(env model.Env, _ model.NodeID, m any) {
	held := "over"
	if env.Held("lease") {
		held = "held"
	}
	c.Got = append(c.Got, m.(string)+" "+held)
}

func (c *counter) Timeout(env model.Env, _ any) { c.Rings++; env.Return(c.Rings) }

// A couple has two counters with the tags "a" and "b", and a third within b's.
type couple struct {
	A, B, Deep counter
	Results    []string
}

func (c *couple) Invoke(env model.Env, _ any) {
	c.A.start(c.within(env, "a"), 1)
	c.B.start(c.within(env, "b"), 3)
	c.Deep.start(model.Within(c.within(env, "b"), "deep", c.result("deep")), 2)
	env.Hold("lease", model.Through(0)) // its own
}

func (c *couple) within(env model.Env, tag string) model.Env {
	return model.Within(env, tag, c.result(tag))
}

func (c *couple) result(tag string) func(any) {
	return func(result any) {
		if result == 1 {
			c.Results = append(c.Results, tag)
		}
	}
}

// inner returns the counter of a wrapped value, with its env.
func (c *couple) inner(env model.Env, in model.Inner) (*counter, model.Env, any) {
	if deep, ok := in.Value.(model.Inner); ok {
		return &c.Deep, model.Within(c.within(env, in.Tag), deep.Tag, c.result("deep")), deep.Value
	}
	if in.Tag == "a" {
		return &c.A, c.within(env, "a"), in.Value
	}
	return &c.B, c.within(env, "b"), in.Value
}

func (c *couple) Receive(env model.Env, from model.NodeID, m any) {
	n, e, v := c.inner(env, m.(model.Inner))
	n.Receive(e, from, v)
}

func (c *couple) Timeout(env model.Env, key any) {
	n, e, v := c.inner(env, key.(model.Inner))
	n.Timeout(e, v)
	if len(c.Results) == 3 {
		env.Return(len(c.Results))
	}
}

// An echo returns each message to its sender.
type echo struct{}

func (*echo) Receive(env model.Env, from model.NodeID, m any) { env.Send(from, m) }

// The leases of the three counters last 1, 3 and 2 ticks. The echoes arrive at 2, so each counter's answer
// shows which hold it queried. The alarms ring in the order of the leases, and only the outer node's return
// reaches the application.
func TestNodesWithinANodeDoNotMixUp(t *testing.T) {
	s := &model.System{
		Nodes: []model.NodeSpec{
			{Name: "c", New: func() model.Node { return &couple{} }, Script: []model.Op{{Call: "go"}}},
			{Name: "s", Role: model.Server, New: func() model.Node { return &echo{} }},
		},
		Network: model.Network{Channel: model.FIFO, Delay: model.Exactly(1)},
	}
	require.NoError(t, s.Validate())
	w, err := world.New(s, nil, world.Options{Timed: true})
	require.NoError(t, err)
	for range 100 {
		moves := w.Moves()
		if len(moves) == 0 {
			break
		}
		at, _, _ := w.Fires(moves[0].Event)
		_, err := w.Step(moves[0], at, nil)
		require.NoError(t, err)
	}
	require.True(t, w.Done(), "the outer node returned")
	c := w.Live(0).(*couple)
	assert.Equal(t, counter{Got: []string{"hello over"}, Rings: 1}, c.A)
	assert.Equal(t, counter{Got: []string{"hello held"}, Rings: 1}, c.B)
	assert.Equal(t, "hello held", c.Deep.Got[0])
	assert.Equal(t, []string{"a", "deep", "b"}, c.Results)
	assert.Equal(t, world.Time(3), w.Now)
}
