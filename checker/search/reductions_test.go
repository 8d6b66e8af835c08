package search

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"contend/checker/judge"
	"contend/checker/search/component"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
)

// seen is what a search shows of a system: the verdicts on its claims, and every
// observation that some run makes.
type seen struct {
	verdicts string
	labels   map[string]bool
	notes    []string
}

// attempts searches as Run does, until no guess is refuted, and returns the last
// attempt. Each is handed to prepare before it begins.
func attempts(t *testing.T, s *model.System, claims []model.Claim, opt Options, prepare func(x *explorer)) (x *explorer, r *Result, notes []string) {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	opt.MaxSpurious = 1 // without it no candidate counts
	g := newGuesses()
	for {
		x = newExplorer(s, codec, claims, pure(opt).withDefaults(), component.Closing, g)
		prepare(x)
		r, err := x.attempt(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !g.learn(x.refusals()) && !x.again {
			return x, r, g.notes
		}
		opt.Exact = opt.Exact || x.again
	}
}

// searched looks at what a complete search interned. Servers are all called by one
// name, since under symmetry any stands for all; so are clients.
func searched(t *testing.T, s *model.System, claims []model.Claim, opt Options) seen {
	t.Helper()
	x, r, notes := attempts(t, s, claims, opt, func(*explorer) {})
	if !r.Complete {
		t.Fatal(r)
	}
	return seen{verdicts(claims, r), labels(x, oneOfEach(s)), notes}
}

// oneOfEach gives every correct server the name of the first, and every client.
func oneOfEach(s *model.System) value.Renaming {
	names := make(value.Renaming, len(s.Nodes))
	servers := s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Server && !n.Byzantine })
	clients := s.IDs(func(n model.NodeSpec) bool { return len(n.Script) > 0 })
	for i := range names {
		names[i] = model.NodeID(i)
		if slices.Contains(servers, names[i]) {
			names[i] = servers[0]
		} else if slices.Contains(clients, names[i]) {
			names[i] = clients[0]
		}
	}
	return names
}

func labels(x *explorer, names value.Renaming) map[string]bool {
	out := map[string]bool{}
	for _, o := range x.Seen.Items {
		v := x.Codec.Any(x.Decoded(o.Value), names)
		out[fmt.Sprintf("%v at %d, operation %d: %x", o.Kind, names[o.Node], o.Op, v)] = true
	}
	return out
}

func verdicts(claims []model.Claim, r *Result) string {
	var b strings.Builder
	for i, c := range claims {
		violated := r.Claims[i].Violated != nil
		fmt.Fprintf(&b, "%s: violated %v, reached %v, witnessed %v, undecided %q\n", c.Name, violated, r.Claims[i].Reached, r.Claims[i].Witnessed, r.Claims[i].Limit.String())
	}
	return b.String()
}

var reductions = []Options{
	{Symmetry: true}, {Clients: true}, {Stale: true}, {Symmetry: true, Stale: true}, {Symmetry: true, Clients: true, Stale: true},
}

// A reduction changes no verdict, and loses no observation: for the protocols, their
// mutants, and each fault. Other grids stay out: the searches on them would take most of the
// time, and TestReductionsKeepDoomedStates has them.
func TestReductionsKeepVerdictsAndLabels(t *testing.T) {
	withoutOtherGrids(t)
	two := model.Config{N: 2}.With(backoff.Tries.Is(1))
	with := func(f model.Faults) model.Config { c := two; c.Faults = f; return c }
	for i, c := range []struct {
		variant string
		config  model.Config
	}{
		{"", two},
		{"", model.Config{N: 3}.With(backoff.Tries.Is(1))},
		{"", with(model.Faults{Loss: 1})},
		{"", with(model.Faults{Duplication: 1})},
		{"", with(model.Faults{Crashes: 1})},
		{"", with(model.Faults{Restarts: 1})},
		{"", model.Config{N: 2, B: 1, Beyond: true}.With(model.Quorum.Is(1), backoff.Tries.Is(1))},
		{"", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(2), backoff.Tries.Is(1))},
		{"lease-delta", model.Config{N: 2}.With(backoff.Tries.Is(2))},
		{"tolerates-more", two},
		{"small-quorum", two},
		{"earlier-try", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), backoff.Tries.Is(1))},
		{"forgetful", two},
		{"locked-at-boot", two},
		{"gives-up", two},
	} {
		if !*full && i%4 != 2 {
			continue // each fourth: a fault, a liar, two mutants
		}
		for _, timed := range []bool{false, true} {
			name := fmt.Sprintf("%s/n=%d/b=%d/%+v/timed=%v", c.variant, c.config.N, c.config.B, c.config.Faults, timed)
			t.Run(name, func(t *testing.T) {
				// The last claim cannot be refuted, so that each search is of everything.
				s, claims := built(t, backoff.Protocol, c.variant, c.config, "Lemma 1", "Lemma 1, grants", "Corollary 2")
				compareReductions(t, s, append(claims, never(0)), timed)
			})
		}
	}
}

// withoutOtherGrids cuts searches on other grids short, so that verdicts are those of the
// closing grid alone.
func withoutOtherGrids(t *testing.T) {
	before := refineStates
	refineStates = 1
	t.Cleanup(func() { refineStates = before })
}

// Claims that speak of the whole state space keep their verdicts where no cut stands
// in the way.
func TestReductionsKeepDoomedStates(t *testing.T) {
	s, claims := built(t, backoff.Protocol, "truncated", model.Config{N: 2}, "Lemma 1", "Corollary 2")
	compareReductions(t, s, append(claims, never(0)), true)
	for _, variant := range []string{"defer-on-tie", "one-reply-short", "always-polite"} {
		s, claims := built(t, ricartagrawala.Protocol, variant, model.Config{N: 2}.With(model.Ops.Is(2)), safety...)
		compareReductions(t, s, append(judge.Watched(claims), never(0)), false)
	}
}

func compareReductions(t *testing.T, s *model.System, claims []model.Claim, timed bool) {
	t.Helper()
	whole := searched(t, s, claims, Options{Timed: timed})
	for _, opt := range reductions {
		opt.Timed = timed
		got := searched(t, s, claims, opt)
		if got.verdicts != whole.verdicts {
			t.Errorf("symmetry %v, stale %v: verdicts\n%snot\n%s", opt.Symmetry, opt.Stale, got.verdicts, whole.verdicts)
		}
		if !maps.Equal(got.labels, whole.labels) {
			t.Errorf("symmetry %v, stale %v: only with it %v, only without %v",
				opt.Symmetry, opt.Stale, missing(got.labels, whole.labels), missing(whole.labels, got.labels))
		}
		for _, note := range got.notes {
			if strings.HasPrefix(note, "symmetry of servers") {
				t.Errorf("symmetry of servers is refused: %s", note)
			}
		}
	}
}

// That a delivery does nothing now does not make it stale where a later state of its
// receiver would take it: the type is spared, and the violation found.
func TestStaleAbsorptionIsRefuted(t *testing.T) {
	s, claims := built(t, backoff.Protocol, "earlier-try", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), backoff.Tries.Is(1)), "Lemma 1, grants")
	whole := explore(t, s, Options{}, claims...)
	absorbed := explore(t, s, Options{Stale: true}, claims...)
	if len(whole.Violated()) != 1 || len(absorbed.Violated()) != 1 {
		t.Errorf("violated without %v, with %v", whole.Violated(), absorbed.Violated())
	}
	want := "stale absorption is off for backoff.Answer: one that did nothing did something later"
	if !slices.Equal(absorbed.Notes, []string{want}) {
		t.Errorf("notes %q, want %q", absorbed.Notes, want)
	}
}

// election has a client that remembers one of the servers that answered it.
func election(choose func(n *scripted, env model.Env, from model.NodeID)) *model.System {
	answer := scripted{receive: func(_ *scripted, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}
	s := system(client("c", scripted{
		start: func(_ *scripted, env model.Env) { env.Broadcast([]model.NodeID{1, 2, 3}, 0) },
		receive: func(n *scripted, env model.Env, from model.NodeID, _ any) {
			choose(n, env, from)
			env.Note(won{n.Who})
			if n.S > 0 {
				env.Note(mark{n.S})
			}
		},
	}), server("s1", answer), server("s2", answer), server("s3", answer))
	s.Types = append(s.Types, won{})
	return s
}

// Servers are interchangeable only to handlers, monitors, goals, invariants and
// forgers that treat them alike; who does not is named, and the verdict is that of
// the search without symmetry.
func TestSymmetryIsRefusedByName(t *testing.T) {
	first := func(n *scripted, _ model.Env, from model.NodeID) {
		if n.Who == 0 {
			n.Who = from
		}
	}
	lowest := func(n *scripted, _ model.Env, from model.NodeID) {
		if n.Who == 0 || from < n.Who {
			n.Who, n.S = from, n.S+1
		}
	}
	named := func(n *scripted, env model.Env, from model.NodeID) {
		if first(n, env, from); from == 3 {
			n.S = 1
		}
	}
	invariant := model.Claim{Name: "not the second", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*scripted).Who == 2 {
			return errors.New("it is the second")
		}
		return nil
	}}
	refuses := func(what, a, b string) []string {
		return []string{fmt.Sprintf("symmetry of servers is refused: %s does not treat servers %s and %s alike", what, a, b)}
	}
	liar := election(first)
	liar.Nodes = append(liar.Nodes, model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
	fair := election(first)
	fair.Nodes = liar.Nodes
	liar.Forge = func(_ model.Node, to, _ model.NodeID) []any {
		if to == 2 {
			return []any{7}
		}
		return nil
	}
	fair.Forge = func(_ model.Node, to, _ model.NodeID) []any { return []any{7} }
	cutAtSecond := election(first)
	cutAtSecond.Cuts = []model.Cut{{Name: "second", Beyond: func(n model.Node) bool { return n.(*scripted).Who == 2 }}}
	for _, c := range []struct {
		name  string
		s     *model.System
		claim model.Claim
		notes []string
	}{
		{"the first wins", election(first), never(3), nil},
		{"the lowest id wins", election(lowest), never(3), refuses("*search.scripted", "s1", "s2")},
		{"one is a favourite", election(named), never(1), refuses("*search.scripted", "s2", "s3")},
		{"an invariant names one", election(first), invariant, refuses("the invariant not the second", "s1", "s2")},
		{"a cut names one", cutAtSecond, never(3), refuses("*search.scripted", "s1", "s2")},
		{"a monitor names one", election(first), watchesNode(2), refuses("*search.partial", "s1", "s2")},
		{"all are forged to alike", fair, never(3), nil},
		{"one is forged to", liar, never(3), refuses("Forge", "s1", "s2")},
	} {
		t.Run(c.name, func(t *testing.T) {
			off := explore(t, c.s, Options{}, c.claim)
			on := explore(t, c.s, Options{Symmetry: true}, c.claim)
			if !slices.Equal(on.Notes, c.notes) {
				t.Errorf("notes %q, want %q", on.Notes, c.notes)
			}
			if verdicts([]model.Claim{c.claim}, off) != verdicts([]model.Claim{c.claim}, on) {
				t.Errorf("violated without symmetry %v, with %v", off.Violated(), on.Violated())
			}
			if symmetric := slices.Contains(on.Reductions, "symmetry"); symmetric != (c.notes == nil) {
				t.Errorf("reductions %v, notes %q", on.Reductions, on.Notes)
			}
		})
	}
}

// partial is a monitor that remembers the winner only if it is one server.
type partial struct {
	only model.NodeID
	Seen bool
}

func (p *partial) Observe(w model.Watch, o model.Observation) {
	p.Seen = p.Seen || o.Value == won{p.only}
}

type won struct{ Who model.NodeID }

func watchesNode(id model.NodeID) model.Claim {
	return model.Claim{Name: "partial", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &partial{only: id} }}
}

// On FIFO the order of sends counts: servers that differ in it alone are not
// interchangeable.
func TestSymmetryHeedsTheOrderOfSendsOnFIFO(t *testing.T) {
	for _, odd := range []model.NodeID{1, 2} {
		answer := func(_ *scripted, env model.Env, from model.NodeID, m any) {
			switch {
			case m == 0:
				env.Send(from, 0)
			case env.Self() == odd:
				env.Send(from, 2)
				env.Send(from, 1)
			default:
				env.Send(from, 1)
				env.Send(from, 2)
			}
		}
		s := system(client("c", scripted{
			start: func(_ *scripted, env model.Env) { env.Broadcast([]model.NodeID{1, 2}, 0) },
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
		}), server("s1", scripted{receive: answer}), server("s2", scripted{receive: answer}))
		s.Network.Channel = model.FIFO
		off := explore(t, s, Options{}, never(1))
		on := explore(t, s, Options{Symmetry: true}, never(1))
		if len(off.Violated()) != 1 || len(on.Violated()) != 1 || len(on.Notes) != 1 {
			t.Errorf("server %d sends 2 first: violated without symmetry %v, with %v; notes %v", odd, off.Violated(), on.Violated(), on.Notes)
		}
	}
}

// Interchangeable servers may have a Start that sends.
func TestSymmetryOfServersThatStart(t *testing.T) {
	hello := scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 1) }}
	s := system(client("c", scripted{receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S++ }}),
		server("s1", hello), server("s2", hello))
	off := explore(t, s, Options{}, never(1))
	on := explore(t, s, Options{Symmetry: true}, never(1))
	if off.size() != (size{4, 4, 2}) || on.size() != (size{3, 3, 2}) || len(on.Notes) > 0 {
		t.Errorf("without symmetry %+v, with %+v; notes %v", off.size(), on.size(), on.Notes)
	}
}

// informed is a causal monitor that breaks when node 1 invokes after it heard of an
// invocation of node 0.
type informed struct{}

func (*informed) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Invoked && o.Node == 1 && o.Past[0] > 0 {
		w.Violate("it knows")
	}
}

// A delivery that does nothing to a node still adds to its causal past: it is not
// absorbed.
func TestCausalPastsKeepEveryDelivery(t *testing.T) {
	s := system(
		peer("a", scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Send(1, 1) }}, "go"),
		peer("b", scripted{}, "go"))
	claim := model.Claim{
		Name: "informed", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &informed{} },
		Causal: func(o model.Observation) bool { return o.Kind == model.Invoked },
	}
	for _, stale := range []bool{false, true} {
		if r := explore(t, s, Options{Stale: stale}, claim); r.verdict(0) != refuted {
			t.Errorf("stale absorption %v: %+v", stale, r.verdict(0))
		}
	}
}

// What absorbs nothing does not say that it does.
func TestNothingIsAbsorbed(t *testing.T) {
	if r := explore(t, counting(3), Options{Stale: true}, never(9)); len(r.Reductions) > 0 {
		t.Errorf("%q", r.Reductions)
	}
}
