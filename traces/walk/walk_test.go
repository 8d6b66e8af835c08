package walk_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/walk"
)

// The trace of a walk replays, whether it takes the first or the last offers. Going back returns to the
// previous state.
func TestWalk(t *testing.T) {
	for _, timed := range []bool{false, true} {
		for _, pick := range []func(n int) int{func(int) int { return 0 }, func(n int) int { return n - 1 }, func(n int) int { return n / 2 }} {
			start := traces.New(toy.Protocol, "", model.Config{Faults: model.Faults{Loss: 1, Restarts: 1}}, timed, "", "")
			w, err := walk.Begin(toy.Protocol, &start, nil, 0)
			require.NoError(t, err)
			var states []string
			for range 12 {
				states = append(states, stateOf(t, w))
				offers := w.Offers()
				if len(offers) == 0 {
					break
				}
				takes(t, w, offers[pick(len(offers))])
			}
			walked, err := w.Trace()
			require.NoError(t, err)
			require.NotEmpty(t, walked.Steps)
			_, err = replay.Replay(toy.Protocol, walked, nil)
			assert.NoError(t, err)
			for _, want := range slices.Backward(states[:w.Steps()]) {
				require.NoError(t, w.Back(1))
				assert.Equal(t, want, stateOf(t, w))
			}
			assert.NoError(t, w.Back(7), "at the beginning that is nothing")
			again, err := walk.Begin(toy.Protocol, walked, nil, len(walked.Steps))
			require.NoError(t, err)
			assert.Equal(t, len(walked.Steps), again.Steps())
		}
	}
}

// takes takes an offer, with the largest answers to its choices.
func takes(t *testing.T, w *walk.Walk, o walk.Offer) {
	t.Helper()
	var answers []int
	for {
		err := w.Take(o, "", answers)
		if err == nil {
			return
		}
		var ask *walk.Ask
		require.ErrorAs(t, err, &ask)
		answers = append(answers, ask.Of-1)
	}
}

// stateOf returns the state that a walk has reached.
func stateOf(t *testing.T, w *walk.Walk) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, show.State(&b, w.Run(), show.Style{}))
	return b.String()
}

// An instant outside of an offer's window, or finer than the walk's parts, is refused, and the walk is
// unchanged.
func TestWalkInTime(t *testing.T) {
	start := traces.New(toy.Protocol, "", model.Config{}, true, "", "")
	w, err := walk.Begin(toy.Protocol, &start, nil, 0)
	require.NoError(t, err)
	o := w.Offers()[0]
	for at, want := range map[string]string{
		"9": "at is 9, but this may happen from ", "1/7": "at is 1/7, but this walk counts in parts of 1/60 tick", "x": `at is "x", but must be digits`,
	} {
		assert.ErrorContains(t, w.Take(o, at, nil), want)
		assert.Zero(t, w.Steps())
	}
	_, err = walk.Begin(toy.Protocol, &start, nil, 1)
	assert.ErrorContains(t, err, "step is 1, but must be 0, before the first, to 0")
}

// walked has systems with all faults, holds, Byzantine nodes and monitors.
var walked = []struct {
	p      *model.Protocol
	config model.Config
	timed  bool
}{
	{toy.Protocol, model.Config{Faults: model.Faults{Loss: 1, Duplication: 1, Restarts: 1, Crashes: 1}}, true},
	{toy.Protocol, model.Config{Faults: model.Faults{Loss: 1, Duplication: 1, Restarts: 1, Crashes: 1}}, false},
	{backoff.Protocol, model.Config{}.With(model.N.Is(6), model.B.Is(1)), true},
	{backoff.Protocol, model.Config{}.With(model.N.Is(6), model.B.Is(1)), false},
	{ordering.Protocol, model.Config{}.With(model.N.Is(7), model.B.Is(1)), false},
}

// A forked walk is independent, and its place can be reached again: from the beginning, from its text, and
// from its trace.
func TestForksAndPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, at := range walked {
		header := traces.New(at.p, "", at.p.Filled(at.config), at.timed, "", "")
		for range 5 {
			w, err := walk.Begin(at.p, &header, nil, 0)
			require.NoError(t, err)
			forked(t, w, rng)
			assertPlace(t, at.p, &header, w)
		}
	}
}

// forked continues a walk with forks from each place, and checks that they are independent.
func forked(t *testing.T, w *walk.Walk, rng *rand.Rand) {
	t.Helper()
	all := []*walk.Walk{w}
	for range 40 {
		states := make([]string, len(all))
		for i, x := range all {
			if offers := x.Offers(); len(offers) > 0 {
				takes(t, x, offers[rng.IntN(len(offers))])
			}
			states[i] = worldOf(x)
		}
		for i, x := range all {
			require.Equal(t, states[i], worldOf(x), "walk %d of %d", i, len(all))
		}
		all = append(all[:min(len(all), 3)], w.Fork())
	}
}

// worldOf returns the state of a walk in a comparable form.
func worldOf(w *walk.Walk) string { return strings.Join(w.Run().World.State(), "\n") }

func assertPlace(t *testing.T, p *model.Protocol, header *traces.Trace, w *walk.Walk) {
	t.Helper()
	require.NotZero(t, w.Steps(), "the walk is no walk")
	text := w.Place().String()
	place, err := walk.ParsePlace(text)
	require.NoError(t, err)
	require.Equal(t, w.Place(), place)
	there, err := walk.BeginAt(p, header, nil, place)
	require.NoError(t, err)
	assert.Equal(t, w.Run().World.State(), there.Run().World.State())
	tr, err := w.Trace()
	require.NoError(t, err)
	same, err := walk.Begin(p, tr, nil, len(tr.Steps))
	require.NoError(t, err)
	assert.Equal(t, text, same.Place().String())
}

// An invalid place is refused with the reason: its text, a choice that is not offered, a missing answer.
func TestBadPlaces(t *testing.T) {
	header := traces.New(toy.Protocol, "", model.Config{}, true, "", "")
	for text, want := range map[string]string{
		"1.x":   `place: choice 2 is "x", but must be a number from 1 such as 3, f2, 3@5/2 or 3:0,1`,
		"0":     `place: choice 1 is "0", but must be`,
		"1..2":  `place: choice 2 is "", but must be`,
		"1@1/0": `at is "1/0", but must be`,
		"99":    "place: choice 1: 99 is not offered: what may happen next has ",
		"f99":   "place: choice 1: f99 is not offered: what may be forged has ",
		"1@99":  "place: choice 1: at is 99, but this may happen from ",
	} {
		place, err := walk.ParsePlace(text)
		if err == nil {
			_, err = walk.BeginAt(toy.Protocol, &header, nil, place)
		}
		assert.ErrorContains(t, err, want, "%q", text)
	}
}

// Any text of a place is either refused, or is written again unchanged.
func FuzzParsePlace(f *testing.F) {
	for _, text := range []string{"", "1.2.f3", "3@5/2:0,1", "1@00", "f0", "9:1,", "1.2."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		place, err := walk.ParsePlace(text)
		if err != nil {
			return
		}
		again, err := walk.ParsePlace(place.String())
		require.NoError(t, err)
		require.Equal(t, place, again)
		if _, err := place.Parts(); err == nil {
			header := traces.New(toy.Protocol, "", model.Config{}, false, "", "")
			_, _ = walk.BeginAt(toy.Protocol, &header, nil, place[:min(len(place), 20)])
		}
	})
}
