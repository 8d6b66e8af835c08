package walk_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/walk"
)

// Of what is near the nearest is found, and it is there; of what is nowhere that is said.
func TestNearest(t *testing.T) {
	p := ricartagrawala.Protocol
	header := traces.New(p, "", p.Filled(model.Config{}.With(model.N.Is(2))), false, "", "")
	w, err := walk.Begin(p, &header, nil, 0)
	require.NoError(t, err)
	requests := func(nodes []model.Node) (n int) {
		for _, node := range nodes {
			if node.(*ricartagrawala.Process).Request != 0 {
				n++
			}
		}
		return n
	}
	both := func(nodes []model.Node) bool { return requests(nodes) == 2 }
	got := w.Nearest(walk.Seeking{Holds: both, States: 1000})
	require.True(t, got.Found)
	assert.Len(t, got.Place, 2)
	there, err := walk.BeginAt(p, &header, nil, got.Place)
	require.NoError(t, err)
	assert.Equal(t, "runs operation 1 of 2, Acquire", show.Standings(there.Run())[1].Also[0])

	here := there.Nearest(walk.Seeking{Holds: both, States: 1000})
	assert.True(t, here.Found)
	assert.Equal(t, there.Place(), here.Place, "it holds where one is")

	never := func([]model.Node) bool { return false }
	all := w.Nearest(walk.Seeking{Holds: never, States: 1 << 20})
	assert.True(t, all.Complete)
	assert.False(t, all.Found)
	assert.Greater(t, all.States, 20)
	some := w.Nearest(walk.Seeking{Holds: never, States: 10})
	assert.False(t, some.Complete)
	assert.Equal(t, 10, some.States)
	stop := make(chan struct{})
	close(stop)
	assert.False(t, w.Nearest(walk.Seeking{Holds: never, States: 1 << 20, Stop: stop}).Complete)
	assert.Zero(t, w.Steps(), "the walk stays where it is")
}

// A search from somewhere tries the answers that handlers ask for, too, and lies; and in time it
// never says that it has seen all.
func TestNearestTriesAnswersAndLies(t *testing.T) {
	for _, timed := range []bool{false, true} {
		header := traces.New(toy.Protocol, "", model.Config{}, timed, "", "")
		w, err := walk.Begin(toy.Protocol, &header, nil, 0)
		require.NoError(t, err)
		got := w.Nearest(walk.Seeking{Holds: func(nodes []model.Node) bool { return nodes[1].(*toy.Asker).Answer == 2 }, States: 5000})
		require.True(t, got.Found, "timed: %v", timed)
		_, err = walk.BeginAt(toy.Protocol, &header, nil, got.Place)
		require.NoError(t, err)
		all := w.Nearest(walk.Seeking{Holds: func([]model.Node) bool { return false }, States: 20000})
		assert.Equal(t, !timed, all.Complete)
	}
}

// A trace that was made with other claims watched is walked along: here, of none, where monitors
// have alarms and ask for holds.
func TestBeginAlong(t *testing.T) {
	for _, timed := range []bool{false, true} {
		for seed := range uint64(20) {
			bare := *toy.Protocol
			bare.Claims = nil
			tr, _ := toy.Drive(t, &bare, "", model.Config{}, timed, nil, seed)
			tr.Watched = nil
			header := *tr
			header.Steps = nil
			w, err := walk.BeginAlong(toy.Protocol, &header, nil, tr)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, w.Steps(), len(tr.Steps))
			back, err := w.Trace()
			require.NoError(t, err)
			_, err = replay.Replay(toy.Protocol, back, nil)
			require.NoError(t, err)
		}
	}
}
