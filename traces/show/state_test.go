package show_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// A shop executes the actions in its messages, and counts them.
type (
	shop struct {
		do func(env model.Env, call any)
		N  int
	}
	hello struct{ I int }
	// A guard holds for a given time, and violates nothing.
	guard struct {
		length model.Bound
		N      int
	}
)

func (s *shop) Start(env model.Env)                          { s.act(env, "start") }
func (s *shop) Invoke(env model.Env, call any)               { s.N++; s.act(env, call) }
func (s *shop) Receive(env model.Env, _ model.NodeID, _ any) { s.act(env, "receive") }
func (s *shop) Timeout(env model.Env, _ any)                 { s.act(env, "timeout") }
func (s *shop) act(env model.Env, call any) {
	if s.do != nil {
		s.do(env, call)
	}
}

func (g *guard) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		g.N++
		w.Hold("watch", g.length)
	}
}

// A shops is a world of equal nodes, with the run so far.
type shops struct {
	t   *testing.T
	run *replay.Run
}

func newShops(t *testing.T, timed bool, s *model.System, claims ...model.Claim) *shops {
	t.Helper()
	s.Types = append(s.Types, hello{})
	zero := func(int, string) int { return 0 }
	w, err := world.New(s, claims, world.Options{Timed: timed, Parts: 2, Trace: true, Boot: zero})
	require.NoError(t, err)
	tr := &traces.Trace{Protocol: "shops", Time: "untimed", Claim: "watched"}
	if timed {
		tr.Time = "dense"
	}
	run := &replay.Run{Trace: tr, World: w, Parts: 2, Initial: w.Pending()}
	for _, c := range claims {
		run.Watched = append(run.Watched, c.Name)
	}
	return &shops{t, run}
}

// take executes the first move of a kind at a node, as early as possible.
func (s *shops) take(kind model.EventKind, at model.NodeID) {
	s.t.Helper()
	for _, m := range s.run.World.Moves() {
		now := s.run.World.Now
		if m.Event != nil && !kind.Adversarial() {
			m.Node = m.Event.Node
			now, _, _ = s.run.World.Fires(m.Event)
		}
		if m.Kind == kind && m.Node == at {
			rec, err := s.run.World.Step(m, now, func(int, string) int { return 0 })
			require.NoError(s.t, err)
			s.run.Records = append(s.run.Records, rec)
			return
		}
	}
	s.t.Fatalf("no %v at %d", kind, at)
}

// state returns the text of the state, without its heading.
func (s *shops) state() []string {
	var b strings.Builder
	require.NoError(s.t, show.State(&b, s.run, show.Style{}))
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func named(name string, do func(env model.Env, call any), script ...model.Op) model.NodeSpec {
	return model.NodeSpec{Name: name, New: func() model.Node { return &shop{do: do} }, Script: script}
}

// A node's state has its fields, its holds and its application. A node that is down, or a liar, has no state.
func TestHowNodesStand(t *testing.T) {
	op := model.Op{Call: "buy"}
	returns := func(env model.Env, call any) {
		if call == "buy" {
			env.Return(nil)
		}
	}
	down := named("down", returns, op)
	down.Crash = model.CrashStop
	s := newShops(t, false, &model.System{Faults: model.Faults{Crashes: 1, Restarts: 2}, Nodes: []model.NodeSpec{
		named("new", returns, op), named("busy", nil, op, op), named("done", returns, op, op), named("served", nil), down,
		{Name: "liar", Byzantine: true}}, Forge: func(model.Node, model.NodeID, model.NodeID) []any { return nil }})
	s.take(model.Invoke, 1)
	s.take(model.Invoke, 2)
	s.take(model.Return, 2)
	s.take(model.Invoke, 4)
	s.take(model.Crash, 4)
	assert.Equal(t, []string{
		"State after step 5",
		"  new     has invoked nothing yet",
		`  busy    N: 1; runs operation 1 of 2, "buy"`,
		"  done    N: 1; has invoked 1 of 2 operations",
		"  served  nothing set",
		"  down    down; has invoked 1 of 1 operations",
		"  liar    Byzantine",
		"Pending",
		`  new   invokes "buy"`,
		`  done  invokes "buy"`,
		"Faults that may still happen: 2 crashes with restarts",
	}, s.state())
	var who []string
	for _, is := range show.Statuses(s.run) {
		who = append(who, is.Who+" "+is.String())
		assert.Equal(t, is.Who == "liar", is.Byzantine)
		assert.Equal(t, is.Who == "down", is.Down)
	}
	assert.Equal(t, []string{"new has invoked nothing yet", `busy N: 1; runs operation 1 of 2, "buy"`, "done N: 1; has invoked 1 of 2 operations", "served ",
		"down down; has invoked 1 of 1 operations", "liar Byzantine"}, who)
}

// The state of a monitor is shown with the nodes if it has any. The text shows only the monitor of the
// trace's claim.
func TestHowMonitorsStand(t *testing.T) {
	notes := func(env model.Env, call any) {
		if call == "note" {
			env.Note(call)
		}
	}
	monitor := func(name string, length model.Bound) model.Claim {
		return model.Claim{Name: name, Monitor: func(*model.System) model.Monitor { return &guard{length: length} }}
	}
	silent := model.Claim{Name: "silent", Monitor: func(*model.System) model.Monitor { return &watches{} }}
	unasked := model.Claim{Name: "unasked", Invariant: func([]model.Node) error { return nil }}
	s := newShops(t, true, &model.System{Nodes: []model.NodeSpec{named("n", notes, model.Op{Call: "note", After: model.Exactly(1)})}},
		monitor("watched", model.Through(3)), silent, monitor("other", model.Below(4)), unasked)
	before := func() (who []string) {
		for _, is := range show.Statuses(s.run) {
			who = append(who, is.Who)
		}
		return who
	}
	assert.Equal(t, []string{"n"}, before())
	assert.Equal(t, []string{"State before the first step, at 0", "  n  has invoked nothing yet", "Pending", `  n  invokes "note" in [1, 1]`}, s.state())
	s.take(model.Invoke, 0)
	assert.Equal(t, []string{"n", "monitor of watched", "monitor of other"}, before())
	assert.Equal(t, []string{"State after step 1, at 1", `  n        N: 1; runs operation 1 of 1, "note"`, `  monitor  N: 1; the hold "watch" lasts through 4`}, s.state())
	s.run.Trace.Claim = "other"
	assert.Equal(t, `  monitor  N: 1; the hold "watch" lasts until before 5`, s.state()[2])
	for _, claim := range []string{"silent", "unasked", "unknown", ""} {
		s.run.Trace.Claim = claim
		assert.Len(t, s.state(), 2, claim)
	}
}

// A hold shows its end, and in an untimed run the step that set it. On a clock that drifts it has two
// countdowns, but is shown once.
func TestHowHoldsStand(t *testing.T) {
	var set func(env model.Env)
	holds := func(env model.Env, call any) {
		if call == "hold" {
			set(env)
			env.After("later", model.Exactly(1))
		}
	}
	for _, c := range []struct {
		set   func(env model.Env)
		timed bool
		want  string
	}{
		{func(env model.Env) { env.Hold("k", model.Through(2)) }, true, `; the hold "k" lasts through 3`},
		{func(env model.Env) { env.Hold("k", model.Below(2)) }, true, `; the hold "k" lasts until before 3`},
		{func(env model.Env) { env.Hold("k", model.Below(2)) }, false, `; the hold "k" of step 1 may last`},
		{func(env model.Env) {
			env.Hold(model.Soonest{Hold: "j"}, model.Below(3))
			env.Hold(model.Latest{Hold: "j"}, model.Below(5))
			env.Hold(model.Soonest{Hold: "k"}, model.Below(2))
			env.Hold(model.Latest{Hold: "k"}, model.Through(4))
		}, true, `; the hold "j" lasts until before 6, or by a clock that drifts only until before 4; the hold "k" lasts through 5, or by a clock that drifts only until before 3`},
		{func(env model.Env) { env.Hold(model.Latest{Hold: "k"}, model.Below(4)) }, true, `; the hold "k" lasts until before 5, or less by a clock that drifts`},
		{func(env model.Env) { env.Hold(model.Soonest{Hold: "k"}, model.Below(4)) }, true, ""},
		{func(env model.Env) {
			env.Hold(model.Soonest{Hold: "k"}, model.Below(2))
			env.Hold(model.Latest{Hold: "k"}, model.Through(4))
		}, false, `; the hold "k" of step 1 may last`},
	} {
		set = c.set
		s := newShops(t, c.timed, &model.System{Types: []any{model.Soonest{}, model.Latest{}}, Nodes: []model.NodeSpec{named("n", holds, model.Op{Call: "hold", After: model.Exactly(1)})}})
		s.take(model.Invoke, 0)
		is := show.Statuses(s.run)[0].String()
		assert.Equal(t, "N: 1"+c.want+`; runs operation 1 of 1, "hold"`, is)
		s.take(model.Timeout, 0)
		assert.Equal(t, is, show.Statuses(s.run)[0].String(), "it ends when it ends, whatever the time")
	}
}

// The remaining faults of the environment are counted. Spent faults are not shown.
func TestLeft(t *testing.T) {
	assert.Empty(t, show.RemainingFaults(model.Faults{}))
	assert.Equal(t, "1 loss, 1 duplication, 1 crash, 1 crash with a restart, 1 false suspicion, 1 partition",
		show.RemainingFaults(model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1, Suspicions: 1, Partitions: 1}))
	assert.Equal(t, "2 losses, 3 duplications, 4 crashes, 5 crashes with restarts, 6 false suspicions, 7 partitions",
		show.RemainingFaults(model.Faults{Loss: 2, Duplication: 3, Crashes: 4, Restarts: 5, Suspicions: 6, Partitions: 7}))
	assert.Equal(t, "1 duplication", show.RemainingFaults(model.Faults{Duplication: 1}))
}

// If a goal is not reached, the text lists the messages from and to each node with a running operation.
func TestWhoWaitsForWhat(t *testing.T) {
	asks := func(env model.Env, call any) {
		switch call {
		case "ask":
			env.Send(3, hello{1})
			env.After("again", model.Exactly(1))
		case "both":
			env.Send(1, hello{2})
			env.Return(nil)
		}
	}
	op := func(call string) model.Op { return model.Op{Call: call} }
	alarm := model.Claim{Name: "alarm", Monitor: func(*model.System) model.Monitor { return &alarmed{} }}
	down := named("down", func(env model.Env, _ any) { env.Note("sets the alarm of the monitor") }, op("ask"))
	down.Crash = model.CrashStop
	s := newShops(t, false, &model.System{Faults: model.Faults{Crashes: 1}, Nodes: []model.NodeSpec{
		named("idle", asks, op("both")), named("asker", asks, op("both"), op("ask")), named("lost", asks, op("wait")), named("server", nil), down}}, alarm)
	for _, at := range []model.NodeID{2, 0, 1} {
		s.take(model.Invoke, at)
	}
	s.take(model.Return, 1)
	s.take(model.Invoke, 1)
	s.take(model.Invoke, 4)
	s.take(model.Crash, 4)
	require.Contains(t, pending(s), "alarm: alarm hello{1} fires")
	told := show.NewReport(s.run)
	assert.Equal(t, []show.Fact{
		{Subject: "idle", Text: `waits since step 2 for the end of "both"; pending: hello{2} arrives at asker; pending: returns`},
		{Subject: "asker", Text: `waits since step 5 for the end of "ask"; pending: hello{2} arrives from idle; pending: hello{2} arrives from asker; pending: hello{1} arrives at server; pending: alarm "again" fires`},
		{Subject: "lost", Text: `waits since step 1 for the end of "wait"; nothing that is pending is for it or from it`},
	}, told.End.Waits)
	s.run.World.Violations = []world.Violation{{Claim: "watched"}}
	assert.Empty(t, show.NewReport(s.run).End.Waits, "a claim about what has happened waits for nothing")
	s.run.World.Violations, s.run.Diverged = nil, &replay.Divergence{}
	assert.Empty(t, show.NewReport(s.run).End.Waits)
}

// A deadlock violates a claim, and the text lists which node waits for which.
func TestWhoWaitsInADeadlock(t *testing.T) {
	s := newShops(t, false, &model.System{Nodes: []model.NodeSpec{named("n", nil, model.Op{Call: "wait"})}})
	s.take(model.Invoke, 0)
	require.True(t, s.run.World.Stuck())
	s.run.World.Violations = []world.Violation{{Claim: "watched"}}
	assert.Equal(t, []show.Fact{{Subject: "n", Text: `waits since step 1 for the end of "wait"; nothing that is pending is for it or from it`}}, show.NewReport(s.run).End.Waits)
}

// A pending event shows when it may happen, and whether it must.
func TestPending(t *testing.T) {
	sends := func(env model.Env, call any) {
		if call == "start" && env.Self() == 0 {
			env.Send(1, hello{1})
			env.After("k", model.Window{Lo: model.Below(1), Hi: model.Below(2)})
		}
	}
	s := newShops(t, true, &model.System{Network: model.Network{Delay: model.Between(1, 2)}, Nodes: []model.NodeSpec{named("a", sends), named("b", sends)}})
	assert.Equal(t, []string{"a → b: hello{1} arrives in [1, 2]", `a: alarm "k" fires in (1, 2)`}, pending(s))
	s.run.World.Pending()[0].Optional = true
	s.run.Trace.Time = "untimed"
	assert.Equal(t, []string{"a → b: hello{1} arrives, or not", `a: alarm "k" fires`}, pending(s))
}

func pending(s *shops) (all []string) {
	for _, w := range show.Pending(s.run) {
		assert.NotNil(s.t, w.Event)
		all = append(all, w.Who+": "+w.Text)
	}
	return all
}

// One thing that is pending is enough to wait for.
func TestWhoWaitsForOneThing(t *testing.T) {
	s := newShops(t, false, &model.System{Nodes: []model.NodeSpec{named("n", func(env model.Env, call any) {
		if call == "wait" {
			env.After("j", model.Anytime())
			env.After("k", model.Anytime())
		}
	}, model.Op{Call: "wait"})}})
	s.take(model.Invoke, 0)
	s.take(model.Timeout, 0)
	assert.Equal(t, []show.Fact{{Subject: "n", Text: `waits since step 1 for the end of "wait"; pending: alarm "k" fires`}}, show.NewReport(s.run).End.Waits)
}

// A monitor of one field has that to say.
func TestAMonitorOfOneField(t *testing.T) {
	s := newShops(t, false, &model.System{Nodes: []model.NodeSpec{named("n", nil)}}, model.Claim{Name: "watched", Monitor: func(*model.System) model.Monitor { return &guard{N: 2} }})
	assert.Equal(t, "  monitor  N: 2", s.state()[2])
}
