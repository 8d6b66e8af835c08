package search

import (
	"testing"

	"contend/model"
)

// D: on FIFO the order of sends counts; sorted away, servers that differ in it pass
// for interchangeable, and a violation is lost.
func TestBugFIFOSymmetryVerdict(t *testing.T) {
	for _, first := range []model.NodeID{1, 2} {
		srv := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
			a, b := 1, 2
			if env.Self() == first {
				a, b = b, a
			}
			if m == 0 {
				env.Send(from, 0)
				return
			}
			env.Send(from, a)
			env.Send(from, b)
		}}
		s := system(client("c", scripted{
			start: func(n *scripted, env model.Env) { env.Broadcast([]model.NodeID{1, 2}, 0) },
			receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
				switch {
				case m != 0:
					if n.S++; n.S == 2 && m == 2 {
						env.Note(mark{1})
					}
				case n.S == 0: // whoever answers first is asked
					n.S = 1
					env.Send(from, 9)
				}
			},
		}), server("s1", srv), server("s2", srv))
		for i := range 2 {
			s.Nodes[1+i].New = func() model.Node { return &silent{srv.receive, 0} }
		}
		s.Network.Channel = model.FIFO
		off := explore(t, s, Options{}, never(1))
		on := explore(t, s, Options{Symmetry: true}, never(1))
		if len(off.Violated) != len(on.Violated) || len(on.Notes) == 0 {
			t.Errorf("D: server %d sends 2 first: violated without symmetry %v, with %v; %v", first, len(off.Violated) > 0, len(on.Violated) > 0, on.Notes)
		}
	}
}

// silent has no Start: see J.
type silent struct {
	receive func(n *scripted, env model.Env, from model.NodeID, m any)
	S       int
}

func (s *silent) Receive(env model.Env, from model.NodeID, m any) { s.receive(nil, env, from, m) }

func TestBugFIFOOptional(t *testing.T) {
	for _, ch := range []model.Channel{model.Bag, model.FIFO} {
		s := system(server("s", scripted{
			start:   func(n *scripted, env model.Env) { env.Send(1, 0) }, // "I am up"
			receive: func(n *scripted, env model.Env, from model.NodeID, m any) { env.Note(mark{m.(int)}) },
		}), client("c", scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) { n.S++; env.Send(0, n.S) }}))
		s.Network.Channel = ch
		s.Faults.Restarts = 1
		goal := model.Claim{Name: "2 without 1 again", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor {
			return &behindGoal{ok: func(b *behind) bool {
				return len(b.Old) == 1 && b.Old[0] == 1 && len(b.New) == 1 && b.New[0] == 2
			}}
		}}
		r := explore(t, s, Options{}, goal)
		if !r.Reached[0] {
			t.Errorf("E: %v: 2 never arrives at the new incarnation before 1 comes again; %d states", ch, r.States)
		}
	}
}

type behind struct {
	Old, New []int
	Crashed  bool
}

type behindGoal struct {
	ok func(*behind) bool
	B  behind
}

func (g *behindGoal) Observe(w model.Watch, o model.Observation) {
	b := &g.B
	switch {
	case o.Kind == model.Crashed:
		b.Crashed = true
	case o.Kind == model.Noted && b.Crashed:
		b.New = append(b.New, o.Value.(mark).K)
	case o.Kind == model.Noted:
		b.Old = append(b.Old, o.Value.(mark).K)
	}
}
func (g *behindGoal) Reached() bool { return g.ok(&g.B) }

// Overtaking: old got 1; 2, 3 in flight in order; after the restart the optional 1 is delivered, and must not move 3 to the front.
func TestBugFIFOOvertake(t *testing.T) {
	s := system(server("s", scripted{receive: func(n *scripted, env model.Env, from model.NodeID, m any) { env.Note(mark{m.(int)}) }}),
		client("c", scripted{start: func(n *scripted, env model.Env) { env.Send(0, 1); env.Send(0, 2); env.Send(0, 3) }}))
	s.Network.Channel = model.FIFO
	s.Faults.Restarts = 1
	r := explore(t, s, Options{}, model.Claim{Name: "3 before 2", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor {
		return &behindGoal{ok: func(b *behind) bool {
			return len(b.Old) == 1 && len(b.New) == 3 && b.New[0] == 1 && b.New[1] == 3 && b.New[2] == 2
		}}
	}})
	if r.Reached[0] {
		t.Error("E2: on FIFO the second arrival of 1 lets 3 overtake 2")
	}
}

// J: interchangeable servers with Start.
func TestBugSymmetricStart(t *testing.T) {
	srv := scripted{start: func(n *scripted, env model.Env) { env.Send(0, 1) }}
	explore(t, system(client("c", scripted{}), server("s1", srv), server("s2", srv)), Options{Symmetry: true}, never(1))
}
