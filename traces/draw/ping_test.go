package draw_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// A system with everything that is drawn: a pinger with a section and an alarm, a ponger that crashes, and a
// Byzantine node.
type (
	ping   struct{ Text string }
	pong   struct{}
	again  struct{}
	lease  struct{}
	enter  struct{}
	leave  struct{}
	pinger struct{ Pongs int }
	ponger struct{ Pings int }
)

func (p *pinger) Invoke(env model.Env, op any) {
	if _, leaving := op.(leave); leaving {
		env.Cancel(again{})
		return
	}
	env.Hold(lease{}, model.Through(3))
	env.Broadcast([]model.NodeID{0, 1}, ping{"a < b & \"c\"; #d"})
	env.After(again{}, model.Anytime())
	env.Return(nil)
}

func (p *pinger) Receive(env model.Env, _ model.NodeID, m any) {
	if _, is := m.(pong); is && env.Held(lease{}) {
		p.Pongs++
	}
}

func (p *pinger) Timeout(model.Env, any) {}

func (p *ponger) Receive(env model.Env, from model.NodeID, _ any) {
	p.Pings++
	env.Send(from, pong{})
}

func (p *ponger) Suspect(model.Env, model.NodeID) {}
func (p *ponger) Trust(model.Env, model.NodeID)   {}

var pings = &model.Protocol{
	Name: "pings", Params: []model.Parameter{model.N.WithDefault(2)},
	Claims: []model.Claim{{Name: "no pong", Invariant: func(nodes []model.Node) error {
		if p, live := nodes[0].(*pinger); live && p.Pongs > 0 {
			return fmt.Errorf("a <pong> came")
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{
			Config:  c,
			Network: model.Network{Delay: model.Anytime()},
			Types:   []any{ping{}, pong{}, again{}, lease{}, enter{}, leave{}},
			Forge:   func(_ model.Node, _, _ model.NodeID) []any { return []any{pong{}} },
			Nodes: []model.NodeSpec{
				{Name: "a", Role: model.Peer, New: func() model.Node { return &pinger{} }, Crash: model.CrashStop,
					Script: []model.Op{{Call: enter{}, After: model.Anytime(), Release: leave{}, Stay: model.Anytime()}}},
				{Name: "b", Role: model.Server, New: func() model.Node { return &ponger{} }},
				{Name: "<liar>", Role: model.Server, Byzantine: true},
			},
		}, nil
	},
}

// A starter sets two holds and an alarm in Start, and again whenever the alarm fires.
type starter struct{ Fired int }

func (*starter) Start(env model.Env) {
	env.Hold(lease{}, model.Through(3))
	env.Hold(again{}, model.Below(2))
	env.After(again{}, model.Between(1, 4))
	env.Send(1, ping{})
}

func (*starter) Invoke(env model.Env, _ any) { env.Return(nil) }

func (s *starter) Timeout(env model.Env, _ any) {
	if s.Fired++; s.Fired > 4 {
		return
	}
	if env.Held(again{}) || !env.Held(lease{}) {
		env.Hold(lease{}, model.Through(2))
	}
	env.Hold(again{}, model.Through(1))
	env.After(again{}, model.Between(1, 4))
	env.Send(1, ping{})
}

func (*starter) Receive(env model.Env, from model.NodeID, m any) {
	if m == any(ping{}) {
		env.Send(from, pong{})
		return
	}
	env.Held(lease{})
}

var starts = &model.Protocol{
	Name: "starts", Params: []model.Parameter{model.N.WithDefault(3)},
	Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Network: model.Network{Delay: model.Between(0, 3)}, Types: []any{ping{}, pong{}, again{}, lease{}, enter{}}}
		for i := range c.N {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: string(rune('a' + i)), Role: model.Peer, Crash: model.CrashStopRecovery, New: func() model.Node { return &starter{} }})
		}
		for range 4 { // a run ends when all have returned
			s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: enter{}, After: model.Between(2, 5)})
		}
		return s, nil
	},
}

// run executes steps of the protocol, with the given budget of faults.
func run(t *testing.T, faults model.Faults, steps ...traces.Step) *replay.Run {
	t.Helper()
	tr := traces.New(pings, "", model.Config{N: 2, Faults: faults}, false, "", "")
	tr.Steps = steps
	r, err := replay.Replay(pings, &tr, nil)
	require.NoError(t, err)
	return r
}

// The steps of the tests.
var (
	invokes   = traces.Step{Kind: "invoke", To: "a", Type: "draw_test.enter", Occurrence: 1, Value: json.RawMessage(`{}`)}
	returns   = traces.Step{Kind: "return", To: "a", Type: "nil", Occurrence: 1}
	releases  = traces.Step{Kind: "release", To: "a", Type: "draw_test.leave", Occurrence: 1, Value: json.RawMessage(`{}`)}
	fires     = traces.Step{Kind: "timeout", To: "a", Type: "draw_test.again", Occurrence: 1, Value: json.RawMessage(`{}`)}
	stops     = traces.Step{Kind: "crash", To: "a"}
	crashes   = traces.Step{Kind: "crash", To: "b"}
	restarts  = traces.Step{Kind: "restart", To: "b"}
	heals     = traces.Step{Kind: "heal", To: "network", Type: "model.Side", Occurrence: 1, Value: json.RawMessage(`[1]`)}
	cuts      = traces.Step{Kind: "partition", To: "network", Type: "model.Side", Value: json.RawMessage(`[1]`)}
	lies      = traces.Step{Kind: "forge", From: "<liar>", To: "b", Type: "draw_test.pong", Value: json.RawMessage(`{}`)}
	pingsBoth = []traces.Step{invokes, message("deliver", "a", "a", "ping", 1), message("deliver", "a", "b", "ping", 1)}
)

func message(kind, from, to, of string, occurrence int) traces.Step {
	s := traces.Step{Kind: kind, From: from, To: to, Type: "draw_test." + of, Occurrence: occurrence}
	if of == "ping" {
		s.Value = json.RawMessage(`{"Text":"a < b & \"c\"; #d"}`)
	} else {
		s.Value = json.RawMessage(`{}`)
	}
	return s
}
