package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

func TestLoss(t *testing.T) {
	s := talk(model.Bag, "a", "b")
	s.Faults.Loss = 1
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	events := r.pending(model.Deliver, 1)
	r.move(3, world.Move{Kind: model.Lose, Event: events[0]})
	assert.Equal(t, events[1:], r.pending(model.Deliver, 1))
	assert.False(t, r.offers(model.Lose, 1), "the budget is spent")
	assert.EqualError(t, r.refused(3, world.Move{Kind: model.Lose, Event: events[1]}), "the environment has no lose to spend at s")
}

// A copy keeps the window of its original, and may arrive before or after it.
func TestDuplication(t *testing.T) {
	s := talk(model.Bag, "a")
	s.Faults.Duplication = 1
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	r.move(3, world.Move{Kind: model.Duplicate, Event: r.event(model.Deliver, 1)})
	events := r.pending(model.Deliver, 1)
	require.Len(t, events, 2)
	assert.Equal(t, []int{1, 2}, []int{events[0].Occurrence, events[1].Occurrence})
	assert.False(t, r.offers(model.Duplicate, 1))
	for _, e := range events {
		_, latest, ok := r.Fires(e)
		require.True(t, ok)
		assert.Equal(t, world.Time(4), latest)
	}
	r.fire(4, events[1])
	r.fire(4, events[0])
	assert.Len(t, r.log(1), 2)
}

// A crash of a client ends its timers, holds and script, and drops messages to it. Its sent messages still
// arrive, and later messages to it are dropped.
func TestClientCrash(t *testing.T) {
	s := system(client("c", acts{
		start: func(_ *puppet, env model.Env) { env.Hold("h", model.Through(9)); env.After("k", model.Exactly(9)) },
		invoke: func(_ *puppet, env model.Env, _ any) {
			env.Broadcast([]model.NodeID{0, 1}, "m")
			env.Return(nil)
		},
	}, model.Op{Call: "go"}, model.Op{Call: "again"}),
		server("s", acts{receive: func(_ *puppet, env model.Env, from model.NodeID, _ any) { env.Send(from, "answer") }}))
	s.Network.Delay, s.Faults.Crashes = model.By(5), 1
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	require.True(t, r.offers(model.Crash, 0))
	require.False(t, r.offers(model.Crash, 1), "a server crashes only to restart")
	rec := r.move(0, world.Move{Kind: model.Crash, Node: 0})
	assert.Equal(t, []model.Observation{{Kind: model.Crashed, Node: 0, Op: -1}}, rec.Observations)
	assert.Nil(t, r.Live(0))
	assert.Nil(t, r.Node(0))
	assert.True(t, r.Done(), "a script that crashed owes nothing")
	require.Len(t, r.Pending(), 1)
	rec = r.do(5, model.Deliver, 1)
	assert.Empty(t, rec.Sent, "nobody is there to answer")
	assert.False(t, r.offers(model.Restart, 0), "for good")
	assert.EqualError(t, r.refused(5, world.Move{Kind: model.Crash, Node: 0}), "the environment has no crash to spend at c")
	assert.EqualError(t, r.refused(5, world.Move{Kind: model.Restart, Node: 0}), "the environment has no restart to spend at c")
}

// restarting returns a server that counts in memory, and two clients that send "a" at 0 and "b" at any time.
func restarting(channel model.Channel) *model.System {
	s := talk(channel, "a")
	s.Nodes[1] = server("s", acts{start: func(p *puppet, env model.Env) {
		p.say("start")
		env.After("k", model.Exactly(50))
	}})
	s.Nodes = append(s.Nodes, client("d", acts{invoke: tell(1, "b")}, model.Op{Call: "go", After: model.Anytime()}))
	s.Faults.Restarts = 1
	return s
}

// A restarted server has lost its memory and runs Start. Messages in flight to it arrive later. Messages that
// arrive while it is down are lost.
func TestServerRestart(t *testing.T) {
	r := start(t, restarting(model.Bag), timed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Invoke, 2)
	r.move(1, world.Move{Kind: model.Crash, Node: 1})
	assert.Nil(t, r.Live(1))
	assert.Empty(t, r.pending(model.Timeout, 1))
	assert.False(t, r.Stuck(), "a restart is still to come")
	r.do(2, model.Deliver, 1) // "a" is lost
	rec := r.move(3, world.Move{Kind: model.Restart, Node: 1})
	assert.Equal(t, []string{"start"}, r.log(1))
	assert.Len(t, rec.Armed, 1)
	r.do(4, model.Deliver, 1)
	assert.Equal(t, []string{"start", "receive b from 2"}, r.log(1))
	assert.Empty(t, r.pending(model.Deliver, 1))
	assert.False(t, r.offers(model.Crash, 1), "the budget is spent")
}

// A message to the old incarnation may arrive again within its window. The deadline does not force it.
func TestOldMessagesArriveAgain(t *testing.T) {
	for _, channel := range []model.Channel{model.Bag, model.FIFO, model.Set} {
		s := restarting(channel)
		s.Faults.Loss = 1
		r := start(t, s, timed)
		r.do(0, model.Invoke, 0)
		r.do(1, model.Deliver, 1)
		r.move(1, world.Move{Kind: model.Crash, Node: 1})
		r.move(2, world.Move{Kind: model.Restart, Node: 1})
		again := r.event(model.Deliver, 1)
		require.True(t, again.Optional)
		assert.NotContains(t, r.Moves(), world.Move{Kind: model.Lose, Event: again}, "the environment need not spend a loss on it")
		_, latest, _ := r.Fires(again)
		assert.Equal(t, world.Time(4), latest)
		deadline, _ := r.Deadline()
		assert.Equal(t, world.Time(52), deadline, "of the alarm: an optional event forces nothing")
		r.do(2, model.Invoke, 2)
		r.fire(3, r.pending(model.Deliver, 1)[1])
		r.do(4, model.Deliver, 1)
		assert.Equal(t, []string{"start", "receive b from 2", "receive a from 0"}, r.log(1), channel)
	}
}

func TestOptionalEventsExpire(t *testing.T) {
	r := start(t, restarting(model.Bag), timed)
	r.do(0, model.Invoke, 0)
	r.do(1, model.Deliver, 1)
	r.move(1, world.Move{Kind: model.Crash, Node: 1})
	r.move(2, world.Move{Kind: model.Restart, Node: 1})
	r.do(4, model.Invoke, 2)
	require.Len(t, r.pending(model.Deliver, 1), 2, "at 4 it may still arrive")
	r.fire(5, r.pending(model.Deliver, 1)[1])
	require.Empty(t, r.pending(model.Deliver, 1), "the time of the other has passed")

	r = start(t, restarting(model.Bag), timed)
	r.do(0, model.Invoke, 0)
	r.do(1, model.Deliver, 1)
	r.move(1, world.Move{Kind: model.Crash, Node: 1})
	r.move(5, world.Move{Kind: model.Restart, Node: 1})
	assert.Empty(t, r.pending(model.Deliver, 1), "it came back too late")
}

// In FIFO order an optional message holds up nothing that is sent later.
func TestOptionalEventsHoldUpNothing(t *testing.T) {
	s := restarting(model.FIFO)
	s.Nodes[0] = client("c", acts{invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Return(nil) }},
		model.Op{Call: "a"}, model.Op{Call: "b", After: model.Anytime()})
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	r.do(0, model.Deliver, 1)
	r.move(0, world.Move{Kind: model.Crash, Node: 1})
	r.move(0, world.Move{Kind: model.Restart, Node: 1})
	r.do(0, model.Invoke, 0)
	r.fire(0, r.pending(model.Deliver, 1)[1])
	assert.Equal(t, []string{"start", "receive b from 0"}, r.log(1))
}

// byzantine returns a system with a Byzantine node that may forge numbers up to the client's.
func byzantine() *model.System {
	s := system(client("c", acts{invoke: tell(1, "hello")}, model.Op{Call: "go"}),
		model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(receiver model.Node, to, from model.NodeID) []any {
		return []any{len(receiver.(*puppet).Log), "lie"}
	}
	return s
}

func TestByzantineNodes(t *testing.T) {
	s := byzantine()
	s.Nodes[0].Crash, s.Faults = model.NoCrashes, model.Faults{Restarts: 1}
	s.Nodes = append(s.Nodes, server("honest", acts{}))
	r := start(t, s, untimed)
	r.move(0, world.Move{Kind: model.Crash, Node: 2})
	assert.Equal(t, []world.Move{
		{Kind: model.Forge, From: 1, Value: 0}, {Kind: model.Forge, From: 1, Value: "lie"},
	}, r.Forgeries(), "to everybody but itself")
	rec := r.do(0, model.Invoke, 0)
	assert.Empty(t, rec.Sent, "it receives nothing")
	assert.Nil(t, r.Live(1))
	assert.Equal(t, []world.Move{{Kind: model.Restart, Node: 2}}, r.Moves(), "it neither crashes nor restarts")
	r.move(0, r.Forgeries()[0])
	r.move(0, r.Forgeries()[0])
	assert.Equal(t, []string{"invoke go", "receive 1 from 1", "receive 2 from 1"}, r.log(0), "the alphabet follows the receiver's state")
}

func TestNobodyForgesForACorrectNodeOrToOneThatIsDown(t *testing.T) {
	s := byzantine()
	s.Nodes = append(s.Nodes, client("d", acts{}))
	s.Faults.Crashes = 1
	r := start(t, s, untimed)
	assert.Error(t, r.refused(0, world.Move{Kind: model.Forge, From: 2, Node: 0, Value: "lie"}))
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	assert.Error(t, r.refused(0, world.Move{Kind: model.Forge, From: 1, Node: 0, Value: "lie"}))
	for _, m := range r.Forgeries() {
		assert.Equal(t, model.NodeID(2), m.Node)
	}
}
