package show_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
	"contend/traces/show"
)

type lease struct{}

// Under clock drift a hold is one query, with the answer that the clock chose. Choices of the handler stay.
func TestHoldsAsked(t *testing.T) {
	soonest := func(held bool) world.HeldAnswer {
		return world.HeldAnswer{Key: model.Soonest{Hold: lease{}}, Since: 3, Held: held}
	}
	latest := func(held bool) world.HeldAnswer {
		return world.HeldAnswer{Key: model.Latest{Hold: lease{}}, Since: 3, Held: held}
	}
	plain := world.HeldAnswer{Key: lease{}, Since: 2, Held: true}
	choice := func(of, is int) world.Choice { return world.Choice{Of: of, Is: is, What: "choose"} }
	for _, x := range []struct {
		what    string
		held    []world.HeldAnswer
		choices []world.Choice
		want    []string
		left    int
	}{
		{"no drift", []world.HeldAnswer{plain}, []world.Choice{{Of: 2, What: "held"}, choice(2, 1)}, []string{"the hold of step 2 lasts"}, 1},
		{"certainly lasts", []world.HeldAnswer{soonest(true)}, nil, []string{"the hold of step 3 lasts"}, 0},
		{"certainly over", []world.HeldAnswer{soonest(false), latest(false)}, nil, []string{"the hold of step 3 is over"}, 0},
		{"may last, and does", []world.HeldAnswer{soonest(false), latest(true)}, []world.Choice{choice(2, 0)}, []string{"the hold of step 3 lasts, by a clock that drifts"}, 0},
		{"may last, and is over", []world.HeldAnswer{soonest(false), latest(true)}, []world.Choice{choice(2, 1)}, []string{"the hold of step 3 is over, by a clock that drifts"}, 0},
		{"asked again", []world.HeldAnswer{latest(true)}, []world.Choice{choice(3, 2), choice(2, 1)}, []string{"the hold of step 3 is over, by a clock that drifts"}, 1},
		{"over, beside a choice of its own", []world.HeldAnswer{soonest(false), latest(false)}, []world.Choice{choice(2, 1)}, []string{"the hold of step 3 is over"}, 1},
		{"beside a draw", []world.HeldAnswer{soonest(false), latest(true)}, []world.Choice{{Of: 2, Is: 1, What: "draw"}, choice(2, 0)}, []string{"the hold of step 3 lasts, by a clock that drifts"}, 1},
		{"several", []world.HeldAnswer{soonest(false), latest(true), plain, soonest(false), latest(true)}, []world.Choice{choice(2, 0), choice(2, 1)},
			[]string{"the hold of step 3 lasts, by a clock that drifts", "the hold of step 2 lasts", "the hold of step 3 is over, by a clock that drifts"}, 0},
		{"between two it chooses itself", []world.HeldAnswer{latest(true)}, []world.Choice{choice(2, 1), choice(2, 1)}, []string{"the hold of step 3 lasts or is over, by a clock that drifts"}, 2},
	} {
		asked, left := show.HoldQueries(world.Record{Held: x.held, Choices: x.choices})
		var got []string
		for _, a := range asked {
			got = append(got, a.String())
		}
		assert.Equal(t, x.want, got, x.what)
		assert.Len(t, left, x.left, x.what)
	}
}
