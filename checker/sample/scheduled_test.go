package sample_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/impl/ordering"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/world"
)

// The random walk as a strategy makes the schedules that are made without any.
func TestRandomWalkIsTheDefault(t *testing.T) {
	for _, c := range []struct {
		p       *model.Protocol
		variant string
		config  model.Config
		claims  []string
	}{
		{ricartagrawala.Protocol, "always-polite", model.Config{N: 3}, []string{"mutual exclusion", "deadlock freedom"}},
		{ordering.Protocol, "", model.Config{N: 7, B: 1}, []string{"Theorem 1"}},
	} {
		s := system(t, c.p, c.variant, c.config)
		claims := only(t, c.p, c.claims...)
		opt := sample.Options{Schedules: 64, Seed: 5, Workers: 2}
		without := told(s, run(t, s, claims, opt))
		opt.Strategy = strategy.Random{}
		assert.Equal(t, without, told(s, run(t, s, claims, opt)), c.p.Name)
	}
}

// A strategy is told of each step once, its events keep their numbers, and its choice is the one taken.
func TestSchedulerIsTold(t *testing.T) {
	s := system(t, ordering.Protocol, "", model.Config{N: 7, B: 1})
	for seed := range uint64(4) {
		w, err := world.New(s, nil, world.Options{})
		require.NoError(t, err)
		spy := &spy{t: t}
		out := sample.Run(w, sample.Seeded(seed), sample.Bounds{Scheduler: spy})
		assert.Len(t, spy.steps, len(out.Records))
		for i, r := range out.Records {
			assert.Equal(t, r.Move.Kind, spy.steps[i].Event.Kind)
			assert.Equal(t, i+1, spy.steps[i].Number)
		}
	}
}

// spy takes the youngest event, and looks at what it is told.
type spy struct {
	t      *testing.T
	chosen *strategy.Event
	steps  []strategy.Step
}

func (s *spy) Next(events []strategy.Event) int {
	for i := 1; i < len(events); i++ {
		assert.LessOrEqual(s.t, events[i-1].Cause, events[i].Cause, "oldest first")
	}
	e := events[len(events)-1]
	s.chosen = &e
	return len(events) - 1
}

func (s *spy) Observe(step strategy.Step) {
	if s.chosen != nil {
		assert.Equal(s.t, *s.chosen, step.Event)
	}
	assert.Equal(s.t, s.chosen == nil, step.Environment)
	s.chosen = nil
	s.steps = append(s.steps, step)
}
