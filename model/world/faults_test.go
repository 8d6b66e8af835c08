package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// several returns a client that sends to two servers. The servers may crash and restart.
func several(channel model.Channel) *model.System {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Send(2, op); env.Return(nil) }},
		model.Op{Call: "a"}, model.Op{Call: "b"}), server("s", acts{}), server("d", acts{}))
	s.Network = model.Network{Channel: channel, Delay: model.Between(1, 4)}
	s.Faults.Restarts = 2
	return s
}

// back crashes a node and restarts it.
func (r *run) back(at world.Time, id model.NodeID) {
	r.Helper()
	r.move(at, world.Move{Kind: model.Crash, Node: id})
	r.move(at, world.Move{Kind: model.Restart, Node: id})
}

// values returns the messages in flight to a node.
func (r *run) values(id model.NodeID) (all []any) {
	for _, e := range r.pending(model.Deliver, id) {
		all = append(all, e.Value)
	}
	return all
}

// All messages that arrived at a restarted node may arrive again, and no messages of other nodes. At another
// node they may when that node restarts. Each may arrive again once for each restart.
func TestWhatArrivesOnceMore(t *testing.T) {
	r := start(t, several(model.Bag), untimed)
	for range 2 {
		r.do(0, model.Invoke, 0)
		r.do(0, model.Return, 0)
		r.do(0, model.Deliver, 2)
		r.do(0, model.Deliver, 1)
	}
	r.back(0, 1)
	assert.Equal(t, []any{"a", "b"}, r.values(1))
	assert.Empty(t, r.values(2))
	again := r.pending(model.Deliver, 1)
	r.fire(0, again[0])
	r.back(0, 2)
	assert.Equal(t, []any{"a", "b"}, r.values(2))
	assert.Equal(t, []any{"b"}, r.values(1), "it arrived once more, and the budget is spent")
}

// Arrived messages are stored for a restart only if a restart is possible: within the budget, at a node that
// can restart and is up, over a network that delivers more than once.
func TestWhatIsKeptForARestart(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *model.System)
		want   []any
	}{
		"kept":                {func(*model.System) {}, []any{"a"}},
		"once":                {func(s *model.System) { s.Network.Once = true }, nil},
		"it crashes for good": {func(s *model.System) { s.Nodes[1].Crash = model.CrashStop; s.Faults.Crashes = 1 }, nil},
		"the budget is spent": {func(s *model.System) { s.Faults.Restarts = 1 }, []any{"a"}},
		"there is no budget":  {func(s *model.System) { s.Faults.Restarts = 0 }, nil},
	} {
		s := several(model.Bag)
		c.change(s)
		r := start(t, s, untimed)
		r.do(0, model.Invoke, 0)
		r.do(0, model.Deliver, 1)
		kept := 0
		for _, line := range r.State() {
			if len(line) > 9 && line[:9] == "delivered" {
				kept++
			}
		}
		assert.Equal(t, len(c.want), kept, name)
		if r.offers(model.Restart, 1) || !r.offers(model.Crash, 1) || name == "it crashes for good" {
			continue
		}
		r.back(0, 1)
		assert.Equal(t, c.want, r.values(1), name)
	}
	r := start(t, several(model.Bag), untimed)
	r.do(0, model.Invoke, 0)
	r.move(0, world.Move{Kind: model.Crash, Node: 1})
	r.do(0, model.Deliver, 1) // nobody receives it
	r.move(0, world.Move{Kind: model.Restart, Node: 1})
	assert.Empty(t, r.values(1), "it was lost, and did not arrive")
}

// What arrived at a node that then crashes for good is forgotten, and the budget is spent once.
func TestCrashesForGood(t *testing.T) {
	s := several(model.Bag)
	s.Nodes[1].Crash, s.Nodes[2].Crash, s.Faults.Crashes = model.CrashStopRecovery, model.CrashStopRecovery, 2
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	require.Contains(t, r.State()[len(r.State())-1], "delivered")
	r.move(0, world.Move{Kind: model.Stop, Node: 1})
	assert.NotContains(t, r.State()[len(r.State())-1], "delivered")
	assert.Equal(t, model.Faults{Crashes: 1, Restarts: 2}, r.Budget())
	assert.True(t, r.offers(model.Stop, 2))
	assert.Empty(t, r.values(1), "nothing to it is in flight")
	r.do(0, model.Return, 0)
	r.do(0, model.Invoke, 0)
	assert.Empty(t, r.values(1), "and nothing is sent to it")
	assert.Equal(t, []any{"a", "b"}, r.values(2))
	r.move(0, world.Move{Kind: model.Stop, Node: 2})
	assert.Equal(t, model.Faults{Restarts: 2}, r.Budget())
	assert.False(t, r.offers(model.Stop, 0))
}

// A message that may come again is removed exactly when its window has passed, and so is an arrived message.
// In an untimed run it stays.
func TestWhatMayComeAgainGoes(t *testing.T) {
	for _, c := range []struct {
		flight model.Window
		opt    world.Options
		at     world.Time
		want   int
	}{
		{model.Between(1, 4), timed, 4, 1}, {model.Between(1, 4), timed, 5, 0},
		{model.Window{Hi: model.Below(4)}, timed, 3, 1}, {model.Window{Hi: model.Below(4)}, timed, 4, 0},
		{model.Anytime(), timed, 99, 1}, {model.Between(1, 4), untimed, 9, 1},
	} {
		for _, before := range []bool{true, false} { // whether it restarts before its window passes
			s := several(model.Bag)
			s.Network.Delay = c.flight
			s.Nodes[0].Script[1].After = model.Anytime()
			r := start(t, s, c.opt)
			r.do(0, model.Invoke, 0)
			r.do(0, model.Return, 0)
			first := world.Time(1)
			if !c.opt.Timed {
				first = 0
			}
			r.do(first, model.Deliver, 1)
			r.do(first, model.Deliver, 2)
			if before {
				r.back(first, 1)
			}
			r.do(c.at, model.Invoke, 0) // time goes on
			if !before {
				r.back(c.at, 1)
			}
			again := 0
			for _, e := range r.pending(model.Deliver, 1) {
				if e.Optional {
					again++
				}
			}
			assert.Equal(t, c.want, again, "%+v", c)
		}
	}
}

// A cut of the network loses messages in flight across it, in both directions. It does not affect alarms, and
// events that are pending at the nodes of a side.
func TestWhatACutLoses(t *testing.T) {
	echo := acts{start: func(_ *puppet, env model.Env) { env.After("k", model.Anytime()) }, receive: func(_ *puppet, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Send(1, op); env.Send(2, op) }}, model.Op{Call: "a"}), server("s", echo), server("d", echo))
	s.Network = model.Network{Delay: model.Anytime(), Partition: model.Exactly(3)}
	s.Faults.Partitions = 2
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	require.Equal(t, [][]any{{"a"}, {"a"}, {"a"}}, [][]any{r.values(0), r.values(1), r.values(2)})
	r.move(0, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{1}})
	assert.Equal(t, [][]any{nil, nil, {"a"}}, [][]any{r.values(0), r.values(1), r.values(2)})
	assert.Len(t, r.pending(model.Timeout, 1), 1)
	assert.Equal(t, 1, r.Budget().Partitions)
	r.do(0, model.Heal, -1)
	assert.Empty(t, r.pending(model.Heal, -1), "it has healed")
	r.move(0, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{2}})
	assert.Equal(t, 0, r.Budget().Partitions)
	r.do(0, model.Heal, -1)
	assert.False(t, r.offers(model.Partition, -1), "the budget is spent")
	assert.Error(t, r.refused(0, world.Move{Kind: model.Partition, Node: -1, Value: "a side"}))
}

// On a Set channel a message is merged only into an equal message in flight from the same sender to the same
// receiver. It is never merged into a message that may come again.
func TestWhatASetMerges(t *testing.T) {
	var merged []*world.Event
	opt := untimed
	opt.Merged = func(e *world.Event) { merged = append(merged, e) }
	s := several(model.Set)
	s.Nodes = append(s.Nodes, client("e", acts{invoke: func(_ *puppet, env model.Env, op any) {
		env.After("a", model.Anytime())
		env.Send(1, op)
		env.Send(1, op)
		env.Send(1, "b")
	}}, model.Op{Call: "a"}))
	r := start(t, s, opt)
	r.do(0, model.Invoke, 0)
	assert.Empty(t, merged, "to two receivers")
	r.do(0, model.Deliver, 1)
	r.do(0, model.Invoke, 3)
	require.Len(t, merged, 1, "two of one client to one receiver")
	assert.Equal(t, []any{model.NodeID(3), model.NodeID(1), "a"}, []any{merged[0].From, merged[0].Node, merged[0].Value})
	assert.Equal(t, []any{"a", "b"}, r.values(1))
	merged = nil
	for range 2 {
		r.do(0, model.Deliver, 1)
	}
	r.do(0, model.Return, 0)
	r.back(0, 1)
	s.Nodes[0].Script[1].Call = "a"
	r.do(0, model.Invoke, 0)
	assert.Empty(t, merged, "what may come again is not in flight")
	assert.Len(t, r.pending(model.Deliver, 1), 4)
	quiet := start(t, several(model.Set), untimed)
	quiet.do(0, model.Invoke, 0)
	assert.Equal(t, []any{"a"}, quiet.values(1))
}

// A FIFO channel delivers the first message of a sender to a receiver, whatever other messages are sent.
func TestFirstOfAChannel(t *testing.T) {
	s := several(model.FIFO)
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	r.do(0, model.Invoke, 0)
	for _, to := range []model.NodeID{1, 2} {
		for k, e := range r.pending(model.Deliver, to) {
			_, _, ok := r.Fires(e)
			assert.Equal(t, k == 0, ok, "message %d to %d", k, to)
		}
	}
}

// An alarm is moved or cancelled by key, node and monitor, and no message or alarm of another is.
func TestWhoseAlarmIsCancelled(t *testing.T) {
	setsAll := acts{
		start:  func(_ *puppet, env model.Env) { env.After("k", model.Anytime()); env.Send(env.Self(), "k") },
		invoke: func(_ *puppet, env model.Env, op any) { env.Cancel("k") },
	}
	monitors := func(name string, cancels bool) model.Claim {
		return model.Claim{Name: name, Monitor: func(*model.System) model.Monitor {
			return &meter{see: func(w model.Watch, o model.Observation) {
				if o.Kind != model.Invoked {
					w.After("k", model.Anytime())
				} else if cancels {
					w.Cancel("k")
				}
			}}
		}}
	}
	noting := setsAll
	noting.start = func(p *puppet, env model.Env) { setsAll.start(p, env); env.Note("up") }
	r := start(t, system(client("a", noting, model.Op{Call: "go"}), client("b", setsAll)), untimed, monitors("x", false), monitors("y", true), monitors("z", false))
	require.Len(t, r.Pending(), 2+2+3+1)
	r.do(0, model.Invoke, 0)
	assert.Empty(t, r.pending(model.Timeout, 0))
	assert.Len(t, r.pending(model.Timeout, 1), 1)
	assert.Equal(t, []any{"k"}, r.values(0))
	var left []string
	for _, e := range r.pending(model.Expire, -1) {
		left = append(left, r.ClaimOf(e))
	}
	assert.Equal(t, []string{"x", "z"}, left)
}

// A handler may change a key after it has passed the key to Env.
func TestKeysAreCopied(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
		key := []int{1}
		env.After(key, model.Anytime())
		key[0] = 2
		env.After(key, model.Anytime())
		env.Cancel(key)
		key[0] = 7
	}}, model.Op{Call: "go"}))
	s.Types = []any{[]int{}}
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	require.Len(t, r.pending(model.Timeout, 0), 1)
	assert.Equal(t, []int{1}, r.event(model.Timeout, 0).Value)
}

// A node returns once for each invocation, whether its application has seen that or not.
func TestReturnsTwice(t *testing.T) {
	for name, c := range map[string]acts{
		"in one handler": {invoke: func(_ *puppet, env model.Env, _ any) { env.Return(1); env.Return(2) }},
		"in another": {
			invoke:  func(_ *puppet, env model.Env, _ any) { env.Return(1); env.Send(env.Self(), "m") },
			receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) { env.Return(2) }},
	} {
		s := system(client("c", c, model.Op{Call: "go"}), client("other", returns, model.Op{Call: "go"}))
		s.Returned = model.Anytime()
		r := start(t, s, untimed)
		r.do(0, model.Invoke, 1) // its return is pending, that is, another node's
		r.do(0, model.Invoke, 0)
		if name == "in another" {
			require.False(t, r.World.Failed())
			r.do(0, model.Deliver, 0)
		}
		require.True(t, r.World.Failed(), name)
		assert.Contains(t, r.Violations[0].Text, "node c returns, but no invocation runs")
	}
}

// A node without the method of an event ignores the event. So does a monitor.
func TestNodesWithoutHandlers(t *testing.T) {
	s := system(model.NodeSpec{Name: "m", New: func() model.Node { return &mute{} }, Script: []model.Op{{Call: "go", Release: "leave"}}},
		client("c", acts{invoke: tell(0, "m")}, model.Op{Call: "go"}))
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	mutes := model.Claim{Name: "mute", Monitor: func(*model.System) model.Monitor {
		return &meter{see: func(w model.Watch, o model.Observation) { w.After("k", model.Anytime()) }}
	}}
	r := start(t, s, untimed, mutes)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Invoke, 1)
	r.do(0, model.Deliver, 0)
	r.do(0, model.Expire, -1)
	r.move(0, r.Forgeries()[0])
	assert.Empty(t, r.Violations)
	assert.Equal(t, &mute{}, r.Live(0))
}

// A mute has no handlers.
type mute struct{ S int }
