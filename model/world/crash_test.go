package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A writer logs its messages in a stable field.
type writer struct {
	Log   []int `contend:"stable"`
	Count int
	Boots model.Optional[int]
}

func (w *writer) Start(env model.Env) { w.Boots = model.Some(len(w.Log)) }

func (w *writer) Invoke(env model.Env, op any) {
	w.Log, w.Count = append(w.Log, op.(int)), w.Count+1
	env.After("ring", model.Exactly(9))
	if op != 2 {
		env.Return(nil)
	}
}

func writing(crash model.CrashModel) *model.System {
	s := system(model.NodeSpec{Name: "w", Crash: crash, New: func() model.Node { return &writer{} }, Script: []model.Op{
		{Call: 1, Release: 7, Stay: model.By(9)}, {Call: 2}, {Call: 3, After: model.Exactly(4)}}}, server("s", acts{}))
	s.Faults = model.Faults{Crashes: 1, Restarts: 2}
	return s
}

// The application crashes with its node. The operation that runs then never returns, and after
// it came back the application goes on with the next.
func TestAnApplicationGoesOnAfterACrash(t *testing.T) {
	s := writing(model.CrashRecovery)
	s.Faults.Crashes = 0
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	r.move(1, world.Move{Kind: model.Crash, Node: 0}) // in the section
	assert.False(t, r.Done(), "two operations are to come")
	assert.False(t, r.Stuck())
	rec := r.move(3, world.Move{Kind: model.Restart, Node: 0})
	assert.Equal(t, []model.Observation{{Kind: model.Recovered, Node: 0, Op: -1}}, rec.Observations)
	assert.Equal(t, &writer{Log: []int{1}, Boots: model.Some(1)}, r.Live(0))
	assert.Empty(t, r.pending(model.Release, 0), "the section is never left")
	r.do(3, model.Invoke, 0)
	assert.Equal(t, []int{1, 2}, r.Live(0).(*writer).Log)
	r.move(5, world.Move{Kind: model.Crash, Node: 0}) // while the second operation runs
	r.move(6, world.Move{Kind: model.Restart, Node: 0})
	assert.Empty(t, r.pending(model.Timeout, 0))
	assert.Equal(t, world.Time(6), r.event(model.Invoke, 0).Born, "the time to the next operation begins with the restart")
	rec = r.do(10, model.Invoke, 0)
	assert.Equal(t, 2, rec.Observations[0].Op)
	r.do(10, model.Return, 0)
	assert.True(t, r.Done())
}

// A node that may both crash for good and crash with a restart has a separate move for each.
func TestANodeMayCrashEitherWay(t *testing.T) {
	kinds := func(r *run, of model.NodeID) (kinds []model.EventKind) {
		for _, m := range r.Moves() {
			if m.Kind.Adversarial() && m.Node == of {
				kinds = append(kinds, m.Kind)
			}
		}
		return kinds
	}
	r := start(t, writing(model.CrashStopRecovery), untimed)
	assert.Equal(t, []model.EventKind{model.Crash, model.Stop}, kinds(r, 0))
	r.move(0, world.Move{Kind: model.Stop, Node: 0})
	assert.Empty(t, kinds(r, 0), "for good")
	assert.True(t, r.Done())
	r = start(t, writing(model.CrashStopRecovery), untimed)
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	assert.Equal(t, []model.EventKind{model.Restart}, kinds(r, 0))
	assert.Equal(t, []model.EventKind{model.Crash}, kinds(start(t, writing(model.CrashStop), untimed), 0))
	s := writing(model.NoCrashes)
	s.Faults.Crashes = 0
	assert.Empty(t, kinds(start(t, s, untimed), 0))
}

// A state beyond a cut is not entered by a restart either.
func TestACutKeepsANodeDown(t *testing.T) {
	s := writing(model.CrashRecovery)
	s.Faults.Crashes = 0
	s.Cuts = []model.Cut{{Name: "log", Beyond: func(n model.Node) bool {
		w, ok := n.(*writer)
		return ok && w.Boots == model.Some(1)
	}}}
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	before := r.State()
	_, err := r.Step(world.Move{Kind: model.Restart, Node: 0}, 0, r.choose)
	assert.Equal(t, world.ErrCut{Name: "log"}, err)
	assert.Equal(t, before, r.State())
}

// Start may choose, at the beginning of the run and after a crash.
func TestStartChooses(t *testing.T) {
	s := system(server("s", acts{start: func(p *puppet, env model.Env) { p.say("%d %d", env.Choose(3), env.Draw(2)) }}))
	s.Faults.Restarts = 1
	codec, err := value.For(s, nil)
	require.NoError(t, err)
	answers := []int{2, 1}
	w, err := world.Start(s, codec, nil, world.Options{Purity: world.NewPurity(), Boot: func(int, string) int {
		is := answers[0]
		answers = answers[1:]
		return is
	}})
	require.NoError(t, err)
	assert.Equal(t, []world.Booted{{Choice: world.Choice{Of: 3, Is: 2, What: "choose"}}, {Choice: world.Choice{Of: 2, Is: 1, What: "draw"}}}, w.Boot)
	r := &run{TB: t, World: w}
	assert.Equal(t, []string{"2 1"}, r.log(0))
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	r.move(0, world.Move{Kind: model.Restart, Node: 0}, 1, 0)
	assert.Equal(t, []string{"1 0"}, r.log(0))
	assert.Equal(t, []string{"0 0"}, start(t, s, untimed).log(0), "nobody answers")
}

// What a node held before a crash it does not hold when it is back.
func TestAHoldEndsWithACrash(t *testing.T) {
	s := system(server("h", acts{start: func(p *puppet, env model.Env) {
		p.say("held %v", env.Held("lease"))
		env.Hold("lease", model.Through(9))
	}}))
	s.Faults = model.Faults{Restarts: 1}
	r := start(t, s, timed)
	r.move(1, world.Move{Kind: model.Crash, Node: 0})
	r.move(2, world.Move{Kind: model.Restart, Node: 0})
	assert.Equal(t, []string{"held false"}, r.Live(0).(*puppet).Log)
}
