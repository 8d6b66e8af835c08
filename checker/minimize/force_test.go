package minimize

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
)

// hurried is a protocol of a node that is asked some time, counts what it does, and two ticks later at the latest sends itself two letters with
// the count. It is claimed never to get the second of them.
var hurried = &model.Protocol{Name: "hurried",
	Claims: []model.Claim{{Name: "one letter", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*hurrying).Second {
			return errors.New("the second letter comes")
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{"", letter{}}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{{Name: "h", Role: model.Peer, New: func() model.Node { return &hurrying{} }}}}, nil
	}}

type (
	letter   struct{ Nth, Count int }
	hurrying struct {
		Count  int
		Second bool
	}
)

func (*hurrying) Start(env model.Env) {
	env.After("ask", model.Between(0, 4))
	env.After("work", model.Between(3, 5))
}

func (h *hurrying) Timeout(env model.Env, key any) {
	switch h.Count++; key {
	case "ask":
		env.After("tidy", model.Between(0, 9))
		env.After("write", model.Between(0, 2))
	case "write":
		env.Send(env.Self(), letter{1, h.Count})
		env.Send(env.Self(), letter{2, h.Count})
	}
}

func (h *hurrying) Receive(_ model.Env, _ model.NodeID, m any) { h.Second = m.(letter).Nth == 2 }

// A step that has to happen sooner than in the plan's run is that step of it all the same: what it makes is found by the steps behind it, though
// it has other values now.
func TestStepsThatHaveToHappenSooner(t *testing.T) {
	tr := traces.New(hurried, "", model.Config{}, true, "one letter", "")
	tr.Watched = []string{"one letter"}
	alarm := func(at, key string, n int) traces.Step {
		return traces.Step{At: at, Kind: "timeout", To: "h", Type: "string", Occurrence: n, Value: []byte(`"` + key + `"`)}
	}
	tr.Steps = []traces.Step{alarm("2", "ask", 1), alarm("3", "work", 2), alarm("3", "tidy", 3), alarm("4", "write", 4),
		{At: "4", Kind: "deliver", From: "h", To: "h", Type: "minimize.letter", Occurrence: 2, Value: []byte(`{"Nth":2,"Count":4}`)}}
	m, err := begin(hurried, &tr, Options{})
	require.NoError(t, err)
	p := m.plan()
	p.early = true
	is, amiss := m.execute(p)
	require.NotNil(t, is)
	assert.False(t, amiss)
	var keys []any
	for _, r := range is.records {
		keys = append(keys, r.Move.Event.Value)
	}
	assert.Equal(t, []any{"ask", "write", "work", "tidy", letter{2, 2}}, keys)
}
