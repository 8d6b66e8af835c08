package traces_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
)

// taking finds the offer with a text, or fails.
func taking(t *testing.T, w *traces.Walk, text string) traces.Offer {
	t.Helper()
	offers := w.Offers()
	i := slices.IndexFunc(offers, func(o traces.Offer) bool { return o.Text == text })
	require.GreaterOrEqual(t, i, 0, "%s is not among %v", text, offers)
	return offers[i]
}

// Whatever a walk takes, first or last of what is offered, the trace of it replays, and going back
// comes to where one was.
func TestWalk(t *testing.T) {
	for _, timed := range []bool{false, true} {
		for _, pick := range []func(n int) int{func(int) int { return 0 }, func(n int) int { return n - 1 }, func(n int) int { return n / 2 }} {
			start := traces.New(toy, "", model.Config{Faults: model.Faults{Loss: 1, Restarts: 1}}, timed, "", "")
			w, err := traces.Begin(toy, &start, nil, 0)
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
			_, err = traces.Replay(toy, walked, nil)
			assert.NoError(t, err)
			for _, want := range slices.Backward(states[:w.Steps()]) {
				require.NoError(t, w.Back(1))
				assert.Equal(t, want, stateOf(t, w))
			}
			assert.NoError(t, w.Back(7), "at the beginning that is nothing")
			again, err := traces.Begin(toy, walked, nil, len(walked.Steps))
			require.NoError(t, err)
			assert.Equal(t, len(walked.Steps), again.Steps())
		}
	}
}

// takes takes an offer, with the largest answers where its handlers ask.
func takes(t *testing.T, w *traces.Walk, o traces.Offer) {
	t.Helper()
	var answers []int
	for {
		err := w.Take(o, "", answers)
		if err == nil {
			return
		}
		var ask *traces.Ask
		require.ErrorAs(t, err, &ask)
		answers = append(answers, ask.Of-1)
		o = taking(t, w, o.Text) // the walk went back to where it was
	}
}

// stateOf is the whole state that a walk has reached.
func stateOf(t *testing.T, w *traces.Walk) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, traces.State(&b, w.Run(), false))
	return b.String()
}

// An instant outside of an offer's window, or finer than a walk counts, is refused, and the walk
// is as it was.
func TestWalkInTime(t *testing.T) {
	start := traces.New(toy, "", model.Config{}, true, "", "")
	w, err := traces.Begin(toy, &start, nil, 0)
	require.NoError(t, err)
	o := w.Offers()[0]
	for at, want := range map[string]string{
		"9": "at is 9, but this may happen from ", "1/7": "at is 1/7, but this walk counts in parts of 1/60 tick", "x": `at is "x", but must be digits`,
	} {
		assert.ErrorContains(t, w.Take(o, at, nil), want)
		assert.Zero(t, w.Steps())
	}
	_, err = traces.Begin(toy, &start, nil, 1)
	assert.ErrorContains(t, err, "step is 1, but must be 0, before the first, to 0")
}
