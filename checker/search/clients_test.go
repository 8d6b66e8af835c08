package search

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"contend/checker/search/symmetry"
	"contend/model"
)

// queue is a system of two servers and three clients: each client tells one server of
// itself, it hears who came before, and answer decides what it makes of that.
func queue(answer func(n *scripted, env model.Env, before model.NodeID)) *model.System {
	clerk := scripted{Who: -1, receive: func(n *scripted, env model.Env, from model.NodeID, _ any) {
		env.Send(from, won{n.Who})
		n.Who = from
	}}
	guest := scripted{Who: -1,
		invoke: func(_ *scripted, env model.Env, op any) {
			if op == "leave" {
				return
			}
			env.Send(model.NodeID(env.Choose(2)), 0)
			env.Return(op)
		},
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			answer(n, env, m.(won).Who)
			if n.S > 0 {
				env.Note(mark{1})
			}
		},
	}
	s := system(server("s1", clerk), server("s2", clerk), client("a", guest, "go"), client("b", guest, "go"), client("c", guest, "go"))
	s.Types = append(s.Types, won{})
	return s
}

// lastSeen is a goal that remembers who was named last.
type lastSeen struct {
	want func(who model.NodeID) bool
	Who  []model.NodeID
}

func (l *lastSeen) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Invoked {
		l.Who = []model.NodeID{o.Node}
	}
}

func (l *lastSeen) Reached() bool { return len(l.Who) == 1 && l.want(l.Who[0]) }

func lastIs(want func(who model.NodeID) bool) model.Claim {
	return model.Claim{Name: "last", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &lastSeen{want: want} }}
}

// Clients are interchangeable only where handlers, scripts, first states, delays,
// monitors, goals, invariants and forgers treat them alike. Who does not is named, the
// verdict is that of the search without symmetry, and the servers stay interchangeable.
func TestClientSymmetryIsRefusedByName(t *testing.T) {
	counts := func(n *scripted, _ model.Env, before model.NodeID) {
		if before >= 0 {
			n.S++
		}
	}
	fair := func() *model.System { return queue(counts) }
	edited := func(edit func(s *model.System)) *model.System {
		s := fair()
		edit(s)
		return s
	}
	// A liar tells those that it likes of themselves.
	lying := func(to func(id model.NodeID) bool) *model.System {
		return edited(func(s *model.System) {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
			s.Forge = func(n model.Node, id, _ model.NodeID) []any {
				if to(id) && n.(*scripted).S == 0 {
					return []any{won{id}}
				}
				return nil
			}
		})
	}
	// A delay that differs is seen only where there is time.
	timed := func(delays func(from, to model.NodeID) model.Window) *model.System {
		return edited(func(s *model.System) {
			s.Network.Delays = delays
			for i := range s.Nodes {
				s.Nodes[i].Script = slices.Clone(s.Nodes[i].Script)
				for k := range s.Nodes[i].Script {
					s.Nodes[i].Script[k].After = model.Exactly(0)
				}
			}
		})
	}
	invariant := func(who int) model.Claim {
		return model.Claim{Name: "not this one", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			for i, n := range nodes {
				if i >= 2 && n != nil && n.(*scripted).S > 0 && (who < 0 || i == who) {
					return errors.New("it is this one")
				}
			}
			return nil
		}}
	}
	for _, c := range []struct {
		name  string
		s     *model.System
		claim model.Claim
		timed bool
		what  string // is not alike
		a, b  string
	}{
		{name: "alike", s: fair(), claim: never(1)},
		{name: "who compares ids", s: queue(func(n *scripted, env model.Env, before model.NodeID) {
			if before > env.Self() {
				n.S++
			}
		}), claim: never(1), what: "*search.scripted", a: "a", b: "b"},
		{name: "who knows one by name", s: queue(func(n *scripted, _ model.Env, before model.NodeID) {
			if before == 4 {
				n.S++
			}
		}), claim: never(1), what: "*search.scripted", a: "b", b: "c"},
		{name: "a script", s: edited(func(s *model.System) { s.Nodes[4].Script = []model.Op{{Call: "stay", After: model.Anytime()}} }),
			claim: never(1), what: "the script", a: "b", b: "c"},
		{name: "what releases", s: edited(func(s *model.System) {
			s.Nodes[2].Script = []model.Op{{Call: "go", After: model.Anytime(), Release: "leave", Stay: model.Anytime()}}
		}), claim: never(1), what: "the script", a: "a", b: "b"},
		{name: "a first state", s: edited(func(s *model.System) {
			s.Nodes[4].New = func() model.Node { n := s.Nodes[3].New().(*scripted); n.S = 1; return n }
		}), claim: never(1), what: "the first state of *search.scripted", a: "b", b: "c"},
		{name: "delays", s: timed(func(from, _ model.NodeID) model.Window { return model.Between(0, model.Ticks(from/2)) }), claim: never(1), timed: true,
			what: "*search.scripted", a: "b", b: "c"},
		{name: "delays of servers", s: timed(func(from, _ model.NodeID) model.Window {
			if from < 2 {
				return model.Exactly(1)
			}
			return model.Exactly(0)
		}), claim: never(1), timed: true},
		{name: "an invariant of all", s: fair(), claim: invariant(-1)},
		{name: "an invariant of one", s: fair(), claim: invariant(2), what: "the invariant not this one", a: "a", b: "b"},
		{name: "a goal of all", s: fair(), claim: lastIs(func(model.NodeID) bool { return true })},
		{name: "a goal of one", s: fair(), claim: lastIs(func(who model.NodeID) bool { return who == 4 }), what: "the goal *search.lastSeen", a: "b", b: "c"},
		{name: "a monitor of one", s: queue(func(_ *scripted, env model.Env, before model.NodeID) { env.Note(won{before}) }),
			claim: watchesNode(3), what: "*search.partial", a: "a", b: "b"},
		{name: "lies to all", s: lying(func(id model.NodeID) bool { return id >= 2 }), claim: never(1)},
		{name: "lies to one", s: lying(func(id model.NodeID) bool { return id == 3 }), claim: never(1), what: "Forge", a: "a", b: "b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := []model.Claim{c.claim, never(0)}
			off := explore(t, c.s, Options{Timed: c.timed}, claims...)
			on := explore(t, c.s, Options{Timed: c.timed, Symmetry: true, Clients: true}, claims...)
			reductions := []string{"symmetry", "client symmetry"}
			var notes []string
			if c.what != "" {
				reductions = reductions[:1]
				notes = []string{fmt.Sprintf("symmetry of clients is refused: %s does not treat clients %s and %s alike", c.what, c.a, c.b)}
			}
			if !slices.Equal(on.Notes, notes) || !slices.Equal(on.Reductions, reductions) {
				t.Errorf("notes %q, want %q; reductions %v, want %v", on.Notes, notes, on.Reductions, reductions)
			}
			if got, want := verdicts(claims, on), verdicts(claims, off); got != want {
				t.Errorf("with symmetry\n%swithout\n%s", got, want)
			}
			servers := explore(t, c.s, Options{Timed: c.timed, Symmetry: true}, claims...)
			if smaller := on.States < servers.States; smaller != (c.what == "") || servers.States >= off.States {
				t.Errorf("%d states, %d under symmetry of servers alone, %d without any", on.States, servers.States, off.States)
			}
		})
	}
}

// A client whose script has another length is in no group: the others are permuted
// without it.
func TestClientsOfOtherLengthsStandApart(t *testing.T) {
	s := queue(func(n *scripted, _ model.Env, _ model.NodeID) { n.S++ })
	s.Nodes[3].Script = append(slices.Clone(s.Nodes[3].Script), s.Nodes[3].Script...)
	x, r, notes := attempts(t, s, []model.Claim{never(0)}, Options{Clients: true}, func(*explorer) {})
	if got := x.groups().Members(symmetry.Clients); !slices.Equal(got, []int{2, 4}) || !slices.Equal(r.Reductions, []string{"client symmetry"}) || len(notes) > 0 {
		t.Errorf("%v are permuted; reductions %v, notes %q", got, r.Reductions, notes)
	}
}

// Servers that are not alike are refused, and the clients stay interchangeable.
func TestClientSymmetryWithoutThatOfServers(t *testing.T) {
	s := queue(func(*scripted, model.Env, model.NodeID) {})
	s.Nodes[1].New = func() model.Node { n := s.Nodes[0].New().(*scripted); n.S = 1; return n }
	r := explore(t, s, Options{Symmetry: true, Clients: true}, never(0))
	notes := []string{"symmetry of servers is refused: the first state of *search.scripted does not treat servers s1 and s2 alike"}
	if !slices.Equal(r.Notes, notes) || !slices.Equal(r.Reductions, []string{"client symmetry"}) {
		t.Errorf("notes %q, reductions %v", r.Notes, r.Reductions)
	}
}
