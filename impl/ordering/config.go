package ordering

import (
	"contend/model"
	"contend/model/quorum"
)

// Config is what clients and servers of one system share. The functions and numbers
// that variants edit are the paper's unless they say otherwise.
type Config struct {
	Servers     []model.NodeID // U
	FirstClient model.NodeID
	RankBits    int // the low-order bits of a rank that hold the client
	Byzantine   int // b: how many servers may lie, whatever a mutant does to Least

	// Quorums is 𝒬. A mutant may think a set a quorum that is not, in one phase.
	Quorums              quorum.Threshold
	Get, Propose, Commit quorum.Threshold
	Submit               quorum.Threshold // what Q₁ is drawn from
	Least                Least

	// Enough reports whether a phase has heard from a quorum, and goes on.
	Enough func(env model.Env, q quorum.Threshold, heard int) bool
	// Told is the rank to go above of those that RankExceptions reported.
	Told func(reported []Rank) Rank
	// Raise is the rank of a client's next passage, from its present rank and the one
	// to go above, 0 if none was reported.
	Raise func(own, told Rank, client model.NodeID) Rank
	// Reach is where an operation is submitted to: Q₁, a random quorum.
	Reach func(env model.Env, o Op) []model.NodeID
	// Following is the phase after one of a passage.
	Following func(p Phase) Phase
	// Decide is lines 2.19–25: the state to propose, or, when extend is true, the one
	// to apply pending operations to.
	Decide func(σᶜ, σᵖᶜ State, completed int) (σ State, extend bool)
	// Skips reports whether line 2.25 is left out when so many of the pending
	// operations are new.
	Skips func(fresh int) bool
	// Pairs are the entries of S in choose. Order and Count are how it sorts them, and
	// what it counts as one state.
	Pairs func(S []Got) []Got
	Order func(a, b Got) int
	Count func(v *votes, s State)
	// Below is the version that is complete when a correct server has a proposal of
	// this version: line 2.18.
	Below    func(version int) int
	Reflects func(s State, o Label) bool
	// Learned and Concluded are lines 2.17 and 2.32: both take the larger.
	Learned, Concluded func(completed, version int) int
	// Successor is the state that apply begins with.
	Successor func(s State) State

	// Lies are extremes that Byzantine servers report besides what is near.
	Lies Lies
}

// Least is how many servers must agree: b+1, so that one of them is correct.
type Least struct {
	Result    int // line 2.5
	Committed int // 2.14
	Proposed  int // 2.44
	Completed int // 2.18
	Pending   int // 2.24
	Refusals  int // §6.2
}

// Lies are ranks and versions for Byzantine servers to report.
type Lies struct {
	Ranks    []Rank
	Versions []int
}

// printed is the protocol as printed.
func printed(servers []model.NodeID, clients int, q quorum.Threshold, b int) *Config {
	c := &Config{
		Servers: servers, FirstClient: model.NodeID(len(servers)), Byzantine: b,
		Quorums: q, Get: q, Propose: q, Commit: q, Submit: q,
		Least:     Least{b + 1, b + 1, b + 1, b + 1, b + 1, b + 1},
		Enough:    func(_ model.Env, q quorum.Threshold, heard int) bool { return q.Contained(heard) },
		Told:      highest,
		Following: func(p Phase) Phase { return p + 1 },
		Decide:    decide,
		Skips:     func(int) bool { return false },
		Pairs:     func(S []Got) []Got { return S },
		Order:     byProposer,
		Count:     (*votes).add,
		Below:     func(version int) int { return version - 1 },
		Reflects:  State.Reflects,
		Successor: State.successor,
		Learned:   larger,
		Concluded: larger,
	}
	c.Raise = func(own, told Rank, client model.NodeID) Rank { return c.above(max(own, told), client) }
	for 1<<c.RankBits < clients {
		c.RankBits++
	}
	c.Reach = func(env model.Env, _ Op) []model.NodeID {
		n := c.Submit.Quorums()
		if n == 1 {
			return servers
		}
		members := c.Submit.Quorum(env.Draw(n)) // "Q₁ ←R 𝒬"
		ids := make([]model.NodeID, len(members))
		for i, m := range members {
			ids[i] = servers[m]
		}
		return ids
	}
	return c
}

func larger(completed, version int) int { return max(completed, version) }
