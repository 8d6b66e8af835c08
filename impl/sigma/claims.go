package sigma

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/claims"
)

const proofs = "docs/proofs/sigma.md#"

// The assumptions of claims. Channels are quasi-reliable. They deliver a message twice only after a crash
// ([model.AtMostOnce]). Between nodes that stay up they lose no message.
var (
	always  = []model.Assumption{model.AtMostOnce}
	nobody  = []model.Assumption{model.AtMostOnce, model.NoCrash}
	live    = []model.Assumption{model.AtMostOnce, model.NoLoss}
	forever = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCut}
)

var claimed = slices.Concat([]model.Claim{
	mutex.Exclusion(paper+", Theorem 1", proofs+"theorem-1", always...),
	mutex.Linearizable(paper+", Theorem 1", proofs+"theorem-1", nobody...),
	claims.Vacuous(mutex.DeadlockFreedom(paper+", Lemma 8", proofs+"lemma-8", live...),
		func(s *model.System) bool { return setup(s).Periodically }, "servers send CHECKs again and again, so no run stops"),
	mutex.Granted(paper+", Theorem 2", proofs+"theorem-2", forever...),
}, safety, liveness)

// safety are the lemmas about states that never occur.
var safety = []model.Claim{
	watched("Lemma 1", "lemma-1", nil, func(*model.System) model.Monitor { return &wellFormed{} }),
	watched("Lemma 2", "lemma-2", always, watchOverlap(false, lemma2)),
	claims.Vacuous(watched("Lemma 2, Claim 1", "lemma-2", always, func(*model.System) model.Monitor { return &claim1{} }),
		func(s *model.System) bool { return s.Config.N == 1 }, "the only server's support lets its owner in, which never yields"),
	watched("Lemma 3", "lemma-3", always, watchOverlap(false, lemma3)),
	watched("Lemma 4", "lemma-4", always, watchOverlap(true, lemma4)),
	{
		Name: "support is held", Kind: model.Always, Source: paper + ", proofs of Lemmas 2 and 6", Proof: proofs + "support-is-a-token",
		Assumes: []model.Assumption{model.AtMostOnce, model.NoMemoryLoss}, Invariant: supportHeld,
	},
	invariant("Proposition 1", "proposition-1", proposition1),
	invariant("Proposition 2 (a)", "proposition-2", proposition2a),
	invariant("Proposition 2 (b)", "proposition-2", proposition2b),
	watched("Proposition 3", "proposition-3", always, func(*model.System) model.Monitor { return &yields{} }),
	watched("Lemma 6", "lemma-6", always, func(*model.System) model.Monitor { return &yields{lemma6: true} }),
	watched("Theorem 2, overtaking", "theorem-2", []model.Assumption{model.AtMostOnce, model.NoMemoryLoss},
		func(s *model.System) model.Monitor { return &overtaking{servers: s.Config.N} }),
	highLoad(),
}

// liveness are the lemmas about events that occur at some time.
var liveness = []model.Claim{
	comes("Lemma 5", "lemma-5", func(*model.System) model.Monitor { return &obsolete{} }),
	comes("Lemma 7, first client", "lemma-7", watchAnswered(func(all []model.NodeID) model.NodeID { return all[0] })),
	comes("Lemma 7, last client", "lemma-7", watchAnswered(func(all []model.NodeID) model.NodeID { return all[len(all)-1] })),
	comes("Lemma 8", "lemma-8", func(*model.System) model.Monitor { return &progress{} }),
	comes("Lemma 9", "lemma-9", func(*model.System) model.Monitor { return &leaving{} }),
}

func watched(name, anchor string, assumes []model.Assumption, monitor func(*model.System) model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Source: paper, Proof: proofs + anchor, Assumes: assumes, Monitor: monitor}
}

func invariant(name, anchor string, judge func(*Server) error) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Source: paper, Proof: proofs + anchor, Invariant: servers(judge)}
}

func comes(name, anchor string, monitor func(*model.System) model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: model.Eventually, Source: paper, Proof: proofs + anchor, Assumes: forever, Monitor: monitor}
}

// highLoad returns a claim that is searched apart, with one request of each client. Its count has no bound.
func highLoad() model.Claim {
	c := watched("Section 4.2, 5n messages", "performance", nobody, func(s *model.System) model.Monitor {
		return &rounds{n: s.Config.N, m: M.Of(s.Config)}
	})
	c.Source = paper + " §4.2, 'could be 5n in high load cases', read as a bound"
	c.Apart = func(c model.Check) model.Check {
		c.Config = c.Config.With(model.Ops.Is(1))
		return c
	}
	return c
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }
