package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

func TestWindowValidate(t *testing.T) {
	open := func(lo, hi model.Ticks) model.Window { return model.Window{Lo: model.Below(lo), Hi: model.Below(hi)} }
	for _, tc := range []struct {
		window       model.Window
		text, reason string
	}{
		{model.Window{}, "[0, 0]", ""},
		{model.Exactly(3), "[3, 3]", ""},
		{model.By(2), "[0, 2]", ""},
		{model.Between(1, 2), "[1, 2]", ""},
		{model.Uniform(1, 2), "[1, 2]", ""},
		{model.Anytime(), "[0, ∞)", ""},
		{model.Window{Lo: model.Below(4), Hi: model.Below(model.Forever)}, "(4, ∞)", ""},
		{open(1, 2), "(1, 2)", ""},
		{model.Window{Lo: model.Below(1), Hi: model.Through(2)}, "(1, 2]", ""},
		{model.Between(0, model.MaxTicks), "[0, 1073741824]", ""},
		{model.Between(-1, 2), "[-1, 2]", "the lower bound is negative"},
		{model.Between(3, 2), "[3, 2]", "the upper bound is below the lower"},
		{open(2, 2), "(2, 2)", "it is empty"},
		{model.Window{Lo: model.Through(2), Hi: model.Below(2)}, "[2, 2)", "it is empty"},
		{model.Window{Lo: model.Below(2), Hi: model.Through(2)}, "(2, 2]", "it is empty"},
		{model.Between(0, model.MaxTicks+1), "[0, 1073741825]", "a bound is above 1073741824 ticks"},
		{model.Window{Lo: model.Through(model.MaxTicks + 1), Hi: model.Below(model.Forever)}, "[1073741825, ∞)", "a bound is above 1073741824 ticks"},
	} {
		assert.Equal(t, tc.text, tc.window.String())
		if tc.reason == "" {
			assert.NoError(t, tc.window.Validate())
			continue
		}
		assert.EqualError(t, tc.window.Validate(), "window "+tc.text+": "+tc.reason)
	}
}

// The instant of a coin is drawn, and the instant of an adversary is picked. There is no other difference.
func TestUniformIsACoin(t *testing.T) {
	w := model.Uniform(1, 2)
	assert.True(t, w.Coin)
	w.Coin = false
	assert.Equal(t, model.Between(1, 2), w)
}

func TestBounds(t *testing.T) {
	assert.Equal(t, model.Bound{At: 3}, model.Through(3), "the instant belongs to it")
	assert.Equal(t, model.Bound{At: 3, Open: true}, model.Below(3), "the instant does not")
}
