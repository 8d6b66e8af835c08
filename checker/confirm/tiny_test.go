package confirm

import (
	"testing"

	"contend/checker/search"
	"contend/model"
	"contend/model/value"
)

// An actor does what its funcs say: the tests' protocols are written with it. The
// funcs are configuration, S is state.
type actor struct {
	start   func(a *actor, env model.Env)
	receive func(a *actor, env model.Env, m any)
	timeout func(a *actor, env model.Env, key any)
	S       int
}

func (a *actor) Start(env model.Env) {
	if a.start != nil {
		a.start(a, env)
	}
}

func (a *actor) Receive(env model.Env, _ model.NodeID, m any) {
	if a.receive != nil {
		a.receive(a, env, m)
	}
}

func (a *actor) Timeout(env model.Env, key any) {
	if a.timeout != nil {
		a.timeout(a, env, key)
	}
}

func system(delay model.Window, actors ...actor) *model.System {
	s := &model.System{Network: model.Network{Delay: delay}}
	for i, a := range actors {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: string(rune('a' + i)), Role: model.Server, New: func() model.Node { made := a; return &made },
		})
	}
	return s
}

// noted is reached by the note of a label; of an Always claim, it is broken by it.
type noted struct {
	label   int
	forbids bool
	Seen    bool
}

func (n *noted) Observe(w model.Watch, o model.Observation) {
	if o.Value != n.label {
		return
	}
	if n.Seen = true; n.forbids {
		w.Violate("note %d", n.label)
	}
}

func (n *noted) Reached() bool { return n.Seen }

func about(kind model.Kind, label int) []model.Claim {
	return []model.Claim{{Name: "note", Kind: kind, Monitor: func(*model.System) model.Monitor {
		return &noted{label: label, forbids: kind == model.Always}
	}}}
}

// candidate searches for what breaks the only claim, asking nobody.
func candidate(t *testing.T, s *model.System, claims []model.Claim, opt search.Options) search.Candidate {
	t.Helper()
	opt.Pure = true
	r, err := search.Run(s, claims, opt)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := violation(r, 0)
	if !ok {
		t.Fatalf("the claim is not broken in %d states", r.States)
	}
	return c
}

func take(t *testing.T, s *model.System, claims []model.Claim, timed bool, c search.Candidate) (*Run, search.Confirmation, error) {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	return Take(s, codec, claims, timed, c)
}
