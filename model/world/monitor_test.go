package world_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A watcher executes configured actions at an invocation, a return and an alarm.
type watcher struct {
	invoked, returned, rings func(w model.Watch)
	Count                    int
}

func (m *watcher) Observe(w model.Watch, o model.Observation) {
	m.Count++
	switch {
	case o.Kind == model.Invoked && m.invoked != nil:
		m.invoked(w)
	case o.Kind == model.Returned && m.returned != nil:
		m.returned(w)
	}
}

func (m *watcher) Expire(w model.Watch, _ any) { m.rings(w) }

func (m *watcher) Reached() bool { return m.Count == 2 }

func watching(m watcher) model.Claim {
	return model.Claim{Name: "watched", Monitor: func(*model.System) model.Monitor { return &m }}
}

func asking() *model.System {
	s := system(client("c", returns, model.Op{Call: "go"}))
	s.Returned = model.Anytime()
	return s
}

// A monitor's holds and alarms have the same timing as a node's.
func TestMonitorsKeepTime(t *testing.T) {
	for at, held := range map[world.Time]bool{4: true, 5: false} {
		r := start(t, asking(), halves, watching(watcher{
			invoked: func(w model.Watch) { w.Hold("h", model.Through(2)) },
			returned: func(w model.Watch) {
				if w.Held("h") {
					w.Witness()
				} else {
					w.Violate("after %d", 2)
				}
			},
		}))
		r.do(0, model.Invoke, 0)
		r.do(at, model.Return, 0)
		assert.Equal(t, held, r.Witnessed["watched"])
		if !held {
			assert.Equal(t, []world.Violation{{Claim: "watched", Text: "c: after 2", Step: 2}}, r.Violations)
		}
	}
}

// The alarm of a monitor is a pending event: it must ring within its window unless
// the monitor cancels it.
func TestMonitorAlarms(t *testing.T) {
	m := watcher{
		invoked:  func(w model.Watch) { w.After("k", model.Exactly(9)); w.After("k", model.Exactly(2)) },
		returned: func(w model.Watch) { w.Cancel("k") },
		rings:    func(w model.Watch) { w.Violate("too late") },
	}
	r := start(t, asking(), timed, watching(m))
	r.do(0, model.Invoke, 0)
	require.Len(t, r.pending(model.Expire, -1), 1)
	assert.Equal(t, "watched", r.ClaimOf(r.event(model.Expire, -1)))
	require.Error(t, r.refused(3, r.of(model.Return, 0)))
	r.do(2, model.Expire, -1)
	assert.Equal(t, []world.Violation{{Claim: "watched", Text: "too late", Step: 2}}, r.Violations)

	r = start(t, asking(), timed, watching(m))
	r.do(0, model.Invoke, 0)
	r.do(2, model.Return, 0)
	assert.Empty(t, r.Pending())
	assert.Empty(t, r.Violations)
}

func TestReached(t *testing.T) {
	c := watching(watcher{})
	r := start(t, asking(), untimed, c)
	r.do(0, model.Invoke, 0)
	assert.False(t, r.Reached(c))
	r.do(0, model.Return, 0)
	assert.True(t, r.Reached(c))
	assert.True(t, r.Reached(model.Claim{Done: true}))
	assert.False(t, r.Reached(model.Claim{Name: "another"}))
}

// An invariant is judged in every state, including the first. Nodes that are down or Byzantine are nil in it.
func TestInvariants(t *testing.T) {
	var seen [][]bool
	c := model.Claim{Name: "inv", Invariant: func(nodes []model.Node) error {
		seen = append(seen, []bool{nodes[0] != nil, nodes[1] != nil})
		if p, ok := nodes[0].(*puppet); ok && len(p.Log) > 0 {
			p.Log[0] = "changed" // a copy
			return errors.New("it spoke")
		}
		return nil
	}}
	s := byzantine()
	s.Faults.Crashes = 1
	r := start(t, s, untimed, c)
	r.do(0, model.Invoke, 0)
	assert.Equal(t, []string{"invoke go"}, r.log(0))
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	assert.Equal(t, [][]bool{{true, false}, {true, false}, {false, false}}, seen)
	assert.Equal(t, []world.Violation{{Claim: "inv", Text: "it spoke", Step: 1}}, r.Violations)
}

// past returns a causal claim that counts invocations.
func past() model.Claim {
	return model.Claim{
		Name:    "causal",
		Causal:  func(o model.Observation) bool { return o.Kind == model.Invoked },
		Monitor: func(*model.System) model.Monitor { return &recorder{} },
	}
}

// Each observation has the selected observations that happened before it, by its own node and through
// messages. Messages that were sent later, or never arrived, do not count.
func TestCausalPasts(t *testing.T) {
	note := acts{receive: func(_ *puppet, env model.Env, _ model.NodeID, m any) { env.Note(m) }}
	tells := func(to model.NodeID) acts { return acts{invoke: tell(to, "m"), receive: note.receive} }
	s := system(client("a", tells(1), model.Op{Call: "go"}), client("b", tells(2), model.Op{Call: "go"}), client("c", note, model.Op{Call: "go"}))
	r := start(t, s, untimed, past())
	pasts := func(rec world.Record) [][]int32 {
		var out [][]int32
		for _, o := range rec.Observations {
			out = append(out, o.Past)
		}
		return out
	}
	assert.Equal(t, [][]int32{{1, 0, 0}}, pasts(r.do(0, model.Invoke, 0)), "itself included")
	assert.Equal(t, [][]int32{{0, 1, 0}}, pasts(r.do(0, model.Invoke, 1)), "later, but it knows nothing of it")
	assert.Equal(t, [][]int32{{1, 1, 0}}, pasts(r.do(0, model.Deliver, 1)), "a note is not selected, but has a past")
	assert.Equal(t, [][]int32{{0, 1, 0}}, pasts(r.do(0, model.Deliver, 2)), "sent before the news came")
	assert.Equal(t, [][]int32{{0, 1, 1}}, pasts(r.do(0, model.Invoke, 2)))
}

func TestNoPastWithoutACausalClaim(t *testing.T) {
	r := start(t, asking(), untimed)
	assert.Nil(t, r.do(0, model.Invoke, 0).Observations[0].Past)
}

func TestMonitorsAreCheckedAsNodesAre(t *testing.T) {
	type bad struct {
		recorder
		P *int
	}
	_, err := world.New(asking(), []model.Claim{{Name: "bad", Monitor: func(*model.System) model.Monitor { return &bad{} }}}, untimed)
	assert.ErrorContains(t, err, "claim bad: ")
	assert.ErrorContains(t, err, ".P is a ptr")
}

func TestMonitorMisuse(t *testing.T) {
	for want, f := range map[string]func(model.Watch){
		"claim watched arms an alarm: window [2, 1]: the upper bound is below the lower": func(w model.Watch) { w.After("k", model.Between(2, 1)) },
		"claim watched holds for -1 ticks, but a hold lasts 0 to 1073741824":             func(w model.Watch) { w.Hold("k", model.Below(-1)) },
	} {
		r := start(t, asking(), timed, watching(watcher{invoked: f}))
		_, err := r.Step(r.of(model.Invoke, 0), 0, nil)
		require.NoError(t, err)
		require.True(t, r.World.Failed())
		assert.Equal(t, model.NoHandlerFails, r.Violations[0].Claim)
		assert.Contains(t, r.Violations[0].Text, "Observe of claim watched")
		assert.Contains(t, r.Violations[0].Text, ": "+want+" (world/monitor_test.go:")
	}
}
