package walk_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

type (
	decide  struct{ Again bool }
	decided struct{ Is int }
	// A decider makes a choice and sends it to its fellow. Asked to decide again, it does so forever.
	decider struct {
		Fellow model.NodeID
		Is     int
	}
)

func (d *decider) Invoke(env model.Env, op any) {
	if op.(decide).Again {
		env.After(decide{}, model.Exactly(1))
	}
	env.Send(d.Fellow, decided{1 + env.Choose(2)})
}

func (*decider) Timeout(env model.Env, key any) { env.After(key, model.Exactly(1)) }

func (d *decider) Receive(_ model.Env, _ model.NodeID, m any) { d.Is = m.(decided).Is }

// deciding returns a protocol whose claim is violated when a 2 arrives.
func deciding(op decide, cuts ...model.Cut) *model.Protocol {
	return &model.Protocol{Name: "deciding", Params: []model.Parameter{model.Delay}, Build: func(c model.Config) (*model.System, error) {
		node := func() model.Node { return &decider{Fellow: 1} }
		return &model.System{
			Network: model.Network{Delay: model.By(1)}, Types: []any{decide{}, decided{}}, Cuts: cuts,
			Nodes: []model.NodeSpec{{Name: "a", New: node, Script: []model.Op{{Call: op}}}, {Name: "b", New: node}},
		}, nil
	}, Claims: []model.Claim{{Name: "never 2", Invariant: func(nodes []model.Node) error {
		if nodes[1].(*decider).Is == 2 {
			return errors.New("it is 2")
		}
		return nil
	}}}}
}

// outlooks returns the outlooks before each step of a run, from its end backwards.
func outlooks(t *testing.T, p *model.Protocol, timed bool, steps int, place string) (all []walk.Outlook, other walk.Place) {
	t.Helper()
	header := traces.New(p, "", model.Config{}, timed, "", "")
	way, err := walk.ParsePlace(place)
	require.NoError(t, err)
	a := walk.NewAvoiding("never 2", steps, nil)
	for i := len(way) - 1; i >= 0; i-- {
		w, err := walk.BeginAt(p, &header, p.Claims, way[:i])
		require.NoError(t, err)
		var is walk.Outlook
		if is, other = a.From(w); is == walk.Avoidable {
			there, err := walk.BeginAt(p, &header, p.Claims, other)
			require.NoError(t, err)
			assert.Empty(t, there.Run().World.Violations)
		}
		assert.Equal(t, i, w.Steps())
		all = append(all, is)
	}
	return all, other
}

// Once the message with the wrong value is on its way all runs break the claim; before it was sent, one did
// not. Where the search ends early, another run may show it. Where a run may go on for ever, or behind a cut, it is not said that
// none avoids it, and in time neither.
func TestAvoiding(t *testing.T) {
	for name, c := range map[string]struct {
		p     *model.Protocol
		timed bool
		steps int
		want  []walk.Outlook
		other string
	}{
		"once":           {deciding(decide{}), false, 1000, []walk.Outlook{walk.Inevitable, walk.Avoidable}, "1:0.1"},
		"in time":        {deciding(decide{}), true, 1000, []walk.Outlook{walk.Open, walk.Avoidable}, "1:0.1"},
		"for ever":       {deciding(decide{Again: true}), false, 1000, []walk.Outlook{walk.Open, walk.Open}, ""},
		"by another run": {deciding(decide{}), false, 1, []walk.Outlook{walk.Inevitable, walk.Avoidable}, "1:0.1"}, // no steps are left to search
		"behind a cut":   {deciding(decide{}, model.Cut{Name: "low", Beyond: func(n model.Node) bool { return n.(*decider).Is == 1 }}), false, 1000, []walk.Outlook{walk.Inevitable, walk.Open}, ""},
		"all behind cut": {deciding(decide{}, model.Cut{Name: "low", Beyond: func(n model.Node) bool { return n.(*decider).Is == 1 }}), true, 1000, []walk.Outlook{walk.Open, walk.Open}, ""},
	} {
		got, other := outlooks(t, c.p, c.timed, c.steps, "1:1.1")
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.other, other.String(), name)
	}
}
