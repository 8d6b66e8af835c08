package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A cut loses exactly the messages in flight across it and the messages sent across it while it lasts. Then
// the network heals, within its window.
func TestPartition(t *testing.T) {
	relay := acts{receive: func(_ *puppet, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, op any) { env.Broadcast([]model.NodeID{0, 1, 2}, op) }},
		model.Op{Call: "one"}, model.Op{Call: "two"}), server("s", relay), server("d", relay),
		model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }
	s.Types = []any{"", 0}
	s.Network.Delay, s.Network.Partition, s.Faults.Partitions = model.By(5), model.Between(1, 4), 2
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	require.Len(t, r.pending(model.Deliver, 1), 1)
	assert.Len(t, s.Sides(), 7)
	assert.True(t, r.offers(model.Partition, -1))
	assert.EqualError(t, r.refused(0, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{0, 1}}), "the environment cannot cut the network so, or not now")
	r.move(2, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{1, 3}})
	assert.Empty(t, r.pending(model.Deliver, 1), "lost")
	assert.Len(t, r.pending(model.Deliver, 2), 1, "on this side")
	assert.Len(t, r.pending(model.Deliver, 0), 1, "to itself")
	assert.False(t, r.offers(model.Partition, -1), "one cut at a time")
	for _, m := range r.Forgeries() {
		assert.Equal(t, model.NodeID(1), m.Node, "the liar is there")
	}
	assert.Error(t, r.refused(2, world.Move{Kind: model.Forge, Node: 0, From: 3, Value: "lie"}))
	rec := r.do(3, model.Deliver, 2)
	assert.Len(t, rec.Sent, 1)
	heal := r.event(model.Heal, -1)
	earliest, latest, ok := r.Fires(heal)
	assert.Equal(t, []any{world.Time(3), world.Time(5), true}, []any{earliest, latest, ok}, "the first message is due at 5")
	rec = r.move(3, world.Move{Kind: model.Forge, Node: 1, From: 3, Value: "lie"})
	assert.Empty(t, rec.Sent, "nobody is Byzantine's receiver")
	assert.False(t, r.Stuck(), "it heals")
	r.fire(4, heal)
	assert.True(t, r.offers(model.Partition, -1))
	assert.NotEmpty(t, r.Forgeries())
}

// A message that may arrive again after a crash is in the network. It is lost if it would cross the cut.
func TestPartitionsLoseWhatMayComeAgain(t *testing.T) {
	for cut, again := range map[model.NodeID]int{1: 0, 2: 1} {
		s := restarting(model.Bag)
		s.Faults.Partitions, s.Network.Delay = 1, model.Anytime()
		r := start(t, s, untimed)
		r.do(0, model.Invoke, 0)
		r.do(0, model.Deliver, 1)
		r.move(0, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{cut}})
		r.move(0, world.Move{Kind: model.Crash, Node: 1})
		r.move(0, world.Move{Kind: model.Restart, Node: 1})
		assert.Len(t, r.pending(model.Deliver, 1), again, "node %d is cut off", cut)
	}
}
