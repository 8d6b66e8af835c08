package sample_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/sample"
	"contend/model"
	"contend/model/purity"
)

// A pinger does what a func says on each message that it is sent.
type pinger struct {
	receive func(p *pinger, env model.Env, m ping)
	S       int
	Keys    map[int]int
}

type ping struct {
	K    int
	Keys map[int]int
}

func (p *pinger) Start(env model.Env) {
	for k := range 3 {
		env.Send(env.Self(), ping{k, map[int]int{1: 1, 2: 2}})
	}
}

func (p *pinger) Receive(env model.Env, _ model.NodeID, m any) { p.receive(p, env, m.(ping)) }

func pinging(receive func(p *pinger, env model.Env, m ping)) *model.System {
	return &model.System{Types: []any{ping{}}, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
		{Name: "s", Role: model.Server, New: func() model.Node { return &pinger{receive: receive, Keys: map[int]int{1: 1, 2: 2}} }},
	}}
}

// alone is an application that never gets done, so that schedules go on to their end.
func alone(s *model.System) *model.System {
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "c", New: func() model.Node { return &pinger{} }, Script: []model.Op{{Call: 1, After: model.Exactly(9)}}})
	s.Nodes[1].New = func() model.Node { return &idler{} }
	return s
}

type idler struct{}

func (*idler) Invoke(model.Env, any) {}

// A watchman does not like notes.
type watchman struct{}

func (*watchman) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Violate("a note")
	}
}

var quiet = model.Claim{Name: "quiet", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &watchman{} }}

const impure = "Receive of *sample_test.pinger is not deterministic: two runs on the same state differ in "

// Sampling refuses handlers that are no functions of what they are given, as a search does.
func TestImpureHandlersAreRefused(t *testing.T) {
	calls, last, times := 0, -1, 0
	var kept model.Env
	for _, c := range []struct {
		name    string
		receive func(p *pinger, env model.Env, m ping)
		error   string
	}{
		{"a counter", func(p *pinger, _ model.Env, _ ping) { calls++; p.S = calls }, impure + "field S ("},
		{"a random number", func(p *pinger, _ model.Env, _ ping) { p.S = rand.IntN(2) }, impure + "field S ("},
		{"the first key of a map of the node", func(p *pinger, _ model.Env, _ ping) {
			for p.S = range p.Keys {
				break
			}
		}, impure + "field S ("},
		{"the first key of a map of the message", func(p *pinger, _ model.Env, m ping) {
			for p.S = range m.Keys {
				break
			}
		}, impure + "field S ("},
		{"what is sent", func(_ *pinger, env model.Env, _ ping) { env.Note(rand.IntN(1 << 30)) }, impure + "its effects"},
		{"whether it delivers or notes", func(_ *pinger, env model.Env, _ ping) {
			if calls++; calls%2 == 0 {
				env.Deliver(1)
			} else {
				env.Note(1)
			}
		}, impure + "its effects"},
		{"a choice every other time", func(_ *pinger, env model.Env, _ ping) {
			if calls++; calls%2 == 0 {
				env.Choose(2)
			}
		}, impure + "its choices"},
		{"a clock that ticks seldom", func(p *pinger, _ model.Env, _ ping) { p.S = calls / 50; calls++ }, impure + "field S ("},
		{"a cache of one entry", func(p *pinger, _ model.Env, m ping) {
			if m.K != last {
				last, times = m.K, times+1
			}
			p.S = times
		}, impure + "field S ("},
		{"a message that is changed", func(_ *pinger, _ model.Env, m ping) { m.Keys[7]++ }, "Receive of *sample_test.pinger changes the value it was given"},
		{"an Env that is kept", func(_ *pinger, env model.Env, _ ping) {
			if kept != nil {
				kept.Note(1)
			}
			kept = env
		}, "node s uses its Env after the handler that it was given to has returned"},
		{"a failure now and then", func(*pinger, model.Env, ping) {
			if calls++; calls%2 == 0 {
				panic("now")
			}
		}, impure + "whether it fails"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := sample.Sample(alone(pinging(c.receive)), nil, sample.Options{Schedules: 500, Seed: 1, Workers: 1})
			assert.ErrorContains(t, err, c.error)
		})
	}
}

// A violation that does not come again is none, and whoever made it is named.
func TestViolationsComeAgain(t *testing.T) {
	for nth := 7; nth < 60; nth++ { // whichever call of a run it is, of the run or of another
		calls := 0
		s := alone(pinging(func(_ *pinger, env model.Env, _ ping) {
			if calls++; calls == nth {
				env.Note(0)
			}
		}))
		r, err := sample.Sample(s, []model.Claim{quiet}, sample.Options{Schedules: 100, Seed: 1, Workers: 1})
		assert.ErrorAs(t, err, new(purity.Impure), "call %d: %d violations", nth, len(r.Violations))
		assert.EqualError(t, err, impure+"its effects")
	}
}

// Few schedules are enough to find out a handler that takes the first of two keys of a map that it
// makes itself.
func TestFirstKeyOfALocalMapIsFoundOut(t *testing.T) {
	for i := range 50 {
		s := alone(pinging(func(_ *pinger, env model.Env, m ping) {
			for k := range map[int]int{1: 1, 2: 2} {
				if m.K == 2 {
					env.Note(k)
				}
				break
			}
		}))
		_, err := sample.Sample(s, nil, sample.Options{Schedules: 64, Seed: 1, Workers: 1})
		assert.EqualError(t, err, impure+"its effects", "run %d", i)
	}
}
