package symmetry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/model"
	"contend/model/value"
)

// The sum of renamed prints is the print of the renamed state, and that is the state with its nodes
// renamed and nothing else: for every state and every permutation.
func TestPrintsOfRenamedStates(t *testing.T) {
	for name, c := range map[string]struct {
		s      *model.System
		claims []model.Claim
		most   int
	}{
		"servers that name each other": {asked(2, 4, odd{greets: true}), nil, 15},
		"questions":                    {asked(2, 3, odd{}), twice, 60},
		"crashes":                      {crashing(asked(1, 3, odd{greets: true})), ruled, 60},
	} {
		states, w, g := explored(t, c.s, c.claims, both, c.most)
		for _, ren := range permutations(g) {
			o := NewOrbits(w, g)
			if got := o.numberOf(o.Servers, ren); got != g.Intern(part(g, ren, Servers)) || got == 0 != slices.Equal(part(g, ren, Servers), g.Identity()) {
				t.Fatalf("%s: the order of servers in %v is permutation %d", name, ren, got)
			}
			for range 2 { // computed, and remembered
				for _, v := range states {
					u := o.renamedBy(v, ren)
					if got, want := content(w, u, g.Identity()), content(w, v, ren); got != want {
						t.Fatalf("%s: %v makes of\n%s\n%s", name, ren, want, got)
					}
					for _, s := range []*side{o.Servers, o.Clients} {
						p := o.numberOf(s, ren)
						o.rename(s, v, p)
						if got, want := o.printAfter(s, v, w.PrintOfState(v), p), w.PrintOfState(o.scratch); got != want {
							t.Fatalf("%s: the print under %v of %s is %x, and that of the renamed state %x", name, ren, s.name, got, want)
						}
					}
				}
			}
		}
	}
}

// part is what a renaming does to one group.
func part(g *Groups, ren value.Renaming, group string) value.Renaming {
	r := g.Identity()
	for _, id := range g.Members(group) {
		r[id] = ren[id]
	}
	return r
}

// numberOf is the permutation of a side that a renaming has.
func (o *Orbits) numberOf(s *side, ren value.Renaming) uint32 {
	order := make([]int, len(s.ids))
	for k, id := range s.ids {
		order[s.indexes[ren[id]]] = k
	}
	return o.permutation(s, order)
}

// renamedBy is a state in which both sides are renamed.
func (o *Orbits) renamedBy(v []uint32, ren value.Renaming) []uint32 {
	o.rename(o.Clients, v, o.numberOf(o.Clients, ren))
	v = slices.Clone(o.scratch)
	o.rename(o.Servers, v, o.numberOf(o.Servers, ren))
	return slices.Clone(o.scratch)
}

func crashing(s *model.System) *model.System {
	s.Faults.Restarts = 1
	return s
}

// A part mentions the node where it is, who sent it, and those that its value names; a local state
// mentions whose it is, and those that it names.
func TestWhoIsMentioned(t *testing.T) {
	g := systemOf(t, asked(2, 3, odd{}), ruled)
	st := g.e.Store
	part := func(kind model.EventKind, slot, from int16, m any) uint32 {
		return st.Part(component.Part{Base: st.Base(component.Base{Kind: component.Kind(kind), Slot: slot, From: from, Value: st.Value(m)}), Hi: component.Endless})
	}
	local := func(slot int16, n any) uint32 { return st.Local(slot, st.Codec.Node(n, nil)) }
	all := []model.NodeID{2, 3, 4}
	for _, c := range []struct {
		part bool
		id   uint32
		want []int
	}{
		{true, part(model.Deliver, 2, 0, "ask"), []int{0, 2}},
		{true, part(model.Deliver, 0, 3, answer{4}), []int{0, 3, 4}},
		{true, part(model.Timeout, 2, 0, "ask"), []int{2}},
		{true, part(model.Timeout, 2, 0, answer{3}), []int{2, 3}},
		{false, local(2, &server{servers: all}), []int{2}},
		{false, local(2, &server{servers: all, Last: []model.NodeID{1}}), []int{1, 2}},
		{false, local(0, &client{servers: all, Of: []model.NodeID{3, 4}}), []int{0, 3, 4}},
		{false, local(5, &rule{}), nil},
		{false, local(5, &rule{First: []model.NodeID{1}}), []int{1}},
	} {
		got := g.mentions(c.part, c.id, identityOrder(g.e.N))
		if !slices.Equal(got, c.want) {
			t.Errorf("a part: %v; %d mentions %v, want %v", c.part, c.id, got, c.want)
		}
	}
}

// Nobody is renamed who is no node: not a monitor, and not what has no place.
func TestMonitorsKeepTheirPlaces(t *testing.T) {
	g := systemOf(t, asked(2, 3, odd{}), ruled)
	for slot, want := range map[int16]int16{-1: -1, 2: 3, 3: 2, 4: 4, 5: 5} {
		if got := g.slot(slot, g.Swaps[0].Perm); got != want {
			t.Errorf("%d becomes %d, want %d", slot, got, want)
		}
	}
	if swap := g.Swaps[0]; g.base(0, swap.Perm) != 0 || g.Local(component.Down, swap.Perm) != component.Down {
		t.Error("nothing becomes something when it is renamed")
	}
	images := g.Images()
	for k, swap := range g.Swaps {
		if id := g.e.Made[2]; images[k](id) != g.Local(id, swap.Perm) || k == 0 && images[k](id) != g.e.Made[3] {
			t.Errorf("transposition %d makes %d of %d", k, images[k](id), id)
		}
	}
}

// What is renamed is remembered by kind, component and permutation.
func TestRenamingsAreRemembered(t *testing.T) {
	g := systemOf(t, asked(2, 3, odd{}), nil)
	for id := uint32(1000); id < 1003; id++ {
		for tag := uint32(1000); tag < 1003; tag++ {
			asked := 0
			for range 2 {
				if got := g.memo(id, tag, func() uint32 { asked++; return 10*id + tag }); got != 10*id+tag || asked != 1 {
					t.Errorf("%d under %d is %d, asked for %d times", id, tag, got, asked)
				}
			}
		}
	}
}

// Clients are not renamed while operations are yet to begin at boot, or when there are none to rename.
func TestClientsAreKeptAtBoot(t *testing.T) {
	s := asked(2, 3, odd{})
	for k := range 2 {
		s.Nodes[k].Script[0].After, s.Nodes[k].Script[0].AtBoot = model.Window{}, true
	}
	_, w, g := explored(t, s, nil, both, 1)
	o, v := NewOrbits(w, g), make([]uint32, w.Head)
	for first, want := range map[[2]uint32]bool{{0, 0}: true, {1, 0}: true, {0, 1}: true, {1, 1}: false, {2, 1}: false} {
		v[w.AppOf[0]], v[w.AppOf[1]] = first[0], first[1]
		if o.clientsFixed(v) != want {
			t.Errorf("with %v operations begun, clients are kept: %v", first, !want)
		}
	}
	if _, w, g = explored(t, asked(1, 3, odd{}), nil, both, 1); !NewOrbits(w, g).clientsFixed(make([]uint32, w.Head)) {
		t.Error("one client is renamed")
	}
}

// Nodes are in a group when they have one type, one number of operations and one crash model, the role
// that it is for, and run code.
func TestWhoIsInAGroup(t *testing.T) {
	for name, c := range map[string]struct {
		change           func(s *model.System)
		servers, clients []int
	}{
		"all are alike":              {func(*model.System) {}, []int{3, 4, 5}, []int{0, 1, 2}},
		"a liar":                     {func(s *model.System) { s.Nodes[4].Byzantine = true }, []int{3, 5}, []int{0, 1, 2}},
		"a lying client":             {func(s *model.System) { s.Nodes[0].Byzantine = true }, []int{3, 4, 5}, []int{1, 2}},
		"a server with a script":     {func(s *model.System) { s.Nodes[3].Script = s.Nodes[0].Script }, []int{4, 5}, []int{0, 1, 2}},
		"a client without":           {func(s *model.System) { s.Nodes[0].Script = nil }, []int{3, 4, 5}, []int{1, 2}},
		"a peer without":             {func(s *model.System) { s.Nodes[3].Role = model.Peer }, []int{4, 5}, []int{0, 1, 2}},
		"one operation more":         {func(s *model.System) { s.Nodes[2].Script = append(s.Nodes[2].Script, s.Nodes[2].Script...) }, []int{3, 4, 5}, []int{0, 1}},
		"another type":               {func(s *model.System) { s.Nodes[4].New = func() model.Node { return &fragile{} } }, []int{3, 5}, []int{0, 1, 2}},
		"one that crashes for good":  {func(s *model.System) { s.Nodes[5].Crash = model.CrashStopRecovery }, []int{3, 4}, []int{0, 1, 2}},
		"one that comes back as new": {func(s *model.System) { s.Nodes[1].Crash = model.CrashStopRecovery }, []int{3, 4, 5}, []int{0, 2}},
		"one that never crashes":     {func(s *model.System) { s.Nodes[5].Crash = model.CrashStop; s.Nodes[4].Crash = model.CrashStop }, []int{3}, []int{0, 1, 2}},
	} {
		s := asked(3, 3, odd{})
		c.change(s)
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
		g := systemOf(t, s, nil)
		if servers, clients := groupOf(g.e, Servers).Ids, groupOf(g.e, Clients).Ids; !slices.Equal(servers, c.servers) || !slices.Equal(clients, c.clients) {
			t.Errorf("%s: servers %v and clients %v are alike, want %v and %v", name, servers, clients, c.servers, c.clients)
		}
	}
}

// partial is a monitor that looks at one server, and counts what another is sent.
type partial struct {
	of       model.NodeID
	receives bool
	S        int
}

func (m *partial) Observe(_ model.Watch, o model.Observation) {
	if m.receives && o.Kind == model.Sent && o.To == m.of || !m.receives && o.Node == m.of {
		m.S++
	}
}

// A group is refused for what any of its nodes differs in, whichever it is: an operation, a release, a
// forgery, or what a monitor makes of it.
func TestWhatIsRefused(t *testing.T) {
	const ofServers, ofClients = "servers s2 and s3 alike", "clients c1 and c2 alike"
	script := func(s *model.System, slot int, change func(op *model.Op)) {
		for k := range s.Nodes {
			if len(s.Nodes[k].Script) > 0 {
				op := s.Nodes[k].Script[0]
				op.Release, op.Stay = "leave", model.Anytime()
				s.Nodes[k].Script = []model.Op{op, op, op}
			}
		}
		change(&s.Nodes[slot].Script[2])
	}
	liar := func(s *model.System, forge func(to model.NodeID) []any) {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = func(_ model.Node, to, _ model.NodeID) []any { return forge(to) }
	}
	for name, c := range map[string]struct {
		change func(s *model.System)
		watch  *partial
		group  string
		want   string
	}{
		"nothing": {func(*model.System) {}, nil, "", ""},
		"the call": {func(s *model.System) { script(s, 1, func(op *model.Op) { op.Call = "go on" }) }, nil,
			Clients, "the script does not treat " + ofClients},
		"when": {func(s *model.System) { script(s, 0, func(op *model.Op) { op.After = model.Between(1, 2) }) }, nil, "", ""}, // time is left out here
		"the release": {func(s *model.System) { script(s, 1, func(op *model.Op) { op.Release = "stay" }) }, nil,
			Clients, "the script does not treat " + ofClients},
		"the last may be lied to": {func(s *model.System) {
			liar(s, func(to model.NodeID) []any {
				if to == 4 {
					return []any{"ask", "told"}
				}
				return []any{"told", "ask", "ask"}[:2]
			})
		}, nil, "", ""},
		"the last is lied to otherwise": {func(s *model.System) {
			liar(s, func(to model.NodeID) []any {
				if to == 4 {
					return []any{"told", "tell"}
				}
				return []any{"told", "ask"}
			})
		}, nil, Servers, "Forge does not treat " + ofServers},
		"lies name who is lied to": {func(s *model.System) { liar(s, func(to model.NodeID) []any { return []any{answer{to}, answer{4}} }) }, nil,
			Servers, "Forge does not treat " + ofServers},
		"lies name nobody else": {func(s *model.System) { liar(s, func(to model.NodeID) []any { return []any{answer{to}} }) }, nil, "", ""},
		"lies fail where renaming leads": {func(s *model.System) {
			liar(s, func(to model.NodeID) []any {
				if to == 4 {
					panic("no lies for it")
				}
				return []any{answer{to}}
			})
		}, nil, Servers, "with servers s2 and s3 exchanged Forge fails: panic: no lies for it"},
		"a monitor of senders":   {func(*model.System) {}, &partial{of: 1}, Clients, "*symmetry.partial does not treat " + ofClients},
		"a monitor of receivers": {func(*model.System) {}, &partial{of: 3, receives: true}, Servers, "*symmetry.partial does not treat " + ofServers},
	} {
		s := asked(2, 3, odd{})
		c.change(s)
		var claims []model.Claim
		if c.watch != nil {
			claims = []model.Claim{{Name: "watched", Kind: model.Always, Monitor: func(*model.System) model.Monitor { m := *c.watch; return &m }}}
			if c.watch.receives {
				claims[0].Cost = &model.Cost{Sends: true}
			}
		}
		_, w, g := explored(t, s, claims, both, 60)
		if name == "lies fail where renaming leads" {
			defer func() {
				for _, text := range g.Unlike[Servers] {
					if !strings.HasPrefix(text, c.want) {
						t.Errorf("%s: it is said besides: %s", name, text)
					}
				}
			}()
		}
		if g.e.Sys.Forge != nil {
			w.Ask(func() {
				for _, id := range []int16{2, 3} { // the last is met by renaming alone
					g.e.Alphabet(g.e.Made[id])
				}
			})
		}
		for _, group := range []string{Servers, Clients} {
			said := g.Unlike[group]
			if group == c.group != (len(said) > 0) || group == c.group && !slices.ContainsFunc(said, func(text string) bool {
				return strings.HasPrefix(text, c.want)
			}) {
				t.Errorf("%s: of %s it is said %q, want %q of %q", name, group, said, c.want, c.group)
			}
		}
	}
}

// Every node's script is compared, and every neighbour's.
func TestTheLastScript(t *testing.T) {
	s := asked(3, 2, odd{})
	s.Nodes[2].Script = []model.Op{{Call: "go on", After: model.Anytime()}}
	if said, want := systemOf(t, s, nil).Unlike[Clients], "the script does not treat clients c2 and c3 alike"; !slices.Contains(said, want) {
		t.Errorf("it is said %q, want %q", said, want)
	}
}

// What is observed names the observer, in its value others, and who is sent to.
func TestObservationsAreRenamed(t *testing.T) {
	g := systemOf(t, asked(2, 3, odd{}), ruled)
	seen := func(kind model.ObservationKind, node, to int16, m any) uint32 {
		return g.e.Seen.Id(component.Observation{Kind: kind, Node: node, To: to, Value: g.e.Value(m)})
	}
	p := g.Swaps[0].Perm // of nodes 2 and 3
	for name, c := range map[string]struct{ from, to uint32 }{
		"a note":             {seen(model.Noted, 2, 0, answer{3}), seen(model.Noted, 3, 0, answer{2})},
		"of another":         {seen(model.Noted, 0, 2, answer{2}), seen(model.Noted, 0, 2, answer{3})},
		"a message":          {seen(model.Sent, 2, 3, "ask"), seen(model.Sent, 3, 2, "ask")},
		"a message to other": {seen(model.Sent, 2, 0, "ask"), seen(model.Sent, 3, 0, "ask")},
	} {
		if got := g.observation(c.from, p); got != c.to {
			t.Errorf("%s: it is %v when it is renamed, want %v", name, fmt.Sprint(g.e.Seen.Items[got]), fmt.Sprint(g.e.Seen.Items[c.to]))
		}
	}
}
