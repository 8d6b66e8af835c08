package group

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// A clock is a Watch whose alarms ring when time passes.
type clock struct {
	model.Watch
	now      model.Ticks
	alarms   map[any]model.Ticks
	violated bool
}

func (c *clock) After(key any, w model.Window) { c.alarms[key] = c.now + w.Hi.At }
func (c *clock) Cancel(key any)                { delete(c.alarms, key) }
func (c *clock) Violate(string, ...any)        { c.violated = true }
func (c *clock) Witness()                      {}

// violates reports whether a history of two nodes violates a claim. Each part of the history is a time, a node, and what it notes, calls,
// or returns, or that it crashes.
func violates(t *testing.T, claim, history string) bool {
	var m model.Monitor
	for _, c := range claimed {
		if c.Name == claim {
			m = c.Monitor(&model.System{Config: model.Config{N: 2}})
		}
	}
	require.NotNil(t, m, claim)
	c := &clock{alarms: map[any]model.Ticks{}}
	pass := func(to model.Ticks) {
		c.now = to
		for key, at := range maps.Clone(c.alarms) {
			if at <= to {
				delete(c.alarms, key)
				m.(model.Expirer).Expire(c, key)
			}
		}
	}
	for part := range strings.SplitSeq(history, "; ") {
		var at model.Ticks
		var o model.Observation
		var kind string
		_, err := fmt.Sscanf(part, "%d n%d %s", &at, &o.Node, &kind)
		require.NoError(t, err, part)
		_, text, _ := strings.Cut(part, " "+kind+" ")
		o.Value = text
		o.Kind = map[string]model.ObservationKind{"notes": model.Noted, "calls": model.Invoked, "returns": model.Returned, "crashes": model.Crashed}[kind]
		pass(at)
		m.Observe(c, o)
	}
	pass(60_000)
	return c.violated
}

// Each claim is violated by one history, and not by another that differs in a point.
func TestClaims(t *testing.T) {
	const up = "0 n0 notes snapshot 0 0; 0 n1 notes snapshot 0 0; 10 n0 notes lists n1 alive; 10 n1 notes lists n0 alive; "
	for _, c := range []struct{ claim, holds, violates string }{
		{"an event is delivered once", "0 n0 notes delivers 1 e; 1 n1 notes delivers 1 e; 2 n0 notes delivers 2 e", "0 n0 notes delivers 1 e; 1 n0 notes delivers 1 e"},
		{"no event of the snapshot is delivered", "0 n0 notes snapshot 3 2; 1 n0 notes delivers 3 e", "0 n0 notes snapshot 3 2; 1 n0 notes delivers 2 e"},
		{"no event from before a stop is delivered again", "0 n0 notes delivers 1 e; 1 n0 crashes; 2 n0 notes delivers 1 e",
			"0 n0 notes delivers 1 e; 1 n0 calls leave; 2 n0 returns ok; 3 n0 calls return; 4 n0 crashes; 5 n0 notes delivers 1 e"},
		{"no event from before a stop is delivered again", "1 n0 calls leave; 2 n0 notes delivers 1 e; 3 n0 calls return; 4 n0 notes delivers 1 e",
			"0 n0 notes delivers 1 e; 1 n0 calls kill; 3 n0 calls return; 4 n0 notes delivers 1 e"},
		{during, "1 n0 calls leave; 2 n0 notes delivers 1 e; 3 n0 crashes; 4 n0 calls return; 5 n0 notes delivers 1 e",
			"1 n0 calls leave; 2 n0 notes delivers 1 e; 3 n0 calls return; 4 n0 notes delivers 1 e"},
		{"clocks do not go back", "0 n0 notes clocks 5 5; 1 n0 notes snapshot 3 3; 2 n0 notes clocks 4 4", "0 n0 notes snapshot 3 3; 1 n0 notes clocks 4 2"},
		{"clocks do not go back", "0 n0 notes clocks 5 5; 1 n0 notes clocks 5 6", "0 n0 notes clocks 5 5; 1 n0 notes clocks 4 6"},
		{"who leaves is not listed as failed", up + "20 n1 calls leave; 30 n0 notes lists n1 left", up + "20 n1 calls leave; 30 n0 notes lists n1 failed"},
		{"who leaves is not listed as failed", up + "20 n1 calls kill; 30 n0 notes lists n1 failed", up + "20 n1 calls leave; 25 n1 returns ok; 30 n0 notes lists n1 failed"},
		{"who has left is listed as left in time", up + "20 n1 calls leave; 25 n1 returns ok; 4000 n0 notes lists n1 left", up + "20 n1 calls leave; 25 n1 returns ok; 4100 n0 notes lists n1 left"},
		{"who is forced to leave is listed as left in time", up + "20 n1 calls kill; 30 n0 notes lists n1 failed; 40 n0 calls force n1; 50 n0 returns ok; 60 n0 notes lists n1 left",
			up + "20 n1 calls kill; 30 n0 notes lists n1 failed; 40 n0 calls force n1; 50 n0 returns ok"},
		{listed, up + "20 n0 notes lists n1 failed; 10000 n0 notes lists n1 alive", up + "20 n0 notes lists n1 leaving; 10100 n0 notes lists n1 alive"},
		{listed, up + "20 n0 crashes; 20 n1 crashes; 30 n0 notes snapshot 0 0; 30 n1 notes snapshot 0 0", up + "20 n0 crashes; 30 n0 notes snapshot 0 0"},
		{"events reach all in time", up + "20 n0 notes delivers 1 e; 1500 n1 notes delivers 1 e", up + "20 n0 notes delivers 1 e"},
	} {
		assert.False(t, violates(t, c.claim, c.holds), "%s: %s", c.claim, c.holds)
		assert.True(t, violates(t, c.claim, c.violates), "%s: %s", c.claim, c.violates)
	}
}
