package replay_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/costs"
	"contend/traces"
	"contend/traces/replay"
)

// small is a client that sets two alarms, the later first, and sends to a server that may crash and restart.
var small = &model.Protocol{Name: "small", Costs: []*model.Cost{costs.Messages()}, Build: func(c model.Config) (*model.System, error) {
	return &model.System{
		Faults: c.Faults, Types: []any{"", 0}, Network: model.Network{Delay: model.Anytime()},
		Nodes: []model.NodeSpec{
			{Name: "c", New: func() model.Node { return &setter{} }, Script: []model.Op{{Call: 0, AtBoot: true}}},
			{Name: "s", Role: model.Server, New: func() model.Node { return &sink{} }},
		},
	}, nil
}}

type (
	setter struct{}
	sink   struct{ Got int }
)

func (*setter) Invoke(env model.Env, _ any) {
	env.After("late", model.Between(3, 9))
	env.After("soon", model.Between(1, 9))
	env.Send(1, "it")
	env.Return(0)
}

func (s *sink) Receive(model.Env, model.NodeID, any) { s.Got++ }

// A run goes on with what may happen first, though something else is pending longer.
func TestFurtherTakesWhatMayHappenFirst(t *testing.T) {
	tr := traces.New(small, "", model.Config{}, true, "", "")
	tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Value: []byte("0"), Occurrence: 1, At: "0"},
		{Kind: "deliver", From: "c", To: "s", Type: "string", Value: []byte(`"it"`), Occurrence: 1, At: "0"}}
	run, err := replay.Replay(small, &tr, nil)
	require.NoError(t, err)
	on, _, err := run.Further(3)
	require.NoError(t, err)
	var keys []any
	for _, r := range on.Records[3:] {
		keys = append(keys, r.Move.Event.Value)
	}
	assert.Equal(t, []any{"soon", "late"}, keys)
}

// A message that may come again after a restart cannot be lost. So it is not among the messages that can be
// lost.
func TestWhatMayComeOnceMoreIsNotLost(t *testing.T) {
	tr := traces.New(small, "", model.Config{Faults: model.Faults{Loss: 1, Restarts: 1}}, false, "", "")
	it := traces.Step{Kind: "deliver", From: "c", To: "s", Type: "string", Value: []byte(`"it"`), Occurrence: 1}
	lost := it
	lost.Kind, lost.Occurrence = "lose", 2
	tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Value: []byte("0"), Occurrence: 1}, it, {Kind: "crash", To: "s"}, {Kind: "restart", To: "s"}, lost}
	_, err := replay.Replay(small, &tr, nil)
	assert.EqualError(t, err, "step 5 (lose c→s string #2): no such message is in flight")
}

// What a run costs in all is said at its end, and not before.
func TestTotalsAreReadAtTheEnd(t *testing.T) {
	tr := traces.New(small, "", model.Config{}, false, "", "")
	tr.Cost = &traces.Cost{Name: "messages", Number: 1}
	tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Value: []byte("0"), Occurrence: 1}}
	_, err := replay.Replay(small, &tr, nil)
	assert.EqualError(t, err, "the trace ends, but messages does not come to 1")
	tr.Steps = append(tr.Steps, traces.Step{Kind: "return", To: "c", Type: "int", Value: []byte("0"), Occurrence: 1},
		traces.Step{Kind: "deliver", From: "c", To: "s", Type: "string", Value: []byte(`"it"`), Occurrence: 1},
		traces.Step{Kind: "timeout", To: "c", Type: "string", Value: []byte(`"late"`), Occurrence: 1},
		traces.Step{Kind: "timeout", To: "c", Type: "string", Value: []byte(`"soon"`), Occurrence: 2})
	_, err = replay.Replay(small, &tr, nil)
	assert.NoError(t, err)
	tr.Cost.Number = 2
	_, err = replay.Replay(small, &tr, nil)
	assert.EqualError(t, err, "the trace ends, but messages does not come to 2")
}

// ringing is a server that resets its alarm each time, without any result.
var ringing = &model.Protocol{Name: "ringing", Build: func(c model.Config) (*model.System, error) {
	return &model.System{
		Faults: c.Faults, Types: []any{"", 0}, Network: model.Network{Delay: model.Anytime()},
		Nodes: []model.NodeSpec{
			{Name: "c", New: func() model.Node { return &setter{} }, Script: []model.Op{{Call: 0, After: model.Anytime()}}},
			{Name: "s", Role: model.Server, New: func() model.Node { return &bell{} }},
		},
	}, nil
}, Claims: []model.Claim{{Name: "rest", Kind: model.Eventually, Source: "nowhere", Monitor: func(*model.System) model.Monitor { return &restless{} }}}}

type (
	bell     struct{ Got int }
	restless struct{}
)

func (*bell) Start(env model.Env)                        { env.After("ring", model.Anytime()) }
func (*bell) Timeout(env model.Env, _ any)               { env.After("ring", model.Anytime()) }
func (b *bell) Receive(model.Env, model.NodeID, any)     { b.Got++ }
func (*restless) Observe(model.Watch, model.Observation) {}
func (*restless) Reached() bool                          { return false }

// Fairness requires that a loop takes an event that is always possible. It does not require a message that
// may come again after a restart.
func TestLoopsWithoutWhatMayComeOnceMore(t *testing.T) {
	tr := traces.New(ringing, "", model.Config{Faults: model.Faults{Restarts: 1}}, false, "rest", "")
	ring := func(occurrence int) traces.Step {
		return traces.Step{Kind: "timeout", To: "s", Type: "string", Value: []byte(`"ring"`), Occurrence: occurrence}
	}
	tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Value: []byte("0"), Occurrence: 1}}
	it := traces.Step{Kind: "deliver", From: "c", To: "s", Type: "string", Value: []byte(`"it"`), Occurrence: 1}
	for _, set := range []string{"late", "soon"} {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "timeout", To: "c", Type: "string", Value: []byte(`"` + set + `"`), Occurrence: len(tr.Steps)})
	}
	tr.Steps = append(tr.Steps, traces.Step{Kind: "return", To: "c", Type: "int", Value: []byte("0"), Occurrence: 1}, it,
		traces.Step{Kind: "crash", To: "s"}, traces.Step{Kind: "restart", To: "s"}, ring(2))
	tr.Loop = len(tr.Steps)
	_, err := replay.Replay(ringing, &tr, nil)
	require.NoError(t, err)

	tr.Steps = append(tr.Steps[:4:4], ring(1)) // without the message it is not fair
	tr.Loop = 5
	_, err = replay.Replay(ringing, &tr, nil)
	require.ErrorContains(t, err, "its loop is not fair")
}
