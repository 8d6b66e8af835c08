package backoff

import (
	"maps"
	"slices"

	"contend/model"
)

const source = "Chockler–Malkhi–Reiter §4"

// timed are the assumptions of exclusion.
var timed = []model.Assumption{model.Timed, model.StableFromStart, model.NoMemoryLoss}

var claims = []model.Claim{
	{
		Name: "Lemma 1", Kind: model.Always, Source: source, Proof: "docs/proofs/backoff.md#lemma-1",
		Assumes: timed,
		Monitor: func(s *model.System) model.Monitor { return &isolation{setup: setup(s)} },
	},
	{
		Name: "Lemma 1, grants", Kind: model.Always, Source: source + ", proof of Lemma 1",
		Proof:   "docs/proofs/backoff.md#the-grants-behind-a-return",
		Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(s *model.System) model.Monitor { return &grants{cfg: setup(s).Config, b: s.Config.B} },
		Apart: func(c model.Check) model.Check {
			c.Reading = model.Untimed
			if c.Config.N > 3 {
				c.Config = c.Config.With(Tries.Is(1))
			}
			return c
		},
	},
	{
		Name: "Corollary 2", Kind: model.PossibleFromEverywhere, Source: source,
		Proof:   "docs/proofs/backoff.md#corollary-2",
		Assumes: []model.Assumption{model.Timed, model.Stable, model.NoLoss},
		Monitor: func(*model.System) model.Monitor { return &progress{} },
	},
	surely("Corollary 2, adaptive", source, model.Adaptive, model.Synchronous),
	surely("Corollary 2, foreseeing", source, model.Foreseeing, model.Synchronous),
	again,
	surely("Instability, nonadaptive", footnote, model.Nonadaptive),
	surely("Instability, adaptive", footnote, model.Adaptive),
}

// footnote is the source of the claims about runs that are not synchronous: "our mutual exclusion protocol … remains
// probabilistically live even during periods of instability", but "only if the scheduling adversary is nonadaptive".
const footnote = "Chockler–Malkhi–Reiter §1, footnote 1"

// surely returns Corollary 2 as a claim of probability. A cut would leave the claim open, because the adversary might
// do anything after the cut.
func surely(name, source string, against model.Adversary, assumes ...model.Assumption) model.Claim {
	return model.Claim{
		Name: name, Kind: model.AlmostSurely, Against: against, Source: source,
		Proof:   "docs/proofs/backoff.md#with-probability-one",
		Assumes: append([]model.Assumption{model.Timed, model.NoCut}, assumes...),
		Monitor: func(*model.System) model.Monitor { return &progress{} },
	}
}

// again claims the use of Corollary 2 in Theorem 2. After any instant at which a client contends, with any retry value,
// some contend returns. [progress] claims one return after an invocation. It claims nothing about the other contending
// clients. Since scripts are finite, again claims that all clients finish.
var again = model.Claim{
	Name: "Corollary 2, again", Kind: model.AlmostSurely, Against: model.Adaptive, Source: "Chockler–Malkhi–Reiter §7, proof of Theorem 2",
	Proof:   "docs/proofs/backoff.md#with-probability-one",
	Assumes: []model.Assumption{model.Timed, model.NoCut, model.Synchronous},
	Done:    true,
}

// isolation checks Lemma 1: "if … a client's contend operation returns at real time T, then no other client's contend
// returns in the interval [T, T+Δ]". Each return starts a hold of length Δ. A return of another client during the hold
// is a violation.
type isolation struct {
	setup *Setup
	Won   map[model.NodeID]bool // the clients that have returned
}

func (i *isolation) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Returned {
		return
	}
	for _, c := range slices.Sorted(maps.Keys(i.Won)) {
		if c == o.Node {
			continue
		}
		w.Witness()
		if w.Held(c) {
			w.Violate("its contend returns while another client has the section to itself")
		}
	}
	i.Won[o.Node] = true
	w.Hold(o.Node, model.Through(i.setup.wanted(o.Node)))
}

// grants checks the first step in the proof of Lemma 1. It needs no clock. When a contend returns, the servers of a
// quorum have granted this very try. Exceptions are the b LOCKED answers that the client tolerates and the b servers
// that may lie.
type grants struct {
	cfg *Config
	b   int // the number of servers that may lie; mutants change only the number that clients tolerate
	By  map[model.NodeID]Tally
}

// A Tally is a client's latest granted try, and the servers that granted it.
type Tally struct {
	Try     Try
	Servers map[model.NodeID]bool
}

func (g *grants) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Noted:
		grant := o.Value.(Granted)
		t := g.By[grant.To]
		if later(t.Try, grant.Try) {
			return // the client has continued since
		}
		if t.Try != grant.Try {
			t = Tally{grant.Try, map[model.NodeID]bool{}}
		}
		t.Servers[o.Node] = true
		g.By[grant.To] = t
	case model.Returned:
		w.Witness()
		t, least := g.By[o.Node], g.cfg.Quorums.Size-2*g.b
		if t.Try != o.Value.(Try) {
			t.Servers = nil
		}
		if len(t.Servers) < least {
			w.Violate("its contend returns on %d grants to this try, but needs %d", len(t.Servers), least)
		}
	}
}

func later(a, b Try) bool {
	return a.Contend > b.Contend || a.Contend == b.Contend && a.Retry > b.Retry
}

// progress checks Corollary 2: "if … some correct client invokes contend, then with probability 1, some client's
// contend invocation returns". Owed are the clients that have invoked contend since the last return and not crashed.
type progress struct {
	Owed map[model.NodeID]bool
}

func (p *progress) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		w.Witness()
		p.Owed[o.Node] = true
	case model.Returned:
		clear(p.Owed)
	case model.Crashed:
		delete(p.Owed, o.Node)
	}
}

func (p *progress) Reached() bool { return len(p.Owed) == 0 }
