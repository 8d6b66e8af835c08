package symmetry

import (
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/model"
)

// A group is refused, by name, when a renaming of its members does not commute with a handler, a
// first state, a script or what may be forged. Of the other group nothing is said.
func TestGroupsAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		name string
		o    odd
		want map[string]string // what is said first, by group
	}{
		{"all are alike", odd{}, nil},
		{"a server that counts twice", odd{server: 4}, map[string]string{Servers: "*symmetry.server does not treat servers s2 and s3 alike"}},
		{"the first server counts twice", odd{server: 2}, map[string]string{Servers: "*symmetry.server does not treat servers s1 and s2 alike"}},
		{"a call of its own", odd{calls: true}, map[string]string{Clients: "the script does not treat clients c1 and c2 alike"}},
		{"a first state", odd{starts: true}, map[string]string{Servers: "the first state of *symmetry.server does not treat servers s1 and s2 alike"}},
		{"one that is lied to", odd{forged: true}, map[string]string{Servers: "Forge does not treat servers s1 and s2 alike"}},
	} {
		_, _, g := explored(t, asked(2, 3, c.o), nil, both, 100)
		for _, group := range []string{Servers, Clients} {
			said := g.Unlike[group]
			if want := c.want[group]; want == "" && len(said) > 0 || want != "" && !slices.Contains(said, want) {
				t.Errorf("%s: of %s it is said %q, want %q", c.name, group, said, want)
			}
		}
	}
}

// fragile fails when it hears from the second server, as it never does.
type fragile struct{ S int }

func (n *fragile) Invoke(env model.Env, _ any) { env.Send(1, "ask") }

func (n *fragile) Receive(env model.Env, from model.NodeID, _ any) {
	if from == 2 {
		panic("it never answers\nand here is a stack")
	}
	n.S++
}

// A handler may fail where only a renaming leads: the group is refused, and the protocol is not to
// blame.
func TestWhatFailsWhereRenamingLeads(t *testing.T) {
	s := asked(1, 2, odd{})
	s.Nodes[0].New = func() model.Node { return &fragile{} }
	states, _, g := explored(t, s, nil, both, 100)
	want := "with servers s1 and s2 exchanged *symmetry.fragile fails: panic: it never answers and here is a stack"
	if len(states) < 4 || !slices.Contains(g.Unlike[Servers], want) {
		t.Errorf("%d states; %q, want %q", len(states), g.Unlike, want)
	}
}

// anxious fails when it hears from either server, of the second in a way that is refused.
type anxious struct{ S int }

func (n *anxious) Receive(env model.Env, from model.NodeID, _ any) {
	if from == 2 {
		env.Note(unlisted{})
	}
	panic("it fails")
}

// unlisted is of no type that a system has listed.
type unlisted struct{}

// Where both fail they are alike, but not when the one is refused.
func TestFailuresThatAreUnlike(t *testing.T) {
	for name, c := range map[string]struct {
		node    func() model.Node
		refused bool
	}{
		"refused": {func() model.Node { return &anxious{} }, true},
		"alike":   {func() model.Node { return &hopeless{} }, false},
	} {
		s := asked(1, 2, odd{})
		s.Nodes[0].New = c.node
		g := systemOf(t, s, nil)
		heard := g.e.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: 0, From: 1, Value: g.e.Value("told")})
		g.e.Probe(g.e.Made[0], heard)
		for g.Settle(1) {
		}
		said := g.Unlike[Servers]
		if refused := len(said) > 0; refused != c.refused || refused && !strings.HasPrefix(said[0], "with servers s1 and s2 exchanged *symmetry.anxious fails: ") {
			t.Errorf("%s: it is said %q", name, said)
		}
	}
}

// A swap may leave the state and the trigger as they are, and not what the node does then.
func TestPartialWithoutNames(t *testing.T) {
	s := asked(1, 2, odd{})
	s.Nodes[0].New = func() model.Node { return &loyal{} }
	_, _, g := explored(t, s, nil, both, 100)
	if want := "*symmetry.loyal does not treat servers s1 and s2 alike"; !slices.Contains(g.Unlike[Servers], want) {
		t.Errorf("it is said %q, want %q", g.Unlike[Servers], want)
	}
}

// loyal asks the first server alone, and knows no node.
type loyal struct{ S int }

func (n *loyal) Invoke(env model.Env, _ any)          { env.Send(1, "ask") }
func (n *loyal) Receive(model.Env, model.NodeID, any) { n.S++ }

// hopeless fails whoever it hears from.
type hopeless struct{ S int }

func (n *hopeless) Receive(model.Env, model.NodeID, any) { panic("it fails") }

// Members of a group are nodes of the same type, with scripts of the same length, that are not
// liars. A group of one or of too many is not permuted, nor one that nobody asks for.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name             string
		s                *model.System
		permute          map[string]bool
		servers, clients []int
	}{
		{"both", asked(2, 3, odd{}), both, []int{2, 3, 4}, []int{0, 1}},
		{"servers alone", asked(2, 3, odd{}), map[string]bool{Servers: true}, []int{2, 3, 4}, nil},
		{"one client", asked(1, 2, odd{}), both, []int{1, 2}, nil},
		{"a liar", asked(2, 2, odd{forged: true}), both, []int{2, 3}, []int{0, 1}},
		{"one of each", asked(1, 1, odd{}), both, nil, nil},
		{"sixteen", asked(1, 16, odd{}), both, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, nil},
		{"too many", asked(2, 17, odd{}), both, nil, []int{0, 1}},
		{"nobody asks", asked(2, 3, odd{}), nil, nil, nil},
	} {
		_, _, g := explored(t, c.s, nil, c.permute, 1)
		if g == nil {
			if c.servers != nil || c.clients != nil {
				t.Errorf("%s: nothing is permuted", c.name)
			}
			continue
		}
		for _, group := range g.Groups {
			if want := map[string]string{Servers: "symmetry", Clients: "client symmetry"}[group.name]; group.Reduction() != want {
				t.Errorf("%s: a verdict calls the symmetry of %s %q, want %q", c.name, group.name, group.Reduction(), want)
			}
		}
		if c.servers == nil && c.clients == nil {
			t.Errorf("%s: there are groups of nobody", c.name)
		}
		if servers, clients := g.Members(Servers), g.Members(Clients); !slices.Equal(servers, c.servers) || !slices.Equal(clients, c.clients) {
			t.Errorf("%s: servers %v and clients %v are permuted, want %v and %v", c.name, servers, clients, c.servers, c.clients)
		}
		if swaps := max(len(c.servers)-1, 0) + max(len(c.clients)-1, 0); len(g.Swaps) != swaps || len(g.Images()) != swaps {
			t.Errorf("%s: there are %d transpositions, want %d", c.name, len(g.Swaps), swaps)
		}
	}
}
