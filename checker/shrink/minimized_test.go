package shrink_test

import (
	"flag"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl"
	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
	"contend/traces/replay"
)

var mutants = flag.Int("mutants", 5, "compare so many minimised runs of mutants with the shortest")

var full = flag.Bool("full", false, "search with one worker, too")

// Runs of mutants that were sampled are as short, before a search has its say, as the shortest that a search finds, or nearly so: the
// median is at most 1.2 times as long.
func TestMinimizedRunsAreNearlyShortest(t *testing.T) {
	var ratios []float64
	for _, p := range impl.Suite {
		for _, v := range p.Variants {
			claim, err := p.Claim(v.Breaks)
			if err != nil || claim.Kind != model.Always || len(ratios) == *mutants {
				continue
			}
			c := v.Show
			c.Variant, c.Claims, c.Schedules = v.Name, []string{v.Breaks}, 200
			if c.Reading == model.Grid {
				c.Reading = model.Dense
			}
			rows, err := checker.Check(p, c, checker.Options{Seed: 1, NoMinimize: true})
			require.NoError(t, err)
			i := slices.IndexFunc(rows[0].Claims, func(r checker.ClaimResult) bool { return r.Name == v.Breaks })
			sampled := rows[0].Claims[max(i, 0)].Counterexample
			if i < 0 || sampled == nil {
				continue
			}
			is, report, err := checker.Minimize(p, sampled, checker.Options{MaxStates: -1}, 0, nil)
			require.NoError(t, err)
			assert.True(t, report.Locally)
			_, best, err := checker.Minimize(p, is, checker.Options{MaxStates: 40_000}, 0, nil)
			require.NoError(t, err)
			if !best.Shortest {
				continue
			}
			ratios = append(ratios, float64(len(is.Steps))/float64(best.To))
			t.Logf("%s/%s: %d steps sampled, %d minimised, %d the shortest", p.Name, v.Name, len(sampled.Steps), len(is.Steps), best.To)
		}
	}
	require.NotEmpty(t, ratios)
	slices.Sort(ratios)
	median := ratios[len(ratios)/2]
	t.Logf("%d mutants, median %.3f, most %.3f", len(ratios), median, ratios[len(ratios)-1])
	assert.LessOrEqual(t, median, 1.2)
}

// A worker returns what it is asked for, and may be a program.
type worker struct{ Program string }

func (w *worker) Invoke(env model.Env, op any) { env.Return(op) }

func (w *worker) Origin() wrapped.Origin { return wrapped.Origin{Program: w.Program} }

// The minimisation of a run that was sampled ends with a search, unless its nodes are programs.
func TestMinimizedProgramsAreNotSearched(t *testing.T) {
	for program, how := range map[string]string{
		"":        "shortest: no run of fewer steps breaks it in this configuration",
		"example": "locally minimal: no single step, fault, operation, client or server can be left out",
	} {
		p := &model.Protocol{Name: "works", Title: "a worker", Source: "here", Claims: []model.Claim{{Name: "rests", Kind: model.Always, Source: "here",
			Monitor: func(*model.System) model.Monitor { return &rests{} }}},
			Build: func(c model.Config) (*model.System, error) {
				return &model.System{Config: c, Types: []any{""}, Nodes: []model.NodeSpec{{Name: "w", New: func() model.Node { return &worker{program} },
					Script: []model.Op{{Call: "a"}, {Call: "b"}}}}}, nil
			}}
		rows, err := checker.Check(p, model.Check{Reading: model.Untimed, Schedules: 1}, checker.Options{Seed: 1})
		require.NoError(t, err)
		require.NotNil(t, rows[0].Claims[0].Minimized)
		assert.Contains(t, rows[0].Claims[0].Minimized.How, how)
	}
}

// A sampled violation is told of before its run is made smaller, and is in the row whatever becomes of that: the minimiser panics, or the user
// asks to stop before it or within it.
func TestFoundIsNotLostByTheMinimizer(t *testing.T) {
	p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == "ordering" })]
	c := model.Check{Variant: "get-does-not-raise", Config: model.Config{N: 3}, Reading: model.Untimed, Claims: []string{"Theorem 1"}, Schedules: 100}
	for name, by := range map[string]struct {
		found, minimizing func(stop func())
		how               string
		smaller           bool
	}{
		"panics":             {how: "not minimised: internal error: a bug of the minimiser; please report this", minimizing: func(func()) { panic("a bug of the minimiser") }},
		"interrupted before": {how: "not minimised: the check was interrupted", found: func(stop func()) { stop() }},
		"interrupted within": {how: "stopped by interrupted: it may not be locally minimal", minimizing: func(stop func()) { stop() }, smaller: true},
	} {
		t.Run(name, func(t *testing.T) {
			interrupt := make(chan struct{})
			stop := sync.OnceFunc(func() { close(interrupt) })
			var told *traces.Trace
			candidates := int64(0)
			rows, err := checker.Check(p, c, checker.Options{Seed: 1, Interrupt: interrupt,
				Violated: func(_ *checker.Row, c checker.ClaimResult) {
					if told = c.Counterexample; by.found != nil {
						by.found(stop)
					}
				},
				Progress: func(p checker.Progress) {
					if p.Minimizing == nil {
						return
					}
					assert.NotNil(t, told, "the run is made smaller before anybody is told of it")
					if candidates = p.Minimizing.Tried; candidates == 3 && by.minimizing != nil {
						by.minimizing(stop)
					}
				}})
			require.NoError(t, err)
			r := rows[0].Claims[0]
			require.Equal(t, checker.Violated, r.Verdict)
			assert.Equal(t, by.how, r.Minimized.How)
			assert.LessOrEqual(t, candidates, int64(4), "it goes on after the user asked to stop")
			if by.smaller {
				assert.Less(t, r.Steps, len(told.Steps))
			} else {
				assert.Equal(t, told.Steps, r.Counterexample.Steps)
			}
		})
	}
}

// A counted works as a worker does, and tells of each call.
type counted struct{ called func() }

func (c *counted) Invoke(env model.Env, op any) { c.called(); env.Return(op) }

// An interrupt stops a minimisation between two steps, wherever it is: in the replay of the run that is given, in a candidate, in the replay
// of one. The smallest run so far replays.
func TestInterruptStopsAMinimisationBetweenSteps(t *testing.T) {
	calls, at, interrupt := 0, -1, make(chan struct{})
	called := func() {
		if calls++; calls == at {
			close(interrupt)
		}
	}
	var script []model.Op
	for op := range 40 {
		script = append(script, model.Op{Call: op})
	}
	p := &model.Protocol{Name: "counts", Title: "one who works", Source: "here", Claims: []model.Claim{{Name: "rests", Kind: model.Always, Source: "here",
		Monitor: func(*model.System) model.Monitor { return &last{} }}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{0}, Nodes: []model.NodeSpec{
				{Name: "w", New: func() model.Node { return &counted{called} }, Script: script},
				{Name: "v", New: func() model.Node { return &counted{called} }, Script: script}}}, nil
		}}
	rows, err := checker.Check(p, model.Check{Reading: model.Untimed, Schedules: 1}, checker.Options{Seed: 1, NoMinimize: true})
	require.NoError(t, err)
	sampled := rows[0].Claims[0].Counterexample
	require.NotNil(t, sampled)
	calls = 0
	_, whole, err := checker.Minimize(p, sampled, checker.Options{MaxStates: -1}, 0, nil)
	require.NoError(t, err)
	require.True(t, whole.Locally)
	all := calls
	require.Greater(t, all, 500)
	for at = 1; at < all; at += all/23 + 1 {
		calls, interrupt = 0, make(chan struct{})
		is, report, err := checker.Minimize(p, sampled, checker.Options{MaxStates: -1, Interrupt: interrupt}, 0, nil)
		require.NoError(t, err)
		assert.Equal(t, "interrupted", report.Limit)
		assert.LessOrEqual(t, calls, at+1, "it goes on after the user asked to stop")
		calls = all // nobody stops this replay
		_, err = replay.Replay(p, is, p.Claims)
		assert.NoError(t, err)
	}
}

// last claims that nobody comes to the last operation.
type last struct{}

func (*last) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Returned && o.Value == 39 {
		w.Violate("it returns %v", o.Value)
	}
}

// rests claims that nobody works.
type rests struct{}

func (*rests) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Returned {
		w.Violate("it returns %v", o.Value)
	}
}

// noProgress fails when it is told of the progress of a check: a minimisation has no row to tell of.
func noProgress(t *testing.T) func(checker.Progress) {
	return func(p checker.Progress) { assert.NotNil(t, p.Row, "progress of no row") }
}

// A run that the passes leave at three servers is found at one: by a search, or by sampling where there is to be no search, and the same
// by any number of workers.
func TestMinimizedElsewhere(t *testing.T) {
	p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == "ordering" })]
	c := model.Check{Variant: "get-does-not-raise", Config: model.Config{N: 3}, Reading: model.Untimed, Claims: []string{"Theorem 1"}, Schedules: 100}
	rows, err := checker.Check(p, c, checker.Options{Seed: 1, NoMinimize: true})
	require.NoError(t, err)
	sampled := rows[0].Claims[0].Counterexample
	require.NotNil(t, sampled)
	part, report, err := checker.Minimize(p, sampled, checker.Options{MaxStates: -1}, 0, nil)
	require.NoError(t, err)
	require.Nil(t, report.Another)
	require.Greater(t, part.Config.Model().N, 1, "the passes come to one server: another run is needed for this test")
	for by, states := range map[string]int64{"search": 20_000, "sampling": -1} {
		var before []traces.Step
		for _, workers := range []int{1, 3} {
			if workers == 1 && !*full {
				continue
			}
			is, report, err := checker.Minimize(p, part, checker.Options{MaxStates: states, Workers: workers, Progress: noProgress(t)}, 50, nil)
			require.NoError(t, err)
			require.NotNil(t, report.Another, by)
			assert.Equal(t, by, report.Another.By)
			assert.Equal(t, 1, is.Config.Model().N, by)
			assert.Less(t, len(is.Steps), len(part.Steps), by)
			assert.True(t, report.Locally)
			if before == nil {
				before = is.Steps
			}
			assert.Equal(t, before, is.Steps, by)
		}
	}
}
