package paxos

import (
	"slices"

	"contend/impl/ballots"
	"contend/model"
)

// Definitions are the definitions that the actions use. A variant overrides one, like "<-" in a configuration of TLC.
// It embeds [Spec], and has one method of its own.
type Definitions interface {
	Promised(cfg *Config, acceptors int) bool
	Safe(promises map[model.NodeID]model.Optional[Vote]) (value int, bound bool)
	MayPromise(a *Acceptor, ballot int) bool
	MayVote(a *Acceptor, ballot int) bool
	Raised(a *Acceptor, ballot int) model.Optional[int]
	Counted(v Vote) Vote
	Voted(cfg *Config, acceptors int) bool
}

// Spec has the definitions of Paxos.tla.
type Spec struct{}

// Promised reports whether so many acceptors are a quorum: here a majority.
func (Spec) Promised(cfg *Config, acceptors int) bool {
	return ballots.Majority(acceptors, cfg.Acceptors)
}

// Safe returns the value of the vote with the highest ballot, the maximum of Q1bv. If the promises contain no vote,
// bound is false.
func (Spec) Safe(promises map[model.NodeID]model.Optional[Vote]) (value int, bound bool) {
	var max Vote
	for _, p := range promises {
		if p.Known && (!bound || p.Value.Ballot > max.Ballot) {
			max, bound = p.Value, true
		}
	}
	return max.Value, bound
}

// MayPromise reports whether the ballot is higher than maxBal.
func (Spec) MayPromise(a *Acceptor, ballot int) bool { return ballot > a.MaxBal.Or(-1) }

// MayVote reports whether the ballot is at least maxBal.
func (Spec) MayVote(a *Acceptor, ballot int) bool { return ballot >= a.MaxBal.Or(-1) }

// Raised returns maxBal after a vote.
func (Spec) Raised(_ *Acceptor, ballot int) model.Optional[int] { return model.Some(ballot) }

// Counted returns the key by which a learner counts a vote: its ballot and value.
func (Spec) Counted(v Vote) Vote { return v }

// Voted reports whether so many acceptors are a quorum.
func (Spec) Voted(cfg *Config, acceptors int) bool { return ballots.Majority(acceptors, cfg.Acceptors) }

// insert returns a sorted set of acceptors with another acceptor.
func insert(acceptors []model.NodeID, acc model.NodeID) []model.NodeID {
	at, found := slices.BinarySearch(acceptors, acc)
	if found {
		return acceptors
	}
	return slices.Insert(slices.Clone(acceptors), at, acc)
}
