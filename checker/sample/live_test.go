package sample

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ordering"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// sampled runs the schedules of a sampling, on interned components or in the interpreter alone.
func sampled(t *testing.T, s *model.System, claims []model.Claim, opt Options, interned bool) (*sampler, Result) {
	sm, err := newSampler(s, claims, opt)
	require.NoError(t, err)
	if interned {
		sm.intern()
	}
	for i := 0; i < opt.Schedules && sm.stops() == ""; {
		i, err = sm.batch(i)
		require.NoError(t, err)
	}
	return sm, sm.finished()
}

// Sampling comes to the same on interned components and in the interpreter alone.
func TestInternedSamplingIsTheInterpreters(t *testing.T) {
	for _, c := range []struct {
		p       *model.Protocol
		variant string
		config  model.Config
		timed   bool
	}{
		{ricartagrawala.Protocol, "always-polite", model.Config{N: 3}, false},
		{ricartagrawala.Protocol, "", model.Config{N: 3, Faults: model.Faults{Crashes: 1}}, true},
		{ordering.Protocol, "", model.Config{N: 7, B: 1}, false},
		{ordering.Protocol, "", model.Config{N: 3}, true},
	} {
		s, err := c.p.System(c.variant, c.config)
		require.NoError(t, err)
		reading := model.Untimed
		if c.timed {
			reading = model.Dense
		}
		claims := slices.DeleteFunc(slices.Clone(c.p.Claims), func(c model.Claim) bool { return len(c.Unmet(s, reading)) > 0 })
		opt := Options{Schedules: 160, Seed: 3, Workers: 2, Timed: c.timed}
		_, off := sampled(t, s, claims, opt, false)
		sm, on := sampled(t, s, claims, opt, true)
		assert.False(t, sm.unfit.Load())
		assert.Equal(t, outline(s, off), outline(s, on), "%s %s", c.p.Name, c.variant)
	}
}

// outline is a result without the objects of its runs.
func outline(s *model.System, r Result) string {
	text := fmt.Sprint(r.Stop, r.Schedules, r.Steps, r.MaxDepth, r.Ends, r.Cut, r.Witnessed, r.Reached)
	for _, f := range r.Violations {
		text += fmt.Sprint("\n", f.Claim, f.Text, f.Schedule, f.Parts, "\n", Text(s, f.Records, f.Parts))
	}
	return text
}

// Monitors whose states are never met again come to be live, and a run is still the interpreter's.
func TestLiveMonitorsSeeTheInterpretersRuns(t *testing.T) {
	s, err := ordering.Protocol.System("", model.Config{N: 3})
	require.NoError(t, err)
	claims := slices.DeleteFunc(slices.Clone(ordering.Protocol.Claims), func(c model.Claim) bool { return len(c.Unmet(s, model.Untimed)) > 0 })
	_, live := togetherLive(t, "ordering", s, claims, false, 120, 100)
	assert.True(t, live)
}

// A drawer notes many values, so that no history is met twice.
type drawer struct{}

func (*drawer) Start(env model.Env) {
	for range 3 {
		env.Send(env.Self(), 1)
	}
}

func (*drawer) Receive(env model.Env, _ model.NodeID, _ any) { env.Note(env.Choose(300)) }

func drawing() *model.System {
	return &model.System{Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
		{Name: "s", Role: model.Server, New: func() model.Node { return &drawer{} }},
	}}
}

// A sharer keeps one slice in two fields, and changes it in one: in the interpreter they are two slices after each step.
type sharer struct {
	A, B []int
	Seen []int
}

func (x *sharer) Observe(w model.Watch, o model.Observation) {
	if x.Seen = append(x.Seen, o.Value.(int)); x.A == nil {
		x.A = []int{0}
		x.B = x.A
		return
	}
	if x.A[0]++; x.B[0] != 0 {
		w.Violate("they share it")
	}
}

// An alarmer sets an alarm, but so seldom that it is live before.
type alarmer struct{ Seen []int }

func (x *alarmer) Observe(w model.Watch, o model.Observation) {
	x.Seen = append(x.Seen, o.Value.(int))
	if n := len(x.Seen); n > 1 && x.Seen[n-2] == x.Seen[n-1] {
		w.After(1, model.By(1))
	}
}

func (x *alarmer) Expire(w model.Watch, _ any) { w.Violate("the alarm") }

// Monitors that are no good live are interned again, and what they say is what the interpreter has them say.
func TestMonitorsThatAreNoGoodLive(t *testing.T) {
	for name, monitor := range map[string]func(*model.System) model.Monitor{
		"shares": func(*model.System) model.Monitor { return &sharer{} },
		"alarms": func(*model.System) model.Monitor { return &alarmer{} },
	} {
		claims := []model.Claim{{Name: name, Kind: model.Always, Monitor: monitor}}
		opt := Options{Schedules: 1200, Seed: 1, Workers: 1}
		_, off := sampled(t, drawing(), claims, opt, false)
		sm, on := sampled(t, drawing(), claims, opt, true)
		assert.Equal(t, outline(sm.system, off), outline(sm.system, on), name)
		assert.Equal(t, name == "shares", sm.unlive.Load(), name)
	}
}

// An opener notes something before anything happens, and then draws.
type opener struct{ drawer }

func (x *opener) Start(env model.Env) {
	env.Note("open")
	x.drawer.Start(env)
}

// A latecomer is violated if it was not told of the beginning. No two of its histories are the same.
type latecomer struct {
	Open bool
	Seen []int
}

func (x *latecomer) Observe(w model.Watch, o model.Observation) {
	n, drawn := o.Value.(int)
	if x.Seen = append(x.Seen, n); !drawn {
		x.Open = true
	}
	if !x.Open {
		w.Violate("it was not told")
	}
}

// A monitor that comes to be live, or interned again, has seen the beginning of the run, whatever the parts of a tick were before.
func TestMonitorsSeeTheBeginning(t *testing.T) {
	s := drawing()
	s.Nodes[0].New = func() model.Node { return &opener{} }
	claims := []model.Claim{{Name: "told", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &latecomer{} }}}
	sm, r := sampled(t, s, claims, Options{Schedules: 1200, Seed: 1, Workers: 1, Timed: true}, true)
	assert.True(t, sm.steppers[0].Live())
	assert.False(t, sm.unlive.Load())
	assert.Empty(t, r.Violations)
}
