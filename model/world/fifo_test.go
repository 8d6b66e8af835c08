package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

func TestFIFOFalseDeadlock(t *testing.T) {
	s := talk(model.FIFO)
	s.Nodes[0] = client("c", acts{
		invoke: func(_ *puppet, env model.Env, op any) {
			env.Send(1, op)
			if op == "a" {
				env.Return(nil)
			}
		},
		receive: func(_ *puppet, env model.Env, _ model.NodeID, m any) {
			if m == "b" {
				env.Return(nil)
			}
		},
	}, model.Op{Call: "a"}, model.Op{Call: "b", After: model.Exactly(1)})
	s.Nodes[1] = server("s", acts{receive: func(_ *puppet, env model.Env, from model.NodeID, m any) { env.Send(from, m) }})
	s.Network.Delay, s.Faults.Duplication = model.Exactly(2), 1
	r := start(t, s, timed, model.Claim{Name: "progress", Done: true})
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	r.do(1, model.Invoke, 0)
	r.move(1, world.Move{Kind: model.Duplicate, Event: r.event(model.Deliver, 1)})
	r.do(2, model.Deliver, 1)
	t.Log(len(r.Moves()), r.Stuck())
	assert.Empty(t, r.Violations)
}
