package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// blinking is a protocol of a lamp that goes on and off for ever. That it is on at last is a goal; that it burns is none that is ever reached.
var blinking = &model.Protocol{Name: "blinking",
	Claims: []model.Claim{
		{Name: "on", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &lit{} }},
		{Name: "burnt", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &burnt{} }},
	},
	Build: func(model.Config) (*model.System, error) {
		return &model.System{Nodes: []model.NodeSpec{{Name: "l", Role: model.Peer, New: func() model.Node { return &lamp{} }}}}, nil
	}}

type (
	lamp  struct{ On bool }
	lit   struct{ Is bool }
	burnt struct{}
)

func (l *lamp) Start(env model.Env) { env.After(0, model.Anytime()) }

func (l *lamp) Timeout(env model.Env, _ any) {
	l.On = !l.On
	env.Note(l.On)
	env.After(0, model.Anytime())
}

func (l *lit) Observe(_ model.Watch, o model.Observation) {
	l.Is = o.Kind == model.Noted && o.Value.(bool)
}
func (l *lit) Reached() bool { return l.Is }

func (*burnt) Observe(model.Watch, model.Observation) {}
func (*burnt) Reached() bool                          { return false }

// A round breaks a claim about a goal only if it comes back to where it began, and does not reach the goal on its way.
func TestRoundsOnTheirWay(t *testing.T) {
	for claim, want := range map[string][]bool{"burnt": {false, true, false}, "on": {false, false, false}} {
		header := traces.New(blinking, "", model.Config{}, false, claim, "")
		header.Watched, header.Loop = []string{claim}, 1
		m := &minimizer{protocol: blinking, claims: blinking.Claims, stages: map[string]*stage{}}
		st, err := m.stage(header)
		require.NoError(t, err)
		run, err := m.start(st, 1, nil)
		require.NoError(t, err)
		breaks := judgeOf(header, st.claim)
		run.beginRound()
		assert.False(t, breaks(run), "no step was taken")
		for i, is := range want {
			require.True(t, run.step(world.Move{Kind: model.Timeout, Event: run.world.Pending()[0]}, 0, -1, answers{}))
			run.observe()
			assert.Equal(t, is, breaks(run), "%s after step %d", claim, i+1)
		}
	}
}
