package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// talk returns a client that sends the messages to a server, all at time 0.
func talk(channel model.Channel, messages ...any) *model.System {
	s := system(client("c", acts{invoke: tell(1, messages...)}, model.Op{Call: "go"}), server("s", acts{}))
	s.Network = model.Network{Channel: channel, Delay: model.By(4)}
	return s
}

func TestABagDeliversInAnyOrder(t *testing.T) {
	r := start(t, talk(model.Bag, "a", "b", "a"), timed)
	r.do(0, model.Invoke, 0)
	events := r.pending(model.Deliver, 1)
	require.Len(t, events, 3)
	assert.Equal(t, []int{1, 2, 3}, []int{events[0].Occurrence, events[1].Occurrence, events[2].Occurrence})
	r.fire(1, events[2])
	r.fire(1, events[1])
	r.fire(2, events[0])
	assert.Equal(t, []string{"receive a from 0", "receive b from 0", "receive a from 0"}, r.log(1))
}

func TestFIFODeliversInTheOrderSent(t *testing.T) {
	r := start(t, talk(model.FIFO, "a", "b"), timed)
	r.do(0, model.Invoke, 0)
	second := r.pending(model.Deliver, 1)[1]
	require.Len(t, r.Moves(), 1)
	assert.ErrorContains(t, r.refused(1, world.Move{Kind: model.Deliver, Event: second}), "the event cannot fire at 1")
	r.do(1, model.Deliver, 1)
	r.fire(1, second)
	assert.Equal(t, []string{"receive a from 0", "receive b from 0"}, r.log(1))
}

// The order is per pair of nodes. Other senders and receivers do not wait.
func TestFIFOOrdersEachPairAlone(t *testing.T) {
	s := talk(model.FIFO, "a")
	s.Nodes = append(s.Nodes, client("d", acts{invoke: tell(1, "x")}, model.Op{Call: "go"}))
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Invoke, 2)
	r.fire(0, r.pending(model.Deliver, 1)[1])
	r.do(0, model.Deliver, 1)
	assert.Equal(t, []string{"receive x from 2", "receive a from 0"}, r.log(1))
}

// After the loss of the first message of a channel the next message is deliverable.
func TestFIFOLoss(t *testing.T) {
	s := talk(model.FIFO, "a", "b")
	s.Faults.Loss = 1
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.move(0, world.Move{Kind: model.Lose, Event: r.event(model.Deliver, 1)})
	r.do(0, model.Deliver, 1)
	assert.Equal(t, []string{"receive b from 0"}, r.log(1))
}

// A set stores one of equal messages between two nodes, with the window of the first. A message that differs,
// comes from another node or was delivered is not merged.
func TestASetCoalesces(t *testing.T) {
	s := talk(model.Set, "a", "b", "a")
	s.Nodes = append(s.Nodes, client("d", acts{invoke: tell(1, "a")}, model.Op{Call: "go"}))
	r := start(t, s, timed)
	rec := r.do(0, model.Invoke, 0)
	assert.Len(t, rec.Sent, 2)
	r.do(0, model.Invoke, 2)
	assert.Len(t, r.pending(model.Deliver, 1), 3)
}

func TestASetKeepsTheWindow(t *testing.T) {
	s := system(client("c", acts{
		start:   func(_ *puppet, env model.Env) { env.Send(1, "a"); env.After("k", model.Exactly(3)) },
		timeout: func(_ *puppet, env model.Env, _ any) { env.Send(1, "a") },
	}), server("s", acts{}))
	s.Network = model.Network{Channel: model.Set, Delay: model.Exactly(4)}
	r := start(t, s, timed)
	r.do(3, model.Timeout, 0)
	require.Len(t, r.pending(model.Deliver, 1), 1)
	r.do(4, model.Deliver, 1)
	assert.Empty(t, r.pending(model.Deliver, 1))

	r = start(t, s, untimed)
	r.do(0, model.Deliver, 1)
	r.do(0, model.Timeout, 0)
	assert.Len(t, r.pending(model.Deliver, 1), 1, "the first is no longer in flight")
}

// Each pair may have its own window, and a node may send to itself.
func TestDelaysOfPairs(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
		env.Broadcast([]model.NodeID{0, 1}, "m")
	}}, model.Op{Call: "go"}), server("s", acts{}))
	s.Network.Delays = func(from, to model.NodeID) model.Window { return model.Exactly(model.Ticks(1 + to - from)) }
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	r.do(1, model.Deliver, 0)
	r.do(2, model.Deliver, 1)
	assert.Equal(t, []string{"invoke go", "receive m from 0"}, r.log(0))
}
