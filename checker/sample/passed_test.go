package sample_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/internal/random"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/model/world"
)

// leveled is Deviations up to some number of deviations. It keeps the states that the schedules of each number come to.
type leveled struct {
	*strategy.Deviations
	most  int
	alone bool // every schedule goes on to its end
	seen  map[int]map[string]bool
	total map[string]bool
	made  int
}

// unpassed never ends where another went on.
type unpassed struct{ strategy.Planner }

func (unpassed) Passed(strategy.Place) bool { return false }

func (l *leveled) Schedule(number int, seed uint64) (strategy.Scheduler, strategy.Choices) {
	s, c := l.Deviations.Schedule(number, seed)
	if l.alone {
		c = unpassed{c.(strategy.Planner)}
	}
	return s, c
}

func (l *leveled) see(schedule int, w *world.World, _ world.Record) {
	if l.seen[schedule] == nil {
		l.seen[schedule] = map[string]bool{}
	}
	l.seen[schedule][strings.Join(w.State(), "\n")] = true
}

func (l *leveled) Learn(number int, s strategy.Scheduler, o strategy.Outcome) {
	if !s.(strategy.Planner).Open() {
		l.made++
		for state := range l.seen[number] {
			l.total[state] = true
		}
	}
	delete(l.seen, number)
	l.Deviations.Learn(number, s, o)
}

func (l *leveled) Finished() bool {
	return l.Deviations.Finished() || strings.Contains(fmt.Sprint(l.Notes()), fmt.Sprintf("at most %d ", l.most))
}

// Schedules that end where others went on lose no state, whatever the number of deviations.
func TestPassedPlacesLoseNothing(t *testing.T) {
	made, saved := 0, 0
	for seed := range uint64(150) {
		c := random.Draw(seed)
		for _, timed := range []bool{false, true} {
			states := func(alone bool) (*leveled, error) {
				l := &leveled{Deviations: strategy.NewDeviations(), most: 2, alone: alone, seen: map[int]map[string]bool{}, total: map[string]bool{}}
				_, err := sample.Sample(c.System, nil, sample.Options{Schedules: 600, Strategy: l, Workers: 1, MaxSteps: 20, Timed: timed, Taken: l.see})
				return l, err
			}
			all, err := states(true)
			if err != nil || !all.Finished() {
				continue // it cannot start, a handler fails, or there are too many
			}
			some, err := states(false)
			require.NoError(t, err)
			require.True(t, some.Finished())
			require.Equal(t, all.total, some.total, "random system %d, timed %v: %v", seed, timed, c)
			made, saved = made+all.made, saved+all.made-some.made
		}
	}
	t.Log(made, "schedules;", saved, "saved")
	assert.NotZero(t, saved)
}
