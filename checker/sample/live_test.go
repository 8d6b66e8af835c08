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

// sampled runs the schedules of a sampling, live or in the interpreter alone.
func sampled(t *testing.T, s *model.System, claims []model.Claim, opt Options, live bool) (*sampler, Result) {
	sm, err := newSampler(s, claims, opt)
	require.NoError(t, err)
	if live {
		require.NoError(t, sm.live())
	}
	for i := 0; i < opt.Schedules && sm.stops() == ""; {
		i, err = sm.batch(i)
		require.NoError(t, err)
	}
	return sm, sm.finished()
}

// Sampling comes to the same live and in the interpreter alone.
func TestLiveSamplingIsTheInterpreters(t *testing.T) {
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
		opt := Options{Schedules: 48, Seed: 3, Workers: 2, Timed: c.timed}
		_, off := sampled(t, s, claims, opt, false)
		sm, on := sampled(t, s, claims, opt, true)
		assert.NotNil(t, sm.setting)
		assert.Equal(t, outline(s, off), outline(s, on), "%s %s", c.p.Name, c.variant)
	}
}

// outline is a result without the objects of its runs.
func outline(s *model.System, r Result) string {
	text := fmt.Sprint(r.Stop, r.Schedules, r.Steps, r.MaxDepth, r.Ends, r.Cut, r.Witnessed, r.Tested, r.Reached)
	for _, f := range r.Violations {
		text += fmt.Sprint("\n", f.Claim, f.Text, f.Schedule, f.Parts, "\n", Text(s, f.Records, f.Parts))
	}
	return text
}

// A drawer sends itself numbers, and keeps them as keep has it.
type drawer struct {
	keep func(d *drawer, n int)

	A, B []int
	M    map[int]int
	Deep [][]int
}

func (d *drawer) Start(env model.Env) {
	for range 4 {
		env.Send(env.Self(), 1)
	}
}

func (d *drawer) Receive(env model.Env, _ model.NodeID, _ any) {
	d.keep(d, env.Choose(3))
	env.Note(len(d.A) + len(d.B))
}

func drawing(keep func(d *drawer, n int)) *model.System {
	return &model.System{Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
		{Name: "s", Role: model.Server, New: func() model.Node { return &drawer{keep: keep} }},
	}}
}

// A listener keeps one slice in two fields, and changes it in one.
type listener struct {
	A, B []int
	Seen int
}

func (x *listener) Observe(w model.Watch, _ model.Observation) {
	if x.Seen++; x.A == nil {
		x.A = []int{0}
		x.B = x.A
		return
	}
	if x.A[0]++; x.B[0] != 0 {
		w.Violate("they share it")
	}
}

// What a handler cannot tell in the interpreter, it cannot tell live either; where it can, that is noticed, and the
// interpreter alone runs the schedules.
func TestHandlersThatAreNoGoodLive(t *testing.T) {
	grows := func(d *drawer, n int) { d.A = append(d.A, n) }
	for _, c := range []struct {
		name    string
		keep    func(d *drawer, n int)
		monitor model.Monitor
		strays  bool
	}{
		{"an empty map is there", func(d *drawer, n int) { d.M[n], d.M = 1, nil }, &listener{}, true},
		{"an empty slice is nil", func(d *drawer, n int) {
			if d.A == nil {
				d.A, d.B = []int{}, append(d.B, n)
			}
		}, nil, false},
		{"an empty slice within a slice is not", func(d *drawer, n int) {
			if d.Deep = append(d.Deep, []int{}); d.Deep[0] != nil {
				d.A = append(d.A, n)
			}
		}, nil, true},
		{"two fields share a slice", func(d *drawer, n int) {
			if d.A == nil {
				d.A = []int{n}
				d.B = d.A
			}
			d.A[0]++
		}, nil, true},
		{"two fields of a monitor share a slice", grows, &listener{}, true},
		{"two runs of a handler", grows, nil, false},
	} {
		s := drawing(c.keep)
		var claims []model.Claim
		if c.monitor != nil {
			claims = []model.Claim{{Name: "claim", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &listener{} }}}
		}
		opt := Options{Schedules: 200, Seed: 1, Workers: 1}
		_, off := sampled(t, s, claims, opt, false)
		sm, on := sampled(t, s, claims, opt, true)
		assert.Equal(t, outline(s, off), outline(s, on), c.name)
		assert.Equal(t, c.strays, sm.setting == nil, c.name)
	}
}
