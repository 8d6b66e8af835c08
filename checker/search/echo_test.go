package search

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/absorb"
	"contend/lab/random"
	"contend/model"
)

// told is reached when a label was noted.
type told struct {
	label int
	Seen  bool
}

func (g *told) Observe(_ model.Watch, o model.Observation) {
	g.Seen = g.Seen || o.Kind == model.Noted && o.Value == g.label
}
func (g *told) Reached() bool { return g.Seen }

func tells(name string, kind model.Kind, label int) model.Claim {
	return model.Claim{Name: name, Kind: kind, Monitor: func(*model.System) model.Monitor { return &told{label: label} }}
}

// Claims of each kind that reductions are for. The last cannot be refuted, so that
// each search is of everything.
var ofRefusals = append([]model.Claim{
	{Name: "stops", Kind: model.Always, Done: true},
	{Name: "can stop", Kind: model.PossibleFromEverywhere, Done: true},
	tells("1 is told", model.Sometimes, 1),
	tells("2 is told", model.Sometimes, 2),
	tells("1 can be told", model.PossibleFromEverywhere, 1),
}, watching...)

// The reductions change no verdict and lose no observation of random systems in which
// many a message is an echo; and in many of them echoes are absorbed.
func TestReductionsOfRefusals(t *testing.T) {
	compared, echoing, refuted, atBoot, forged := 0, 0, 0, 0, 0
	channels, faults := map[model.Channel]int{}, map[model.Faults]int{}
	for seed := range uint64(few(100, 75)) {
		s := random.Refusals(rand.New(rand.NewPCG(seed, 4)))
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		whole, complete := reduced(t, s, Options{MaxStates: 3000})
		if !complete {
			continue
		}
		compared++
		for _, opt := range reductions {
			got, _ := reduced(t, s, opt)
			if got.verdicts != whole.verdicts {
				t.Fatalf("seed %d, symmetry %v, stale %v: verdicts\n%snot\n%s", seed, opt.Symmetry, opt.Stale, got.verdicts, whole.verdicts)
			}
			if !maps.Equal(got.labels, whole.labels) {
				t.Fatalf("seed %d, symmetry %v, stale %v: only with it %v, only without %v",
					seed, opt.Symmetry, opt.Stale, missing(got.labels, whole.labels), missing(whole.labels, got.labels))
			}
			for _, note := range got.notes {
				if strings.HasPrefix(note, "symmetry of servers") {
					t.Fatalf("seed %d: symmetry is refused: %s", seed, note)
				}
				if strings.Contains(note, absorb.EchoOf) {
					refuted++
				}
			}
			if !got.echoes || opt.Symmetry {
				continue
			}
			echoing++
			channels[s.Network.Channel]++
			faults[s.Faults]++
			if len(s.AtBoot()) > 0 {
				atBoot++
			}
			if s.Forge != nil {
				forged++
			}
		}
	}
	t.Logf("compared %d: %d have echoes (%d at boot, %d with a liar; %v; %v), %d echoes are refuted",
		compared, echoing, atBoot, forged, channels, faults, refuted)
	if echoing < compared/5 || atBoot < few(6, 5) || forged < 1 || refuted < few(3, 2) || len(channels) < 3 || len(faults) < 3 {
		t.Error("too few echoes of some kind for the test to mean much")
	}
}

// reducedTo is what a search of refusals shows, and whether it absorbed echoes.
type reducedTo struct {
	seen
	echoes bool
}

func reduced(t *testing.T, s *model.System, opt Options) (got reducedTo, complete bool) {
	t.Helper()
	x, r, notes := attempts(t, s, ofRefusals, opt, func(*explorer) {})
	return reducedTo{seen{verdicts(ofRefusals, r), labels(x, oneOfEach(s)), notes}, x.absorbedEchoes()}, r.Complete
}

// Messages of the tests of echoes.
type (
	wants   struct{ K int }
	granted struct{ K int }
	denied  struct{ K int }
)

// late is a system in which a request is late: c wants 1, changes its mind, and has d
// ask for 2 instead. The server s tells c what it makes of both: it grants what is
// above all that it granted. So a request for 1 that comes after that for 2 is an
// echo, unless onGranted, what c does when 2 is granted, or after, what s does on
// requests once d told it to change, make something of it.
type late struct {
	onGranted func(n *scripted, env model.Env)
	after     func(n *scripted, env model.Env, m any)
	stuck     bool // c's operation does not return
}

// Names of c's and s's states.
const (
	waiting, moved, satisfied, curious = 1, 2, 4, 3
	changed                            = 5
)

func (l late) system(channel model.Channel) *model.System {
	c := scripted{
		start: func(n *scripted, env model.Env) { n.S = waiting; env.Send(1, wants{1}) },
		invoke: func(n *scripted, env model.Env, _ any) {
			n.S = moved
			env.Send(2, "please")
			if !l.stuck {
				env.Return(nil)
			}
		},
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			switch {
			case m == (granted{2}) && n.S == moved:
				if n.S = satisfied; l.onGranted != nil {
					l.onGranted(n, env)
				}
			case m == (denied{1}) && n.S == curious:
				env.Note(mark{1})
			case m == "be curious":
				n.S = curious
			}
		},
		timeout: func(n *scripted, env model.Env, _ any) { n.S = curious },
	}
	s := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
		w, wanted := m.(wants)
		switch {
		case !wanted:
			n.S = changed
		case n.S == changed:
			l.after(n, env, m)
		case w.K > n.S:
			n.S = w.K
			env.Send(0, granted(w))
		default:
			env.Send(0, denied(w))
		}
	}}
	d := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
		switch {
		case m == "please":
			env.Send(1, wants{2})
		case m == "change":
			env.Send(1, m)
		case n.S == 0: // it is always so, but never of c
			env.Note(mark{1})
		}
	}}
	sys := system(client("c", c, "go"), server("s", s), client("d", d))
	sys.Network.Channel, sys.Types = channel, []any{mark{}, wants{}, granted{}, denied{}}
	return sys
}

// change has d tell the server to change.
func change(_ *scripted, env model.Env) { env.Send(2, "change") }

// A late request is absorbed as an echo so long as nobody ever makes anything of it.
// Else the guess is refuted, and what comes of the request is found, on each channel.
func TestEchoesThatMatterAreRefuted(t *testing.T) {
	echo, answer := "an echo of search.wants", "search.denied"
	alone := func(*model.System) {}
	for _, c := range []struct {
		name    string
		late    late
		edit    func(s *model.System)
		noted   bool
		refuted string // the guess, or none
	}{
		{"nobody minds", late{}, alone, false, ""},
		{"nobody minds a deadlock", late{stuck: true}, alone, false, ""},
		{"the client may crash", late{}, func(s *model.System) { s.Faults.Crashes = 1 }, false, ""},
		{"messages are lost", late{stuck: true}, func(s *model.System) { s.Faults.Loss = 2 }, false, ""},
		{"messages come twice", late{}, func(s *model.System) { s.Faults.Duplication = 1 }, false, ""},
		{"the server changes and says nothing",
			late{onGranted: change, after: func(*scripted, model.Env, any) {}}, alone, false, ""},
		{"the server changes and refuses twice",
			late{onGranted: change, after: func(_ *scripted, env model.Env, m any) {
				env.Send(0, denied{m.(wants).K})
				env.Send(0, denied{m.(wants).K})
			}}, alone, false, ""},
		{"the client gets curious", late{onGranted: func(_ *scripted, env model.Env) { env.After("later", model.Anytime()) }}, alone, true, answer},
		{"a liar makes the client curious", late{}, func(s *model.System) {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
			s.Forge = func(n model.Node, to, _ model.NodeID) []any {
				if to == 0 && n.(*scripted).S == satisfied {
					return []any{"be curious"}
				}
				return nil
			}
		}, true, answer},
		{"the server notes it later", late{onGranted: change, after: func(_ *scripted, env model.Env, _ any) { env.Note(mark{1}) }}, alone, true, echo},
		{"the server may note it later", late{onGranted: change, after: func(_ *scripted, env model.Env, m any) {
			if env.Choose(2) == 1 {
				env.Note(mark{1})
			}
			env.Send(0, denied{1})
		}}, alone, true, echo},
		{"the server asks about a hold later", late{onGranted: change, after: func(_ *scripted, env model.Env, m any) {
			if !env.Held("lock") {
				env.Note(mark{1})
			}
			env.Send(0, denied{1})
		}}, alone, true, echo},
		{"the server answers somebody else later",
			late{onGranted: change, after: func(_ *scripted, env model.Env, _ any) { env.Send(2, denied{1}) }}, alone, true, echo},
		{"the server answers somebody else as well",
			late{onGranted: change, after: func(_ *scripted, env model.Env, _ any) {
				env.Send(2, denied{1})
				env.Send(0, denied{1})
			}}, alone, true, echo},
		{"the server answers otherwise later",
			late{onGranted: change, after: func(_ *scripted, env model.Env, _ any) {
				env.Send(0, "be curious")
				env.Send(0, denied{1})
			}}, alone, true, echo},
		{"the server remembers it later",
			late{onGranted: change, after: func(n *scripted, env model.Env, _ any) {
				n.Log = append(n.Log, 1)
				env.Note(mark{1})
			}}, alone, true, echo},
	} {
		for _, channel := range []model.Channel{model.Bag, model.FIFO, model.Set} {
			t.Run(c.name+"/"+channel.String(), func(t *testing.T) {
				s := c.late.system(channel)
				c.edit(s)
				claims := []model.Claim{never(1), {Name: "stops", Kind: model.Always, Done: true},
					{Name: "can stop", Kind: model.PossibleFromEverywhere, Done: true}, never(0)}
				nothing := func(*explorer) {}
				_, whole, _ := attempts(t, s, claims, Options{}, nothing)
				x, got, notes := attempts(t, s, claims, Options{Stale: true}, nothing)
				if a, b := verdicts(claims, got), verdicts(claims, whole); a != b {
					t.Errorf("with stale absorption\n%swithout\n%s", a, b)
				}
				if noted := got.verdict(0) == refuted; noted != c.noted {
					t.Errorf("1 is noted: %v", noted)
				}
				if c.refuted == "" && (len(notes) > 0 || !x.absorbedEchoes() || got.States >= whole.States) {
					t.Errorf("notes %q; echoes are absorbed: %v; %d states, without %d", notes, x.absorbedEchoes(), got.States, whole.States)
				}
				if c.refuted != "" && !slices.Contains(notes, absorptionOff(c.refuted, "did something later")) {
					t.Errorf("notes %q, want one of %s", notes, c.refuted)
				}
			})
		}
	}
}

// What leads beyond a cut later is no echo: the states that it is cut from are
// counted.
func TestEchoesDoNotHideCuts(t *testing.T) {
	s := cutAt(late{onGranted: change, after: func(n *scripted, env model.Env, _ any) { n.S = 9 }}.system(model.Bag), 8)
	for _, stale := range []bool{false, true} {
		if r := explore(t, s, Options{Stale: stale}, reach(model.Sometimes, 1)); r.Cut["small"] == 0 || r.Claims[0].Limit.String() != "cut" {
			t.Errorf("stale absorption %v: cut %v, undecided %v", stale, r.Cut, r.open())
		}
	}
}

// On the grid an answer would have to arrive in time: there are no echoes.
func TestNoEchoesOnTheGrid(t *testing.T) {
	s := late{}.system(model.Bag)
	s.Network.Delay = model.Between(0, 2)
	for i := range s.Nodes {
		for k := range s.Nodes[i].Script {
			s.Nodes[i].Script[k].After = model.Between(0, 1)
		}
	}
	for timed, want := range map[bool]bool{false: true, true: false} {
		x, _, _ := attempts(t, s, []model.Claim{never(0)}, Options{Timed: timed, Stale: true}, func(*explorer) {})
		if x.absorbedEchoes() != want {
			t.Errorf("timed %v: echoes are absorbed: %v", timed, x.absorbedEchoes())
		}
	}
}

// changesEarly is a system in which a receiver changes on one way, and on another gets, later, a
// message that matters only once it has changed.
func changesEarly() *model.System {
	c := scripted{
		invoke: func(n *scripted, env model.Env, op any) {
			switch {
			case op == "choose":
				n.S = env.Choose(2)
			case op == "first" && n.S == 1:
				env.Send(1, "change") // this way the server changes early, and nothing else comes
				n.S = 2
			case op == "second" && n.S == 0:
				env.Send(1, wants{1})
			case op == "third" && n.S == 0:
				env.Send(1, "change")
			}
			env.Return(nil)
		},
	}
	s := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
		switch {
		case m == "change":
			n.S = changed
		case n.S == changed:
			env.Note(mark{1})
		default:
			env.Send(0, denied{1})
		}
	}}
	sys := system(client("c", c, "choose", "first", "second", "third"), server("s", s))
	sys.Types = []any{mark{}, wants{}, denied{}}
	return sys
}

// A guess is also checked against where a receiver went before, on another way.
func TestEchoIsCheckedAgainstEarlierTransitions(t *testing.T) {
	if r := explore(t, changesEarly(), Options{Stale: true}, never(1)); r.verdict(0) != refuted {
		t.Errorf("%+v; notes %q", r.verdict(0), r.Notes)
	}
}

// A server that lost its memory may make something of a request that it refused
// before. Here c knows, before it says go, that the server was up after the request
// was sent.
func TestEchoesAndMemoryLoss(t *testing.T) {
	c := scripted{
		invoke: func(_ *scripted, env model.Env, _ any) { env.Send(1, "up"); env.Return(nil) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, m any) {
			switch m {
			case "ready":
				env.Send(1, wants{1})
				env.Send(1, "ping")
			case "pong":
				env.Send(1, "go")
			}
		},
	}
	const fresh, up, going, off = 0, 1, 2, 3
	s := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
		_, wanted := m.(wants)
		switch {
		case m == "up" && n.S == fresh:
			n.S = up
			env.Send(0, "ready")
		case m == "ping" && n.S == up:
			env.Send(0, "pong")
		case m == "go" && n.S == fresh:
			n.S = going
		case wanted && n.S == going:
			env.Note(mark{1})
		case wanted && n.S == up:
			env.Send(0, denied{1})
		case wanted:
			n.S = off
		}
	}}
	sys := system(client("c", c, "begin"), server("s", s))
	sys.Types, sys.Faults.Restarts = []any{mark{}, wants{}, denied{}}, 1
	for _, stale := range []bool{false, true} {
		if r := explore(t, sys, Options{Stale: stale}, never(1)); r.verdict(0) != refuted {
			t.Errorf("stale absorption %v: %+v; notes %q", stale, r.verdict(0), r.Notes)
		}
	}
}

// Under symmetry the search goes on from one of several renamed states only. What was
// absorbed on the way to another must do nothing there too, whether it did nothing at
// all or was an echo.
func TestAbsorptionUnderSymmetry(t *testing.T) {
	for name, refuse := range map[string]bool{"stale": false, "echo": true} {
		c := scripted{
			invoke: func(n *scripted, env model.Env, op any) {
				switch op {
				case "mode":
					n.S = 1 + env.Choose(2)
					env.Return(nil)
				case "up": // each mode chooses the servers in another order
					k := env.Choose(2)
					env.Send(model.NodeID(1+(n.S-1+k)%2), "up")
				case "change":
					env.Broadcast([]model.NodeID{1, 2}, granted{})
					env.Return(nil)
				}
			},
			receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
				if m != "up" {
					return
				}
				if n.S == 2 { // the request is sent in one mode only
					env.Send(from, wants{1})
				}
				n.S = 0
				env.Return(nil)
			},
		}
		s := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
			switch {
			case m == "up":
				n.S = 1
				env.Send(from, m)
			case m == granted{}:
				n.S += 2
			case n.S == 3:
				env.Note(mark{1})
			case refuse:
				env.Send(from, denied{1})
			}
		}}
		sys := system(client("c", c, "mode", "up", "change"), server("s1", s), server("s2", s))
		sys.Types = []any{mark{}, wants{}, granted{}, denied{}}
		for _, opt := range append(reductions, Options{}) {
			r := explore(t, sys, opt, never(1))
			if r.verdict(0) != refuted || slices.Contains(r.Reductions, "symmetry") != opt.Symmetry {
				t.Errorf("%s: symmetry %v, stale %v: %+v, reductions %v, notes %q", name, opt.Symmetry, opt.Stale, r.verdict(0), r.Reductions, r.Notes)
			}
		}
	}
}
