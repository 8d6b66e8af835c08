package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/explore/predicate"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces/walk"
)

// The nearest state is found from where one is, and from the beginning; of one that is nowhere that is
// said, and of a search that ends too early that it says nothing.
func TestNearest(t *testing.T) {
	v := two(t)
	both := "p1.Request > 0 && p2.Request > 0"
	for _, from := range []string{"here", "start"} {
		got := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{}, both, from})
		require.True(t, got.Found, got)
		at := v.at(got.Place)
		assert.Equal(t, 2, at.Steps, got.Text)
		never := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{}, "p1.Clock > 99", from})
		assert.False(t, never.Found)
		assert.Regexp(t, "^No such state can be reached from .*: the search is complete", never.Text)
	}
	here := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{"1.1"}, both, "here"})
	assert.Equal(t, nearestResult{Found: true, Place: "1.1", Text: "It holds here."}, here)
	odd := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{}, "[1][p1.Clock] == 2", "start"})
	assert.Regexp(t, `In some states the predicate cannot be evaluated \(index out of range.*\); they do not count\.$`, odd.Text)
}

// A search from where one is, too, is the exhaustive one: it comes to its end where the interpreter, a hundred
// times as slow, looked at a part.
func TestNearestIsExhaustive(t *testing.T) {
	v := exploring(t, ricartagrawala.Protocol, model.Config{}.With(model.N.Is(3)), model.Untimed)
	got := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{"1.1"}, "p1.Clock > 99", "here"})
	assert.Regexp(t, `^No such state can be reached from here: the search is complete \(\d{4,6} states searched, up to \d+ steps from here\)\.$`, got.Text)
}

// What is found from somewhere continues the run so far, and is as near as the interpreter finds it, with
// time and without.
func TestNearestContinues(t *testing.T) {
	for _, c := range []struct {
		p       *model.Protocol
		config  model.Config
		reading model.Reading
		where   string
	}{
		{ricartagrawala.Protocol, model.Config{}.With(model.N.Is(3)), model.Untimed, "p3.Replies == 2"},
		{backoff.Protocol, model.Config{Faults: model.Faults{Loss: 1}}.With(model.N.Is(2)), model.Untimed, "c1.Waiting && c2.Waiting && len(c2.Answers) == 1"},
		{backoff.Protocol, model.Config{}.With(model.N.Is(2)), model.Grid, "c1.Waiting && c2.Waiting && len(c2.Answers) == 1"},
	} {
		v := exploring(t, c.p, c.config, c.reading)
		from := v.take("", "1")
		from = v.take(from.Place, from.Offers[0].Choice)
		got := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{from.Place}, c.where, "here"})
		require.True(t, got.Found, "%s %v: %v", c.p.Name, c.reading, got)
		require.True(t, strings.HasPrefix(got.Place, from.Place+"."), "%s continues %s", got.Place, from.Place)
		again := ended[nearestResult](v, "nearest", nearestRequest{placeRequest{got.Place}, c.where, "here"})
		assert.Equal(t, "It holds here.", again.Text)
		w, err := v.s.walk(from.Place)
		require.NoError(t, err)
		bare, err := v.s.unwatched(w)
		require.NoError(t, err)
		near := bare.Nearest(walk.Seeking{Holds: func(nodes []model.Node) bool { return holds(t, v, c.where, nodes) }, States: nearStates})
		require.True(t, near.Found)
		assert.Equal(t, near.Steps, v.at(got.Place).Steps-from.Steps, "%s %v", c.p.Name, c.reading)
	}
}

func holds(t *testing.T, v *visitor, where string, nodes []model.Node) bool {
	t.Helper()
	p, err := predicate.Parse(v.s.system, where)
	require.NoError(t, err)
	is, err := p.Holds(nodes)
	require.NoError(t, err)
	return is
}
