package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// What live runs say of a goal is what the interpreter says: otherwise it alone runs the schedules from then on.
func TestGoalsAreConfirmed(t *testing.T) {
	for name, goal := range map[string]bool{"reached": true, "never": false} {
		claims := []model.Claim{{Name: name, Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &wisher{Reaches: goal} }}}
		sm, on := sampled(t, drawing(func(*drawer, int) {}), claims, Options{Schedules: twiceFirst + 8, Seed: 1, Workers: 1}, true)
		assert.Equal(t, goal, on.Reached[name], name)
		assert.NotNil(t, sm.setting, name)
	}
}

// A wisher has a goal that is reached when something was observed, or never.
type wisher struct{ Reaches, Saw bool }

func (x *wisher) Observe(model.Watch, model.Observation) { x.Saw = true }
func (x *wisher) Reached() bool                          { return x.Reaches && x.Saw }
