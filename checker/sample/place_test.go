package sample

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/strategy"
	"contend/lab/random"
	"contend/model"
	"contend/model/world"
)

// leveled is Deviations up to some number of deviations. It keeps the states that the schedules of each number come to.
type leveled struct {
	*strategy.Deviations
	most   int
	alone  bool // every schedule goes on to its end
	judged bool // what was observed is part of a state
	seen   map[int]map[string]bool
	told   map[int]string
	total  map[string]bool
	made   int
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

func (l *leveled) see(schedule int, w *world.World, r world.Record) {
	if w.Steps == 1 || l.seen[schedule] == nil {
		l.seen[schedule], l.told[schedule] = map[string]bool{}, ""
	}
	if l.judged && len(r.Observations) > 0 {
		l.told[schedule] += fmt.Sprintln(r.Observations)
	}
	l.seen[schedule][strings.Join(w.State(), "\n")+l.told[schedule]] = true
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

// Schedules that end where others went on lose no state, whatever the number of deviations, and no history if runs are judged by theirs.
func TestPassedPlacesLoseNothing(t *testing.T) {
	made, saved := 0, 0
	systems, most := 15, 250
	if *full {
		systems, most = 600, 2000
	}
	for seed := range uint64(systems) {
		c := random.Draw(seed)
		for k := range 3 {
			opt := Options{Schedules: most, Workers: 1, MaxSteps: 20, Timed: k == 1}
			if k == 2 {
				opt.Judges = []Judge{{Claim: "nothing", Check: func([]model.Observation, bool) error { return nil }}}
			}
			states := func(alone bool) (*leveled, error) {
				l := &leveled{Deviations: strategy.NewDeviations(), most: 2, alone: alone, judged: k == 2,
					seen: map[int]map[string]bool{}, told: map[int]string{}, total: map[string]bool{}}
				opt.Strategy, opt.Taken = l, l.see
				_, err := Sample(c.System, c.Claims, opt)
				return l, err
			}
			all, err := states(true)
			if err != nil || !all.Finished() {
				continue // it cannot start, or there are too many
			}
			some, err := states(false)
			require.NoError(t, err)
			require.True(t, some.Finished())
			require.Equal(t, all.total, some.total, "random system %d, %v: %v", seed, k, c)
			made, saved = made+all.made, saved+all.made-some.made
		}
	}
	t.Log(made, "schedules;", saved, "saved")
	assert.NotZero(t, saved)
}
