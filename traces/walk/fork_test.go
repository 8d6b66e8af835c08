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
