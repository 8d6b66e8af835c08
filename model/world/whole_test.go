package world_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// names returns texts of moves with their kind, node and value.
func names(moves []world.Move) (all []string) {
	for _, m := range moves {
		if m.Event != nil {
			all = append(all, fmt.Sprintf("%v %v at %d", m.Kind, m.Event.Value, m.Event.Node))
		} else {
			all = append(all, fmt.Sprintf("%v %v at %d", m.Kind, m.Value, m.Node))
		}
	}
	return all
}

// The moves are in this order: pending events, losses and duplicates of messages in flight within the budget,
// crashes, false suspicions, and cuts.
func TestMovesInOrder(t *testing.T) {
	s := hearing(model.Faults{Loss: 1, Duplication: 1, Restarts: 1, Suspicions: 1, Partitions: 1})
	s.Nodes = s.Nodes[:2]
	s.Nodes = append(s.Nodes, client("c", acts{start: func(_ *puppet, env model.Env) { env.After("k", model.Anytime()) }, invoke: tell(2, "m")}, model.Op{Call: "go"}))
	s.Network.Partition = model.Exactly(1)
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 2)
	mistakes := []string{"mistake 1 at 0", "mistake 2 at 0", "mistake 0 at 1", "mistake 2 at 1"}
	sides := []string{"partition [2] at -1", "partition [1] at -1", "partition [1 2] at -1"}
	got := names(r.Moves())
	require.Len(t, got, 2+2+2+len(mistakes)+len(sides))
	assert.Equal(t, []string{"timeout k at 2", "deliver m at 2", "lose m at 2", "duplicate m at 2", "crash <nil> at 0", "crash <nil> at 1"}, got[:6])
	assert.Equal(t, mistakes, got[6:10])
	assert.ElementsMatch(t, sides, got[10:])

	s.Faults.Loss = 0
	assert.NotContains(t, names(start(t, s, untimed).Moves()), "lose m at 2")
	r.move(0, world.Move{Kind: model.Mistake, Node: 0, Value: model.NodeID(1)})
	assert.NotContains(t, names(r.Moves()), mistakes[0], "one suspicion is spent")
}

// A message that may come again after a restart is neither lost nor duplicated, and neither is an event that
// is no message.
func TestFaultsOfMessagesAlone(t *testing.T) {
	s := restarting(model.Bag)
	s.Faults.Duplication, s.Faults.Loss = 1, 1
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	r.do(1, model.Deliver, 1)
	r.move(1, world.Move{Kind: model.Crash, Node: 1})
	r.move(2, world.Move{Kind: model.Restart, Node: 1})
	again, alarm := r.event(model.Deliver, 1), r.event(model.Timeout, 1)
	for _, kind := range []model.EventKind{model.Lose, model.Duplicate} {
		for _, e := range []*world.Event{again, alarm} {
			assert.NotContains(t, r.Moves(), world.Move{Kind: kind, Event: e})
			assert.Error(t, r.refused(2, world.Move{Kind: kind, Event: e}))
		}
	}
}

// A false suspicion is reported to a node that is up and implements Suspecter. The suspected node is another
// node that is up.
func TestWhoIsMistakenForDown(t *testing.T) {
	r := start(t, hearing(model.Faults{Crashes: 0, Restarts: 2, Suspicions: 9}), timed)
	r.move(0, world.Move{Kind: model.Crash, Node: 2})
	for to := model.NodeID(0); to < 4; to++ {
		for of := model.NodeID(-1); of < 5; of++ {
			m := world.Move{Kind: model.Mistake, Node: to, Value: of}
			want := to < 2 && of >= 0 && of < 4 && of != 2 && of != to
			assert.Equal(t, want, r.offers2(m), "%d of %d", to, of)
			if !want {
				assert.Error(t, r.refused(0, m))
			}
		}
	}
}

// offers2 reports whether exactly this move is possible.
func (r *run) offers2(m world.Move) bool {
	for _, o := range r.Moves() {
		if o.Kind == m.Kind && o.Node == m.Node && o.Value == m.Value {
			return true
		}
	}
	return false
}

// A false suspicion that leads beyond a cut is not made, and costs nothing.
func TestAMistakeBeyondACut(t *testing.T) {
	s := hearing(model.Faults{Suspicions: 1})
	s.Cuts = []model.Cut{{Name: "none", Beyond: func(model.Node) bool { return false }}, {Name: "told", Beyond: func(n model.Node) bool { h, ok := n.(*hearer); return ok && len(h.Told) > 0 }}}
	r := start(t, s, timed)
	assert.Equal(t, world.ErrCut{Name: "told"}, r.refused(0, world.Move{Kind: model.Mistake, Node: 0, Value: model.NodeID(1)}))
	assert.Empty(t, r.Pending())
}

// A restarted node that implements Suspecter receives a report on each node that is down. Other nodes receive
// none.
func TestWhoCatchesUp(t *testing.T) {
	r := start(t, hearing(model.Faults{Restarts: 4}), timed)
	for _, id := range []model.NodeID{0, 1, 2, 3} {
		r.move(0, world.Move{Kind: model.Crash, Node: id})
	}
	r.move(1, world.Move{Kind: model.Restart, Node: 3})
	assert.Empty(t, r.pending(model.Suspect, 3), "it is deaf")
	r.move(1, world.Move{Kind: model.Restart, Node: 2})
	var of []any
	for _, e := range r.pending(model.Suspect, 2) {
		of = append(of, e.Value)
	}
	assert.Equal(t, []any{model.NodeID(0), model.NodeID(1)}, of)
	assert.Empty(t, r.pending(model.Suspect, 0), "it is down")
}

// A failing handler of a report is named by the report.
func TestReportsThatFail(t *testing.T) {
	for kind, want := range map[model.EventKind]string{model.Suspect: "Suspect", model.Trust: "Trust"} {
		s := hearing(model.Faults{Restarts: 1})
		s.Nodes[1].New = func() model.Node { return &anxious{fails: kind} }
		r := start(t, s, timed)
		r.move(0, world.Move{Kind: model.Crash, Node: 0})
		r.do(1, model.Suspect, 1)
		if kind == model.Trust {
			r.move(1, world.Move{Kind: model.Restart, Node: 0})
			r.do(2, model.Trust, 1)
		}
		require.True(t, r.World.Failed())
		assert.Regexp(t, "^"+want+" ", r.Violations[0].Text)
	}
}

// An anxious node fails at one report.
type anxious struct {
	fails model.EventKind
	Told  int
}

func (a *anxious) Suspect(model.Env, model.NodeID) { a.hears(model.Suspect) }
func (a *anxious) Trust(model.Env, model.NodeID)   { a.hears(model.Trust) }
func (a *anxious) hears(kind model.EventKind) {
	if a.Told++; a.fails == kind {
		panic("no")
	}
}

// A run is stuck, or has ended, when only monitors' alarms and events that need not happen are pending, and
// no node can restart. It is stuck if some script is not done, and otherwise it has ended.
func TestStuckAndEnded(t *testing.T) {
	silent := func() *model.System {
		s := restarting(model.Bag)
		s.Nodes[1] = server("s", acts{})
		s.Nodes[2] = server("d", acts{})
		s.Faults.Restarts = 2
		return s
	}
	c := watching(watcher{invoked: func(w model.Watch) { w.After("k", model.Anytime()) }, rings: func(model.Watch) {}})
	again := func(r *run) {
		r.do(0, model.Invoke, 0)
		r.do(0, model.Deliver, 1)
		r.move(0, world.Move{Kind: model.Crash, Node: 1})
		r.move(0, world.Move{Kind: model.Restart, Node: 1})
	}
	finishes := func(s *model.System) *model.System {
		s.Nodes[0].New = func() model.Node {
			return &puppet{acts: acts{invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Return(nil) }}}
		}
		return s
	}
	for name, x := range map[string]struct {
		s            *model.System
		do           func(r *run)
		stuck, ended bool
	}{
		"nothing has happened":          {silent(), func(*run) {}, false, false},
		"a message is in flight":        {silent(), func(r *run) { r.do(0, model.Invoke, 0) }, false, false},
		"an alarm of a monitor is left": {silent(), func(r *run) { r.do(0, model.Invoke, 0); r.do(0, model.Deliver, 1) }, true, false},
		"a message may come again":      {silent(), again, true, false},
		"a node is down": {silent(), func(r *run) {
			r.do(0, model.Invoke, 0)
			r.move(0, world.Move{Kind: model.Crash, Node: 2})
			r.do(0, model.Deliver, 1)
		}, false, false},
		"done, with a message in flight": {finishes(silent()), func(r *run) { r.do(0, model.Invoke, 0); r.do(0, model.Return, 0) }, false, false},
		"done, and a node is down": {finishes(silent()), func(r *run) {
			r.do(0, model.Invoke, 0)
			r.do(0, model.Return, 0)
			r.do(0, model.Deliver, 1)
			r.move(0, world.Move{Kind: model.Crash, Node: 2})
		}, false, false},
		"done, with a message that may come again": {finishes(silent()), func(r *run) { again(r); r.do(0, model.Return, 0) }, false, true},
		"done": {finishes(silent()), func(r *run) { r.do(0, model.Invoke, 0); r.do(0, model.Return, 0); r.do(0, model.Deliver, 1) }, false, true},
	} {
		for _, opt := range []world.Options{untimed} {
			r := start(t, x.s, opt, c, model.Claim{Name: "progress", Kind: model.Always, Done: true}, model.Claim{Name: "goal", Kind: model.Eventually, Done: true})
			x.do(r)
			assert.Equal(t, x.stuck, r.Stuck(), "%s: stuck", name)
			assert.Equal(t, x.ended, r.Ended(), "%s: ended", name)
			assert.Equal(t, x.stuck, len(r.Violations) > 0, "%s: %v", name, r.Violations)
			assert.True(t, r.Witnessed["progress"])
			assert.False(t, r.Witnessed["goal"], "it is judged by runs that end")
			for _, v := range r.Violations {
				assert.Equal(t, "progress", v.Claim)
			}
			assert.Equal(t, r.Done(), r.Reached(model.Claim{Name: "goal", Kind: model.Eventually, Done: true}))
		}
	}
}

// Totals belong to the meter with the cost's name, and a reached goal to the monitor with the claim's name.
func TestMonitorsByName(t *testing.T) {
	see := func(model.Watch, model.Observation) {}
	a, b := metered(model.Cost{}, see), metered(model.Cost{Sends: true}, func(model.Watch, model.Observation) {})
	a.Name, b.Name = "a", "b"
	late := watching(watcher{})
	late.Name = "late"
	plain := model.Claim{Name: "plain", Monitor: func(*model.System) model.Monitor { return &failing{on: 99} }}
	r := start(t, tellAll(), untimed, plain, a, b, late)
	r.do(0, model.Invoke, 0)
	assert.Equal(t, []int{3}, r.Totals(a), "the one that is told of sends has all told of them")
	assert.Equal(t, []int{3}, r.Totals(b))
	assert.Nil(t, r.Totals(model.Claim{Name: "none"}))
	r.do(0, model.Return, 0)
	assert.Equal(t, []int{4}, r.Totals(b))
	assert.False(t, r.Reached(late), "it saw four")
	assert.False(t, r.Reached(plain), "it has no goal")
	again := start(t, asking(), untimed, plain, late)
	again.do(0, model.Invoke, 0)
	again.do(0, model.Return, 0)
	assert.True(t, again.Reached(late))
}

// Pasts are stored exactly if a claim needs them.
func TestWhoHasAPast(t *testing.T) {
	plain := model.Claim{Name: "plain", Monitor: func(*model.System) model.Monitor { return &recorder{} }}
	for _, c := range []struct {
		claims []model.Claim
		past   bool
		chain  int
	}{
		{[]model.Claim{plain}, false, 0}, {[]model.Claim{past()}, true, 0}, {[]model.Claim{past(), plain}, true, 0}, {[]model.Claim{plain, past()}, true, 0},
		{[]model.Claim{metered(model.Cost{}, func(model.Watch, model.Observation) {})}, false, 0},
		{[]model.Claim{metered(model.Cost{Chains: true}, func(model.Watch, model.Observation) {})}, false, 2},
	} {
		relays := acts{
			invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, 1) },
			receive: func(_ *puppet, env model.Env, from model.NodeID, m any) {
				env.Note(m)
				if m == 1 {
					env.Send(from, 0)
				}
			},
		}
		r := start(t, system(client("a", relays, model.Op{Call: "go"}), client("b", relays)), untimed, c.claims...)
		assert.Equal(t, c.past, r.do(0, model.Invoke, 0).Observations[0].Past != nil)
		r.do(0, model.Deliver, 1)
		assert.Equal(t, c.chain, r.do(0, model.Deliver, 0).Observations[0].Chain)
	}
}
