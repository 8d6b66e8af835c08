package judge

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// Remembered verdicts are porcupine's, which is not asked again; that it has run out of time is not remembered.
func TestMemory(t *testing.T) {
	steps := 0
	counted := register
	counted.Step = func(state any, of model.NodeID, op any) []model.Effect {
		steps++
		return register.Step(state, of, op)
	}
	m := Memory{Object: counted}
	r := rand.New(rand.NewPCG(1, 2))
	verdicts, unknown := map[Verdict]int{}, false
	for range 300 {
		h := randomHistory(r)
		is, err := History(register, h, time.Minute)
		require.NoError(t, err)
		hasty, err := m.History(h, time.Nanosecond)
		require.NoError(t, err)
		unknown = unknown || hasty == Unknown
		got, err := m.History(h, time.Minute)
		require.NoError(t, err)
		require.Equal(t, is, got)
		before := steps
		again, err := m.History(h, 0)
		require.NoError(t, err)
		if is == Linearizable {
			require.Equal(t, is, again)
			require.Equal(t, before, steps)
		}
		verdicts[is]++
	}
	assert.True(t, unknown, "porcupine takes no time")
	assert.Greater(t, verdicts[Linearizable], 20)
	assert.Greater(t, verdicts[Illegal], 20)
}

// What makes a verdict another makes a history another.
func TestTold(t *testing.T) {
	call := func(kind model.ObservationKind, node model.NodeID, v any) model.Observation {
		return model.Observation{Kind: kind, Node: node, Value: v}
	}
	h := []model.Observation{call(model.Invoked, 1, 0), call(model.Returned, 1, 1)}
	note := call(model.Noted, 1, "note")
	assert.Equal(t, relevant(h), relevant([]model.Observation{h[0], note, h[1]}))
	for _, other := range [][]model.Observation{
		h[:1], {h[1], h[0]}, {call(model.Invoked, 2, 0), h[1]}, {call(model.Invoked, 1, 1), h[1]}, {h[0], call(model.Returned, 1, "1")},
		{h[0], call(model.Released, 1, 1)}, {h[0], call(model.Released, 1, 1), h[1]},
	} {
		assert.NotEqual(t, relevant(h), relevant(other))
	}
}

// Porcupine has some seconds for a history, and no more than is left of the check.
func TestPatience(t *testing.T) {
	ago := time.Now().Add(-2 * time.Minute)
	usual := Patience(ago, 0)
	for _, c := range []struct{ timeout, most, least time.Duration }{
		{time.Hour, usual, usual}, {time.Minute, time.Millisecond, time.Millisecond}, {2*time.Minute + 2*time.Second, 2 * time.Second, time.Millisecond},
	} {
		if is := Patience(ago, c.timeout); is > c.most || is < c.least {
			t.Errorf("of %v: %v, want %v to %v", c.timeout, is, c.least, c.most)
		}
	}
}
