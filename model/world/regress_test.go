package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// State does not depend on the clock where a window has no end.
func TestStateForever(t *testing.T) {
	a, b := start(t, holder(model.Through(2)), timed), start(t, holder(model.Through(2)), timed)
	a.do(3, model.Invoke, 0)
	b.do(9, model.Invoke, 0)
	assert.Equal(t, a.State(), b.State())
}

// A delivery beyond a cut does not teach the receiver its causal past.
func TestCutLearns(t *testing.T) {
	s := cutAt(talk(model.Bag, "m"), 1)
	s.Nodes[1] = client("s", acts{receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) { p.say("too long") }}, model.Op{Call: "go"})
	r := start(t, s, untimed, past())
	r.do(0, model.Invoke, 0)
	require.ErrorAs(t, r.refused(0, r.of(model.Deliver, 1)), new(world.ErrCut))
	assert.Equal(t, []int32{0, 1}, r.do(0, model.Invoke, 1).Observations[0].Past)
}

// A delivery beyond a cut is not stored for a restart.
func TestCutKept(t *testing.T) {
	s := cutAt(talk(model.Bag, "m"), 1)
	s.Nodes[1] = server("s", acts{receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) { p.say("too long") }})
	s.Faults.Restarts = 1
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	require.ErrorAs(t, r.refused(0, r.of(model.Deliver, 1)), new(world.ErrCut))
}

// A copy follows its original in a FIFO channel, so its deadline is not missed behind others.
func TestFIFODuplicate(t *testing.T) {
	s := talk(model.FIFO, "a", "b")
	s.Nodes[0] = client("c", acts{invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Return(nil) }},
		model.Op{Call: "a"}, model.Op{Call: "b", After: model.Exactly(1)})
	s.Network.Delay, s.Faults.Duplication = model.Exactly(2), 1
	r := start(t, s, timed, model.Claim{Name: "progress", Done: true})
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	r.do(1, model.Invoke, 0)
	r.do(1, model.Return, 0)
	r.move(1, world.Move{Kind: model.Duplicate, Event: r.event(model.Deliver, 1)})
	r.do(2, model.Deliver, 1)
	assert.NotEmpty(t, r.Moves(), "time is stuck")
}

// Step refuses an event that is not pending, and a fault of an event that is no delivery.
func TestStale(t *testing.T) {
	s := talk(model.Bag, "a")
	s.Faults.Loss = 1
	r := start(t, s, untimed)
	m := r.of(model.Invoke, 0)
	_, err := r.Step(world.Move{Kind: model.Lose, Event: m.Event}, 0, nil)
	assert.Error(t, err, "an invocation was lost")
	r = start(t, s, untimed)
	m = r.of(model.Invoke, 0)
	r.move(0, m)
	_, err = r.Step(m, 0, nil)
	assert.Error(t, err, "it fired twice")
}

// State distinguishes open ends of windows.
func TestStateOpen(t *testing.T) {
	mk := func(answer int) *run {
		s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
			env.After("k", []model.Window{model.Between(0, 2), {Lo: model.Below(0), Hi: model.Below(2)}}[env.Choose(2)])
		}}, model.Op{}))
		r := start(t, s, timed)
		r.do(0, model.Invoke, 0, answer)
		return r
	}
	assert.NotEqual(t, mk(0).State(), mk(1).State())
}

// State has the monitor whose alarm is set.
func TestStateExpire(t *testing.T) {
	mk := func(node model.NodeID) *run {
		claim := func(name string, who model.NodeID) model.Claim {
			return model.Claim{Name: name, Monitor: func(*model.System) model.Monitor { return &onlyAt{who: who} }}
		}
		s := system(client("a", acts{invoke: func(p *puppet, env model.Env, _ any) { p.Log = nil; env.Note(env.Choose(2)) }}, model.Op{Call: "go"}))
		r := start(t, s, timed, claim("A", 0), claim("B", 1))
		r.do(0, model.Invoke, 0, int(node))
		return r
	}
	assert.NotEqual(t, mk(0).State(), mk(1).State())
}

type onlyAt struct{ who model.NodeID }

func (m *onlyAt) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == int(m.who) {
		w.After("k", model.Exactly(1))
	}
}
func (m *onlyAt) Expire(w model.Watch, _ any) {}

// The order between different FIFO channels is no part of State.
func TestStateFIFO(t *testing.T) {
	mk := func(first model.NodeID) *run {
		s := talk(model.FIFO, "a")
		s.Nodes = append(s.Nodes, client("d", acts{invoke: tell(1, "a")}, model.Op{Call: "go"}))
		r := start(t, s, untimed)
		r.do(0, model.Invoke, first)
		r.do(0, model.Invoke, 2-first)
		return r
	}
	assert.Equal(t, mk(0).State(), mk(2).State())
}

// A hold that is over as it begins is never held, untimed as well.
func TestBelowZero(t *testing.T) {
	r := start(t, holder(model.Below(0)), untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1, 0)
	assert.Equal(t, "false", r.log(1)[1])
}

// A Byzantine node with a script is refused.
func TestByzantineScript(t *testing.T) {
	s := byzantine()
	s.Nodes[1].Script = []model.Op{{Call: "go"}}
	assert.Error(t, s.Validate())
}
