package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A delivery of a node is observed in order with its notes, with the node's causal past. It is no pending
// event, and needs no running operation.
func TestDeliveries(t *testing.T) {
	both := acts{receive: func(_ *puppet, env model.Env, _ model.NodeID, m any) {
		env.Deliver(m)
		env.Note("between")
		env.Deliver(m)
	}}
	s := system(client("a", acts{invoke: tell(1, "m")}, model.Op{Call: "go"}), client("b", both))
	r := start(t, s, untimed, past())
	r.do(0, model.Invoke, 0)
	pending := len(r.Pending())
	rec := r.do(0, model.Deliver, 1)
	past := []int32{1, 0}
	assert.Equal(t, []model.Observation{
		{Kind: model.Delivered, Node: 1, Op: -1, Value: "m", Past: past},
		{Kind: model.Noted, Node: 1, Op: -1, Value: "between", Past: past},
		{Kind: model.Delivered, Node: 1, Op: -1, Value: "m", Past: past},
	}, rec.Observations)
	assert.Len(t, r.Pending(), pending-1)
}
