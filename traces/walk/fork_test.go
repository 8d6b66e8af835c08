package walk_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/walk"
)

// A climber draws where it begins, and climbs for ever.
type climber struct{ At int }

func (c *climber) Start(env model.Env) {
	c.At = 10 * env.Choose(3)
	env.After(nil, model.Between(1, 3))
}

func (c *climber) Timeout(env model.Env, _ any) {
	c.At++
	env.After(nil, model.Between(1, 3))
}

var climbing = &model.Protocol{Name: "climbing", Build: func(c model.Config) (*model.System, error) {
	return &model.System{Config: c, Network: model.Network{Delay: model.By(1)},
		Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &climber{} }}}}, nil
}, Claims: []model.Claim{{Name: "never -1", Invariant: func([]model.Node) error { return nil }}}}

// A search among runs without end takes as many steps as it may.
func TestAvoidingEnds(t *testing.T) {
	header := traces.New(climbing, "", model.Config{}, false, "", "")
	w, err := walk.Begin(climbing, &header, climbing.Claims, 0)
	require.NoError(t, err)
	is, _ := walk.NewAvoiding("never -1", 100, nil).From(w)
	assert.Equal(t, walk.Open, is)
}

// A walk along a trace begins like the trace. Steps of the walk's own run are ignored, and neither is shown.
func TestWhatAWalkBeginsWith(t *testing.T) {
	header := traces.New(climbing, "", model.Config{}, true, "", "")
	way := header
	way.Boot = []int{2}
	along, err := walk.BeginAlong(climbing, &header, nil, &way)
	require.NoError(t, err)
	assert.Contains(t, stateOf(t, along), "20")
	way.Steps = []traces.Step{{Kind: "timeout", To: "a", Occurrence: 1, At: "1/3"}}
	at, err := walk.BeginAt(climbing, &way, nil, walk.Place{{Number: 1, At: "2"}})
	require.NoError(t, err)
	assert.Equal(t, 1, at.Steps())
	assert.Empty(t, at.Run().Trace.Steps)
	way.Steps = []traces.Step{{Kind: "crash", To: "a", At: "1"}}
	in, err := walk.BeginIn(climbing, &way, nil, 1)
	require.NoError(t, err)
	assert.Empty(t, in.Run().Trace.Steps)
	tr, err := in.Trace()
	require.NoError(t, err)
	assert.Empty(t, tr.Steps)
	_, err = walk.BeginAt(climbing, &header, nil, walk.Place{{Number: 1, At: "9"}})
	assert.ErrorContains(t, err, "at is 9, but this may happen from 1 to 3")
}

// Walks that fork, go on and go back, in any order, are each where their own steps lead: where a walk comes that goes the way of their place alone.
func TestForksGoTheirOwnWay(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		header := traces.New(toy.Protocol, "", model.Config{Faults: model.Faults{Loss: 1, Restarts: 1}}, seed%2 == 0, "", "")
		first, err := walk.Begin(toy.Protocol, &header, nil, 0)
		require.NoError(t, err)
		walks, places := []*walk.Walk{first}, []walk.Place{nil}
		for range 40 {
			i := r.IntN(len(walks))
			w := walks[i]
			switch offers := w.Offers(); {
			case r.IntN(4) == 0 && len(walks) < 6:
				walks, places = append(walks, w.Fork()), append(places, places[i])
			case r.IntN(5) == 0:
				back := r.IntN(3)
				require.NoError(t, w.Back(back))
				places[i] = places[i][:max(0, len(places[i])-back)]
			case len(offers) > 0:
				takes(t, w, offers[r.IntN(len(offers))])
				places[i] = append(places[i][:len(places[i]):len(places[i])], w.Place()[len(places[i])])
			}
		}
		for i, w := range walks {
			assert.Equal(t, places[i].String(), w.Place().String())
			assert.Equal(t, len(places[i]), w.Steps())
			alone, err := walk.BeginAt(toy.Protocol, &header, nil, places[i])
			require.NoError(t, err)
			assert.Equal(t, stateOf(t, alone), stateOf(t, w))
			want, err := alone.Trace()
			require.NoError(t, err)
			got, err := w.Trace()
			require.NoError(t, err)
			assert.Equal(t, want.Steps, got.Steps)
		}
	}
}
