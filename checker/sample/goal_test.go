package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// What runs of interned components say of a goal is what the interpreter says: otherwise sampling ends with a disagreement.
func TestGoalsAreConfirmed(t *testing.T) {
	for name, goal := range map[string]bool{"reached": true, "never": false} {
		claims := []model.Claim{{Name: name, Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &wisher{Reaches: goal} }}}
		_, on := sampled(t, drawing(), claims, Options{Schedules: twiceFirst + 8, Seed: 1, Workers: 1}, true)
		assert.Equal(t, goal, on.Reached[name], name)
	}
}

// A wisher has a goal that is reached when something was observed, or never.
type wisher struct{ Reaches, Saw bool }

func (x *wisher) Observe(model.Watch, model.Observation) { x.Saw = true }
func (x *wisher) Reached() bool                          { return x.Reaches && x.Saw }
