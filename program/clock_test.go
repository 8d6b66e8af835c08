package program_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
	"contend/program"
	"contend/traces"
	"contend/traces/replay"
)

// asking is a protocol whose client asks its program for the time of day, 0, 1.5 and 3 seconds after the start. The claim
// breaks at the third answer, with all answers.
func asking() *model.Protocol {
	p := countersOf(program.Config{}, "time")
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		if err != nil {
			return nil, err
		}
		s.Nodes = s.Nodes[:2]
		s.Nodes[1].Script = []model.Op{{Call: "time"}, {Call: "time", After: model.Exactly(1500)}, {Call: "time", After: model.Exactly(1500)}}
		return s, nil
	}
	p.Claims = []model.Claim{{Name: "answers", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &answers{} }}}
	return p
}

type answers struct{ All []string }

func (a *answers) Observe(w model.Watch, o model.Observation) {
	if text, is := o.Value.(string); is && o.Kind == model.Returned {
		w.Witness()
		if a.All = append(a.All, text); len(a.All) == 3 {
			w.Violate("%s", strings.Join(a.All, " "))
		}
	}
}

// The clock of a program shows the time of each step in a sampled run with time, although the program sets no timer. A replay
// shows the same time.
func TestClockShowsTheInstant(t *testing.T) {
	p := asking()
	rows, err := checker.Check(p, model.Check{Reading: model.Dense, Schedules: 1}, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	c := rows[0].Claims[0]
	require.Equal(t, checker.Violated, c.Verdict)
	assert.Equal(t, "c1: 22:13:20 22:13:21 22:13:23", c.Text)
	require.True(t, c.Counterexample.Clocks)
	_, err = replay.Replay(p, c.Counterexample, nil)
	require.NoError(t, err)

	coarse := *c.Counterexample
	coarse.Clocks, coarse.Steps = false, append([]traces.Step(nil), coarse.Steps...)
	_, err = replay.Replay(p, &coarse, nil)
	assert.Error(t, err, "the clock stands still between two timers, so another result returns")
}

// With drift the clock shows its own time: in each run it is fast, slow, or changes its rate at timers. A replay shows the same time.
func TestClockDrifts(t *testing.T) {
	p, config := asking(), model.Config{Drift: 500}
	s, err := p.System("", config)
	require.NoError(t, err)
	shown := map[string]bool{}
	see := func(_ int, _ *world.World, r world.Record) {
		for _, o := range r.Observations {
			if o.Kind == model.Returned && o.Op == 2 {
				shown[o.Value.(string)] = true
			}
		}
	}
	_, err = sample.Sample(s, nil, sample.Options{Schedules: 24, Seed: 1, Timed: true, Workers: 1, Taken: see})
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"22:13:21": true, "22:13:23": true, "22:13:24": true}, shown)

	rows, err := checker.Check(p, model.Check{Reading: model.Dense, Config: config, Schedules: 1}, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	require.NotNil(t, rows[0].Claims[0].Counterexample)
	_, err = replay.Replay(p, rows[0].Claims[0].Counterexample, nil)
	require.NoError(t, err)
}

// Without time, or in a search, the clock shows the time of the last timer.
func TestClockOfASearch(t *testing.T) {
	rows, err := checker.Check(asking(), model.Check{}, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	assert.Equal(t, "c1: 22:13:20 22:13:20 22:13:20", rows[0].Claims[0].Text)
	require.NotNil(t, rows[0].Claims[0].Counterexample)
	assert.False(t, rows[0].Claims[0].Counterexample.Clocks)
}
