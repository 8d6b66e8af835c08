package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/guard"
	"contend/model/world"
)

// waiting returns a client for each window. Its first operation begins within the window.
func waiting(windows ...model.Window) *model.System {
	s := system()
	for k, w := range windows {
		s.Nodes = append(s.Nodes, client(string(rune('a'+k)), acts{}, model.Op{Call: "go", After: w}))
	}
	return s
}

func below(d model.Ticks) model.Window { return model.Window{Hi: model.Below(d)} }

// The deadline is the earliest end of a window. It excludes its instant if any window that ends there does,
// whichever came first. Nothing fires after it.
func TestTheEarliestEnd(t *testing.T) {
	for _, c := range []struct {
		windows []model.Window
		at      world.Time
		open    bool
		latest  []world.Time
	}{
		{[]model.Window{model.By(4)}, 4, false, []world.Time{4}},
		{[]model.Window{below(4)}, 4, true, []world.Time{3}},
		{[]model.Window{model.By(4), below(4)}, 4, true, []world.Time{3, 3}},
		{[]model.Window{below(4), model.By(4)}, 4, true, []world.Time{3, 3}},
		{[]model.Window{model.By(4), model.By(6)}, 4, false, []world.Time{4, 4}},
		{[]model.Window{model.By(6), model.By(4)}, 4, false, []world.Time{4, 4}},
		{[]model.Window{below(6), model.By(4)}, 4, false, []world.Time{4, 4}},
		{[]model.Window{model.Anytime(), model.By(4)}, 4, false, []world.Time{4, 4}},
	} {
		r := start(t, waiting(c.windows...), timed)
		at, open := r.Deadline()
		assert.Equal(t, []any{c.at, c.open}, []any{at, open}, "%+v", c.windows)
		for k, e := range r.Pending() {
			_, latest, ok := r.Fires(e)
			assert.True(t, ok)
			assert.Equal(t, c.latest[k], latest, "%+v", c.windows)
		}
	}
	r := start(t, waiting(model.Anytime(), model.Anytime()), timed)
	r.do(7, model.Invoke, 0)
	earliest, latest, _ := r.Fires(r.event(model.Invoke, 1))
	assert.Equal(t, []world.Time{7, 1 << 62}, []world.Time{earliest, latest}, "from now on, without an end")
}

// An event that need not happen keeps its own end, even if a deadline is at this instant or earlier.
func TestTheEndOfWhatNeedNotHappen(t *testing.T) {
	for _, c := range []struct {
		flight, other model.Window
		want          world.Time
	}{
		{below(4), model.By(4), 3}, {model.By(4), below(4), 3}, {model.By(4), below(9), 4}, {below(4), below(9), 3}, {model.By(9), below(4), 3}, {model.By(9), model.By(4), 4},
	} {
		s := several(model.Bag)
		s.Nodes[0].Script = s.Nodes[0].Script[:1]
		s.Network.Delay = c.flight
		s.Nodes = append(s.Nodes, client("e", acts{}, model.Op{Call: "go", After: c.other}))
		r := start(t, s, timed)
		r.do(0, model.Invoke, 0)
		r.do(0, model.Deliver, 1)
		r.do(0, model.Deliver, 2)
		r.do(0, model.Return, 0)
		r.back(0, 1)
		_, latest, ok := r.Fires(r.event(model.Deliver, 1))
		assert.True(t, ok)
		assert.Equal(t, c.want, latest, "%+v", c)
	}
}

// The environment moves up to the deadline and not behind it; untimed it moves whenever it likes.
func TestTheEnvironmentKeepsDeadlines(t *testing.T) {
	for _, c := range []struct {
		w    model.Window
		opt  world.Options
		at   world.Time
		want bool
	}{
		{model.By(4), timed, 4, true}, {model.By(4), timed, 5, false}, {below(4), timed, 3, true}, {below(4), timed, 4, false}, {below(4), timed, 5, false},
		{model.By(4), untimed, 99, true},
	} {
		s := waiting(c.w, model.Anytime())
		s.Faults.Crashes = 1
		r := start(t, s, c.opt)
		m := world.Move{Kind: model.Crash, Node: 1}
		if c.want {
			r.move(c.at, m)
		} else {
			assert.ErrorContains(t, r.refused(c.at, m), "something pending had to happen by 4")
		}
	}
}

// An event that arrived is not lost or doubled afterwards.
func TestFaultsOfWhatIsPending(t *testing.T) {
	s := talk(model.Bag, "a", "b")
	s.Faults = model.Faults{Loss: 1, Duplication: 1}
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	e := r.event(model.Deliver, 1)
	r.fire(0, e)
	for _, kind := range []model.EventKind{model.Lose, model.Duplicate} {
		assert.Error(t, r.refused(0, world.Move{Kind: kind, Event: e}))
	}
}

// Every liar may send forged messages to every node that is up. The first node need not be one.
func TestAllForgeries(t *testing.T) {
	s := system(client("a", acts{}), client("b", acts{}))
	for _, name := range []string{"x", "y"} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Server, Byzantine: true})
	}
	s.Forge = func(_ model.Node, to, from model.NodeID) []any { return []any{int(10*from + to)} }
	var lies []any
	for _, m := range start(t, s, untimed).Forgeries() {
		assert.Equal(t, int(10*m.From+m.Node), m.Value)
		lies = append(lies, m.Value)
	}
	assert.Equal(t, []any{20, 21, 30, 31}, lies)
}

// A run is done when each script is; an operation that a crash ended is not waited for.
func TestDone(t *testing.T) {
	s := system(client("a", returns, model.Op{Call: "go"}), client("b", returns, model.Op{Call: "go"}), server("s", acts{}))
	r := start(t, s, untimed)
	for _, id := range []model.NodeID{0, 1} {
		assert.False(t, r.Done())
		r.do(0, model.Invoke, id)
		assert.False(t, r.Done(), "it runs")
		r.do(0, model.Return, id)
	}
	assert.True(t, r.Done())

	s = system(model.NodeSpec{Name: "p", Role: model.Peer, Crash: model.CrashRecovery, New: func() model.Node { return &puppet{} }, Script: []model.Op{{Call: "go"}}})
	s.Faults.Restarts = 1
	r = start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	assert.False(t, r.Done())
	r.back(0, 0)
	assert.True(t, r.Done(), "the operation never returns")
}

// A message that arrived before two restarts arrives again once, and not twice.
func TestTwoRestarts(t *testing.T) {
	r := start(t, several(model.Bag), untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	r.back(0, 1)
	r.back(0, 1)
	assert.Equal(t, []any{"a"}, r.values(1))
	assert.Zero(t, r.lines("delivered"))
}

// What arrived is forgotten when its window has passed.
func TestWhatArrivedIsForgotten(t *testing.T) {
	s := several(model.Bag)
	s.Nodes[0].Script[1].After = model.Anytime()
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	r.do(1, model.Deliver, 1)
	r.do(4, model.Deliver, 2)
	assert.Equal(t, 2, r.lines("delivered"))
	r.do(5, model.Invoke, 0)
	assert.Zero(t, r.lines("delivered"))
}

// No message crosses a cut, and messages within a side arrive.
func TestWhatIsSentWhileTheNetworkIsCut(t *testing.T) {
	s := several(model.Bag)
	s.Faults.Partitions, s.Network.Partition = 1, model.Anytime()
	r := start(t, s, untimed)
	r.move(0, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{1}})
	r.do(0, model.Invoke, 0)
	assert.Empty(t, r.values(1))
	assert.Equal(t, []any{"a"}, r.values(2))
}

// Two events that were found to lead beyond a cut stay so.
func TestEveryEventThatIsCutOff(t *testing.T) {
	s := cutAt(talk(model.Bag, "x", "y"), 1)
	s.Nodes[1] = server("s", acts{receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) { p.say("too long") }})
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	events := r.pending(model.Deliver, 1)
	for _, e := range events {
		require.ErrorAs(t, r.refused(0, world.Move{Kind: model.Deliver, Event: e}), new(world.ErrCut))
	}
	for _, e := range events {
		_, _, ok := r.Fires(e)
		assert.False(t, ok)
	}
}

// A Set channel merges messages alone, and into the first thing that is pending as well.
func TestMergesOfAMessage(t *testing.T) {
	merged := 0
	opt := untimed
	opt.Merged = func(*world.Event) { merged++ }
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, op any) {
		env.After("a", model.Anytime())
		env.Send(0, "a")
	}}, model.Op{Call: "go"}))
	s.Network.Channel = model.Set
	r := start(t, s, opt)
	r.do(0, model.Invoke, 0)
	assert.Equal(t, []any{"a"}, r.values(0), "an alarm is no message")
	assert.Zero(t, merged)
	r = start(t, talk(model.Set, "a", "a"), opt)
	r.do(0, model.Invoke, 0)
	assert.Equal(t, []any{"a"}, r.values(1))
	assert.Equal(t, 1, merged)
}

// A message that may come again is not in flight, and no message is merged into it.
func TestNothingIsMergedIntoWhatComesAgain(t *testing.T) {
	s := several(model.Set)
	s.Nodes[0].Script[1].Call = "a"
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	r.do(0, model.Return, 0)
	r.back(0, 1)
	require.Len(t, r.values(1), 1)
	r.do(0, model.Invoke, 0)
	assert.Equal(t, []any{"a", "a"}, r.values(1))
}

// Only a report withdraws a report. Other events that name the node do not.
func TestWhatWithdrawsAReport(t *testing.T) {
	s := hearing(model.Faults{Restarts: 1})
	s.Nodes[3] = server("deaf", acts{start: tell2(1, model.NodeID(0))})
	s.Network.Delay = model.Anytime()
	r := start(t, s, timed)
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	assert.Len(t, r.pending(model.Suspect, 1), 1)
	assert.Equal(t, []any{model.NodeID(0)}, r.values(1))
}

func tell2(to model.NodeID, m any) func(*puppet, model.Env) {
	return func(_ *puppet, env model.Env) { env.Send(to, m) }
}

// A handler sees all holds that it set. A hold that it ends is over.
func TestSeveralHoldsOfAHandler(t *testing.T) {
	s := system(client("c", acts{invoke: func(p *puppet, env model.Env, op any) {
		if op == "set" {
			env.Hold("a", model.Through(1))
			env.Hold("b", model.Through(1))
		} else {
			env.Hold("a", model.Below(0))
			env.Hold("b", model.Through(1))
		}
		p.say("%v %v", env.Held("a"), env.Held("b"))
		env.Return(nil)
	}}, model.Op{Call: "set"}, model.Op{Call: "end"}, model.Op{Call: "end"}))
	r := start(t, s, untimed)
	for range 2 {
		assert.Empty(t, r.do(0, model.Invoke, 0).Choices)
		r.do(0, model.Return, 0)
	}
	assert.Equal(t, []string{"invoke set", "true true", "invoke end", "false true"}, r.log(0))
	assert.Equal(t, 1, r.lines("holds"), "one was ended")
}

// A monitor also sees the holds that it set and observed.
func TestSeveralHoldsOfAMonitor(t *testing.T) {
	var heard []bool
	r := start(t, asking(), untimed, watching(watcher{
		invoked: func(w model.Watch) {
			w.Hold("a", model.Through(1))
			w.Hold("b", model.Below(0))
			heard = append(heard, w.Held("a"), w.Held("b"))
		},
		returned: func(w model.Watch) { heard = append(heard, w.Held("a"), w.Held("a")) },
	}))
	assert.Empty(t, r.do(0, model.Invoke, 0).Choices)
	rec := r.do(0, model.Return, 0, 1)
	assert.Len(t, rec.Choices, 1)
	assert.Equal(t, []bool{true, false, false, false}, heard)
}

// A meter that asks for it receives messages to a liar. A meter that does not ask does not affect others.
func TestWhoIsToldOfSends(t *testing.T) {
	nothing := func(model.Watch, model.Observation) {}
	sends, silent := metered(model.Cost{Sends: true}, nothing), metered(model.Cost{}, nothing)
	sends.Name, silent.Name = "sends", "silent"
	for _, claims := range [][]model.Claim{{sends, silent}, {silent, sends}} {
		r := start(t, byzantine(), untimed, claims...)
		rec := r.do(0, model.Invoke, 0)
		assert.Equal(t, []model.Observation{{Kind: model.Invoked, Value: "go"}, {Kind: model.Sent, Op: -1, Value: "hello", To: 1}}, rec.Observations)
	}
}

// The length of a chain does not depend on its first node.
func TestChainsOfEachNode(t *testing.T) {
	relays := acts{
		invoke: func(_ *puppet, env model.Env, op any) { env.Send(1-env.Self(), op) },
		receive: func(_ *puppet, env model.Env, from model.NodeID, m any) {
			env.Note(m)
			if m.(int) > 0 {
				env.Send(from, m.(int)-1)
			}
		},
	}
	for asks := range model.NodeID(2) {
		s := system(client("a", relays), client("b", relays))
		s.Nodes[asks].Script = []model.Op{{Call: 1}}
		r := start(t, s, untimed, metered(model.Cost{Chains: true}, func(model.Watch, model.Observation) {}))
		r.do(0, model.Invoke, asks)
		r.do(0, model.Deliver, 1-asks)
		assert.Equal(t, 2, r.do(0, model.Deliver, asks).Observations[0].Chain)
	}
}

// Messages that were in flight when chains were reset belong to no chain, and neither do messages that may
// come again.
func TestWhatWasInFlightSinceAMoment(t *testing.T) {
	s := several(model.Bag)
	s.Nodes[0].New = func() model.Node {
		return &puppet{acts: acts{invoke: func(_ *puppet, env model.Env, op any) {
			for _, to := range []model.NodeID{1, 1, 1, 1, 2} {
				env.Send(to, op)
			}
			env.Return(nil)
		}}}
	}
	for k := range 2 {
		s.Nodes[1+k].New = func() model.Node {
			return &puppet{acts: acts{receive: func(_ *puppet, env model.Env, _ model.NodeID, m any) { env.Note(m) }}}
		}
	}
	r := start(t, s, untimed, metered(model.Cost{Chains: true, Since: func(o model.Observation) bool { return o.Kind == model.Invoked }}, func(model.Watch, model.Observation) {}))
	chain := func(rec world.Record) int { return rec.Observations[0].Chain }
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	for range 2 {
		assert.Equal(t, 1, chain(r.do(0, model.Deliver, 1)))
	}
	old := append(r.pending(model.Deliver, 1), r.pending(model.Deliver, 2)...)
	r.do(0, model.Invoke, 0) // a moment
	require.Len(t, old, 3)
	for _, e := range old {
		assert.Zero(t, chain(r.fire(0, e)))
	}
	r.back(0, 1)
	again := 0
	for _, e := range r.pending(model.Deliver, 1) {
		if e.Optional {
			again++
			assert.Zero(t, chain(r.fire(0, e)), "it arrived before the moment, or was in flight")
		}
	}
	assert.Equal(t, 4, again)
	assert.Equal(t, 1, chain(r.do(0, model.Deliver, 2)), "it was sent since")
}

// An invariant is given every node that is up.
func TestInvariantsSeeAllNodes(t *testing.T) {
	var seen [][]bool
	s := system(client("a", acts{}), client("b", acts{}), client("c", acts{}))
	s.Faults.Crashes = 1
	r := start(t, s, untimed, model.Claim{Name: "inv", Invariant: func(nodes []model.Node) error {
		seen = append(seen, []bool{nodes[0] != nil, nodes[1] != nil, nodes[2] != nil})
		return nil
	}})
	r.move(0, world.Move{Kind: model.Crash, Node: 1})
	assert.Equal(t, [][]bool{{true, true, true}, {true, false, true}}, seen)
}

// While a handler runs a cell shows the handler and its node.
func TestWhoRuns(t *testing.T) {
	var cell guard.Cell
	var shown []string
	look := func() { shown = append(shown, cell.Now().Who.Describe()) }
	s := system(client("c", acts{invoke: func(*puppet, model.Env, any) { look() }}, model.Op{Call: "go"}))
	r := start(t, s, world.Options{Running: &cell}, watching(watcher{invoked: func(model.Watch) { look() }}))
	r.do(0, model.Invoke, 0)
	require.Len(t, shown, 2)
	assert.Contains(t, shown[0], "Invoke")
	assert.Contains(t, shown[0], "of c")
	assert.Contains(t, shown[1], "Observe of claim watched")
}

// An alarm that rings may cancel another alarm. The other is gone then, and the ringing alarm is not.
func TestAnAlarmEndsAnother(t *testing.T) {
	s := system(server("s", acts{
		start:   func(_ *puppet, env model.Env) { env.After("a", model.Exactly(1)); env.After("b", model.Exactly(2)) },
		timeout: func(_ *puppet, env model.Env, key any) { env.Cancel("b") },
	}))
	rec := start(t, s, traced).do(1, model.Timeout, 0)
	require.Len(t, rec.Gone, 1)
	assert.Equal(t, "b", rec.Gone[0].Value)
}

// An alarm that nobody handles rings, and that is all; a monitor's rings once.
func TestAlarmsOfTheMute(t *testing.T) {
	r := start(t, system(model.NodeSpec{Name: "m", New: func() model.Node { return &setter{} }}), timed)
	r.do(1, model.Timeout, 0)
	assert.Empty(t, r.Violations)
	assert.Empty(t, r.Pending())

	rung := 0
	r = start(t, asking(), timed, watching(watcher{invoked: func(w model.Watch) { w.After("k", model.Exactly(2)) }, rings: func(model.Watch) { rung++ }}))
	r.do(0, model.Invoke, 0)
	r.do(2, model.Expire, -1)
	assert.Empty(t, r.pending(model.Expire, -1))
	assert.Equal(t, 1, rung)
}

// A setter sets an alarm without a handler for it.
type setter struct{ S int }

func (n *setter) Start(env model.Env) { env.After("k", model.Exactly(1)) }

// A run that has ended offers nothing, though something is pending and the budget is not spent.
func TestNothingIsOfferedAfterAFailure(t *testing.T) {
	s := talk(model.Bag, "a", "b")
	s.Nodes[1] = server("s", acts{receive: func(*puppet, model.Env, model.NodeID, any) { panic("no") }})
	s.Faults = model.Faults{Loss: 1, Crashes: 1, Restarts: 1}
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	require.True(t, r.World.Failed())
	require.Len(t, r.Pending(), 1)
	_, _, ok := r.Fires(r.Pending()[0])
	assert.False(t, ok)
	assert.Empty(t, r.Moves())
}
