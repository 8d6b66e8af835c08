package search

import (
	"strings"
	"testing"

	"contend/model"
)

// Where time cannot go on, since what is due stands behind what is slower, it is not said that a
// script gets done, nor that it does not.
func TestWhereTimeIsOver(t *testing.T) {
	s := system(client("c", scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		env.Send(1, "slow")
		env.Send(1, "fast")
	}}, "go"), server("s", scripted{}))
	s.Network.Channel, s.Nodes[0].Script[0].After = model.FIFO, model.Window{}
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		return model.Exactly(map[any]model.Ticks{"slow": 3, "fast": 1}[m])
	}
	for _, kind := range []model.Kind{model.Always, model.PossibleFromEverywhere, model.Eventually} {
		r := explore(t, s, Options{Timed: true}, model.Claim{Name: "done", Kind: kind, Done: true})
		if violated := r.Claims[0].Violated != nil; violated || r.Claims[0].Limit.String() != timeLock {
			t.Errorf("%v: violated %v, undecided %q", kind, violated, r.Claims[0].Limit.String())
		}
	}
}

// The states in which time cannot go on are counted in all layers.
func TestWhereTimeIsOverIsCounted(t *testing.T) {
	both := func(env model.Env) { env.Send(1, "slow"); env.Send(1, "fast") }
	s := system(client("c", scripted{
		invoke: func(_ *scripted, env model.Env, _ any) {
			if env.Choose(2) == 0 {
				both(env)
			} else {
				env.Send(0, "hop")
			}
		},
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S++; both(env) },
	}, "go"), server("s", scripted{}))
	s.Network.Channel, s.Nodes[0].Script[0].After = model.FIFO, model.Window{}
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		return model.Exactly(map[any]model.Ticks{"hop": 1, "slow": 3, "fast": 1}[m])
	}
	r := explore(t, s, Options{Timed: true}, model.Claim{Name: "done", Done: true})
	if text := strings.Join(r.Notes, "; "); !strings.Contains(text, "time cannot go on in 2 states") {
		t.Error(text)
	}
}
