package world_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// An invocation returns once: not again while its return is pending.
func TestOneReturnIsPending(t *testing.T) {
	again := acts{
		invoke:  func(_ *puppet, env model.Env, _ any) { env.Return(0); env.After("again", model.Exactly(1)) },
		timeout: func(_ *puppet, env model.Env, _ any) { env.Return(0) },
	}
	s := system(client("c", again, model.Op{Call: "go"}))
	s.Types, s.Returned = []any{"", 0}, model.By(5)
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	r.do(1, model.Timeout, 0)
	require.True(t, r.World.Failed())
	assert.Contains(t, r.Violations[0].Text, "node c returns, but no invocation runs")
}

// An arrived message may come again while its window lasts. After that a state does not contain it.
func TestDeliveriesAreForgotten(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, op any) {
		env.Send(1, op)
		env.After("later", model.Exactly(4))
	}}, model.Op{Call: "go"}), server("s", acts{}))
	s.Types, s.Network.Delay, s.Faults.Restarts = []any{""}, model.By(3), 1
	r := start(t, s, timed)
	delivered := func() bool { return strings.Contains(strings.Join(r.State(), "\n"), "delivered ") }
	r.do(0, model.Invoke, 0)
	r.do(1, model.Deliver, 1)
	assert.True(t, delivered())
	r.do(4, model.Timeout, 0)
	assert.False(t, delivered())
}

// A run has not ended while a node may restart, even if every script is done.
func TestARunThatMayGoOnHasNotEnded(t *testing.T) {
	returns := acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Return(0) }}
	s := system(client("c", returns, model.Op{Call: "go"}), server("s", acts{}))
	s.Types, s.Faults.Restarts = []any{"", 0}, 1
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	assert.False(t, r.Ended())
	r.do(0, model.Return, 0)
	assert.True(t, r.Ended())
	r.move(0, world.Move{Kind: model.Crash, Node: 1})
	assert.True(t, r.Done())
	assert.False(t, r.Ended())
	r.move(0, world.Move{Kind: model.Restart, Node: 1})
	assert.True(t, r.Ended())
}
