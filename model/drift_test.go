package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A timers records the windows that an Env receives.
type timers struct {
	model.Env
	holds  map[any]model.Bound
	window model.Window
	lasts  map[any]bool
	choice int
}

func (t *timers) Hold(key any, d model.Bound) { t.holds[key] = d }
func (t *timers) Held(key any) bool           { return t.lasts[key] }
func (t *timers) After(_ any, w model.Window) { t.window = w }
func (t *timers) Choose(int) int              { return t.choice }
func newTimers(lasts map[any]bool, c int) *timers {
	return &timers{holds: map[any]model.Bound{}, lasts: lasts, choice: c}
}

// With ρ = 1/10 a tick is 99: a clock's 10 take 1000/11 to 1000/9 of real time, that is
// 900 to 1100 of the finer ticks.
func TestDriftScalesTimers(t *testing.T) {
	d := model.Drift{Thousandths: 100}
	assert.EqualValues(t, 99, d.Ticks())
	assert.EqualValues(t, 1, model.Drift{}.Ticks())
	own := newTimers(nil, 0)
	env := d.Env(own)
	env.Hold("k", model.Below(10))
	assert.Equal(t, map[any]model.Bound{model.Soonest{Hold: "k"}: model.Below(900), model.Latest{Hold: "k"}: model.Below(1100)}, own.holds)
	env.After("k", model.Between(2, 10))
	assert.Equal(t, model.Between(180, 1100), own.window)
	env.After("k", model.Anytime())
	assert.Equal(t, model.Forever, own.window.Hi.At)
	assert.Equal(t, model.Env(own), model.Drift{}.Env(own), "without drift nothing stands between")
}

func TestDriftAnswersHeld(t *testing.T) {
	soonest, latest := model.Soonest{Hold: "k"}, model.Latest{Hold: "k"}
	for name, c := range map[string]struct {
		lasts  map[any]bool
		choice int
		want   bool
		ends   bool // for good
	}{
		"lasts for sure":        {map[any]bool{soonest: true, latest: true}, 1, true, false},
		"over for sure":         {map[any]bool{}, 0, false, false},
		"may last, and does":    {map[any]bool{latest: true}, 0, true, false},
		"may last, and is over": {map[any]bool{latest: true}, 1, false, true},
	} {
		own := newTimers(c.lasts, c.choice)
		assert.Equal(t, c.want, model.Drift{Thousandths: 1}.Env(own).Held("k"), name)
		_, ends := own.holds[latest]
		assert.Equal(t, c.ends, ends, name)
	}
}
