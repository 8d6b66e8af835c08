package ordering

import (
	"slices"

	"contend/model"
	"contend/model/variant"
)

// A setting is a start and the smallest known configuration in which a mutant shows.
type setting struct {
	begin func(*model.System) // nil: the initial state
	title string
	model.Config
}

var (
	one      = setting{Config: model.Config{N: 1}.With(Attempts.Is(1))}
	oneTwice = setting{Config: model.Config{N: 1}.With(Attempts.Is(2))}
	twoTwice = setting{Config: model.Config{N: 2}.With(Attempts.Is(2))}
	three    = setting{seed, "seeded", model.Config{N: 3}.With(Attempts.Is(1))}
	// again has one client with a second operation at servers that lag.
	again = setting{seed, "seeded", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(2))}
	// liar has quorums that intersect, but may be unavailable.
	liar      = setting{seed, "seeded", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(1))}
	liarTwice = setting{seed, "seeded", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(2))}
	lone      = setting{variant.All(seed, onlyFirst), "alone", model.Config{N: 3}.With(Attempts.Is(2))}
	// liarAgain has one client with a second operation among liars.
	liarAgain = setting{seed, "seeded", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(2))}
	loneLiar  = setting{variant.All(seed, onlyFirst), "alone", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(2))}
	divided   = setting{split, "split", model.Config{N: 3}.With(model.Clients.Is(3), Attempts.Is(1))}
	behind    = setting{lagging, "lagging", model.Config{N: 5, B: 1, Beyond: true}.With(model.Quorum.Is(4), model.Clients.Is(3), Attempts.Is(1))}
	returned  = setting{laggingReturns, "lagging-returns", model.Config{N: 5, B: 1, Beyond: true}.With(model.Quorum.Is(4), model.Clients.Is(3), Attempts.Is(1))}
	stable    = setting{stabilize, "stabilizing", model.Config{N: 1}.With(Attempts.Is(1))}
	// stableLiar has one client, and servers of which one lies.
	stableLiar = setting{stabilize, "stabilizing", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), model.Clients.Is(1), Attempts.Is(1))}
	race       = setting{racing, "racing", model.Config{N: 3}.With(Attempts.Is(2))}
	overdue    = setting{lateAnswer, "late-answer", model.Config{N: 3}.With(model.Clients.Is(3), Attempts.Is(1))}
	belated    = setting{lateCommit, "late-commit", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(1))}
	silent     = setting{variant.All(unanswered, stabilize), "unanswered, stabilizing", model.Config{N: 3}.With(Attempts.Is(1))}
)

// mutant returns a bug with the claim that it breaks, and its setting.
func mutant(name, title, breaks string, in setting, bug func(*model.System)) model.Variant {
	v := model.Variant{Name: name, Title: title, Breaks: breaks, Show: model.Check{Config: in.Config}, Edit: bug}
	if in.begin != nil {
		v.Title += "; " + in.title
		v.Edit = variant.All(bug, in.begin)
	}
	return v
}

var mutants = []model.Variant{
	mutant("propose-skipped", "line 2.26–28 is left out: get is followed by commit", "Theorem 1", three, page.Edit(`c.Phase + 1`, `Committing`)),
	mutant("propose-unawaited", "commit follows propose at once", "Theorem 1", three, page.Edit(`env.Broadcast(c.cfg.Servers, Propose{c.State, c.Rank})`,
		`env.Broadcast(c.cfg.Servers, Propose{c.State, c.Rank}); c.advance(env)`)),
	mutant("get-unchecked", "get does not check the rank", "Theorem 1", one, page.Edit(`m.Rank <= s.MaxRank`, `false`)),
	mutant("propose-unchecked", "propose does not check the rank", "Theorem 1", one,
		page.Edit(`if m.Rank < s.MaxRank { env.Send(c, RankException{Proposing`, `if false { env.Send(c, RankException{Proposing`)),
	mutant("commit-unchecked", "commit does not check the rank", "Theorem 1", oneTwice,
		page.Edit(`if m.Rank < s.MaxRank { env.Send(c, RankException{Committing`, `if false { env.Send(c, RankException{Committing`)),
	mutant("get-does-not-raise", "get does not raise maxRank", "Theorem 1", one, page.Edit(`s.MaxRank = m.Rank`, ``)),
	mutant("propose-does-not-raise", "propose does not raise maxRank", "Theorem 1", race, proposeKeepsRank),
	mutant("commit-does-not-raise", "commit does not raise maxRank", "Theorem 1", again, commitKeepsRank),
	mutant("get-quorum-small", "get waits for one server fewer", "Theorem 1", lone, variant.Setup(func(c *Config) { c.Get.Size-- })),
	mutant("propose-quorum-small", "propose waits for one server fewer", "Theorem 1", three, variant.Setup(func(c *Config) { c.Propose.Size-- })),
	mutant("commit-quorum-small", "commit waits for one server fewer", "Theorem 1", lone, variant.Setup(func(c *Config) { c.Commit.Size-- })),
	mutant("choose-by-version", "choose sorts by version alone", "Theorem 1", divided, page.Edit(`byProposer(b, a)`, `cmp.Compare(b.Proposed.Version, a.Proposed.Version)`,
		`byProposer(s, S[i+1]) == 0`, `s.Proposed.Version == S[i+1].Proposed.Version`)),
	mutant("choose-counts-versions", "choose counts versions, not states", "Theorem 1", behind, page.Edit(`count.add(s.Proposed)`, `count.addVersion(s.Proposed)`)),
	mutant("choose-set", "S in choose is a set, so servers that report the same pair count once", "Theorem 1", liar,
		page.Edit(`slices.SortStableFunc(S, func`, `S = distinct(S); slices.SortStableFunc(S, func`)),
	mutant("b-committed", "b servers are enough for σᶜ", "Theorem 1", loneLiar, variant.Setup(func(c *Config) { c.Least.Committed-- })),
	mutant("b-proposed", "b servers are enough for choose", "Theorem 1", loneLiar, variant.Setup(func(c *Config) { c.Least.Proposed-- })),
	mutant("b-completed", "b servers are enough for completed", "Theorem 1", liar, variant.Setup(func(c *Config) { c.Least.Completed-- })),
	mutant("b-pending", "b servers are enough for an operation to be pending", "Theorem 1", loneLiar, variant.Setup(func(c *Config) { c.Least.Pending-- })),
	mutant("b-result", "b servers are enough for a result", "Theorem 1, linearizable", loneLiar, variant.Setup(func(c *Config) { c.Least.Result-- })),
	mutant("results-set", "V₁ is a set of results, so servers with the same result count once", "Theorem 2, bounded", stableLiar,
		page.Edit(`same >= c.cfg.Least.Result`, `min(same, 1) >= c.cfg.Least.Result`)),
	mutant("completed-at-least", "line 2.18 has ≥ v instead of > v", "Theorem 1", three,
		page.Edit(`versions[c.cfg.Least.Completed-1] - 1`, `versions[c.cfg.Least.Completed-1]`)),
	mutant("completed-not-kept", "line 2.17 forgets what was known to be complete", "Theorem 2, bounded", stable,
		page.Edit(`max(c.Completed, c.completed(c.Answers))`, `max(0, c.completed(c.Answers))`)),
	mutant("completed-early", "completed is set when commit begins", "Line 2.25", liarTwice, page.Edit(`env.Broadcast(c.cfg.Servers, Commit{c.State, c.Rank})`,
		`env.Broadcast(c.cfg.Servers, Commit{c.State, c.Rank}); c.Completed = max(c.Completed, c.State.Version)`)),
	mutant("completed-very-early", "completed is set when propose begins", "Theorem 1", liarTwice, page.Edit(`env.Broadcast(c.cfg.Servers, Propose{c.State, c.Rank})`,
		`env.Broadcast(c.cfg.Servers, Propose{c.State, c.Rank}); c.Completed = max(c.Completed, c.State.Version)`)),
	mutant("completed-not-raised", "line 2.32 is left out", "Theorem 2, bounded", stable, page.Edit(`c.Completed = max(c.Completed, c.State.Version)`, ``)),
	mutant("branches-swapped", "lines 2.19–20 and 2.21–22 are swapped", "Theorem 1", behind, page.Edit(
		`case σᶜ.Defined() && σᶜ.Version > c.Completed: return σᶜ, false
		case σᵖᶜ.Defined() && σᵖᶜ.Version > c.Completed: return σᵖᶜ, false`,
		`case σᵖᶜ.Defined() && σᵖᶜ.Version > c.Completed:
			return σᵖᶜ, false
		case σᶜ.Defined() && σᶜ.Version > c.Completed:
			return σᶜ, false`)),
	mutant("no-committed-branch", "lines 2.19–20 are left out", "Theorem 1", behind,
		page.Edit(`case σᶜ.Defined() && σᶜ.Version > c.Completed: return σᶜ, false`, ``)),
	mutant("no-proposed-branch", "lines 2.21–22 are left out", "Theorem 1", three,
		page.Edit(`case σᵖᶜ.Defined() && σᵖᶜ.Version > c.Completed: return σᵖᶜ, false`, ``)),
	mutant("extends-proposed", "line 2.25 applies operations to σᵖᶜ", "Theorem 1", returned, extendingProposed),
	mutant("applies-again", "line 2.47 does not check whether σ′ reflects o", "Theorem 1", twoTwice, page.Edit(`if !next.Reflects(o.Label) {`, `if true {`)),
	mutant("earlier-acks", "propose and commit count answers to an earlier passage", "Line 2.25", liarTwice, takingEarlierAcks),
	mutant("acks-mixed", "commit counts the answers to propose", "Theorem 1", lone,
		page.Edit(`c.awaits(u, m.Phase, m.Rank) && m.Phase != Getting`, `c.awaits(u, c.Phase, m.Rank) && c.Phase != Getting`)),
	mutant("responses-overwritten", "line 3.24 keeps only the latest responses", "Theorem 2, bounded", silent,
		page.Edit(`maps.Copy(s.Responses, m.State.Responses)`, `clear(s.Responses); maps.Copy(s.Responses, m.State.Responses)`)),
	mutant("responds-early", "a server responds as soon as a state is proposed", "Theorem 1", one, page.Edit(`env.Send(c, Done{Proposing, m.Rank})`,
		`env.Send(c, Done{Proposing, m.Rank}); maps.Copy(s.Responses, m.State.Responses); s.wake(env)`)),
	mutant("never-aborts", "a client keeps waiting, however many RankExceptions it gets", "Theorem 2, reliable", stable, variant.Setup(func(c *Config) { c.Least.Refusals = len(c.Servers) + 1 })),
}

// Edits that tests use, too.
var (
	proposeKeepsRank  = page.Edit(`s.MaxRank, s.Proposer = m.Rank, m.Rank`, `s.Proposer = m.Rank`)
	commitKeepsRank   = page.Edit(`s.MaxRank, s.Committed = m.Rank, m.State`, `s.Committed = m.State`)
	extendingProposed = page.Edit(`return σᶜ, true`, `if σᵖᶜ.Defined() { return σᵖᶜ, true }; return σᶜ, true`)
	takingEarlierAcks = page.Edit(`c.awaits(u, m.Phase, m.Rank) && m.Phase != Getting`, `c.awaits(u, m.Phase, c.Rank) && m.Phase != Getting`)
)

// addVersion counts a state as equal to any state of its version.
func (v *votes) addVersion(s State) {
	i := slices.IndexFunc(*v, func(is vote) bool { return is.state.Version == s.Version })
	if i < 0 {
		v.add(s)
		return
	}
	(*v)[i].count++
}

// distinct returns the pairs without duplicates.
func distinct(S []Got) []Got {
	var set []Got
	for _, g := range S {
		if !slices.ContainsFunc(set, func(h Got) bool { return g.Proposer == h.Proposer && g.Proposed.Equal(h.Proposed) }) {
			set = append(set, g)
		}
	}
	return set
}
