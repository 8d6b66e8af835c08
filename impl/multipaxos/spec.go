package multipaxos

import (
	"contend/impl/ballots"
	"maps"
)

// Definitions are the definitions that the actions use. A variant overrides one, like "<-" in a configuration of TLC.
// It embeds [Spec], and has one method of its own.
type Definitions interface {
	Promised(cfg *Config, acceptors int) bool
	Last(l *Leader) int
	Safe(l *Leader, instance int) (c Command, bound bool)
	Fills(l *Leader) (c Command, fills bool)
	MayPromise(a *Acceptor, ballot int) bool
	Told(a *Acceptor) map[int]Vote
	MayVote(a *Acceptor, instance, ballot int) bool
	Counted(m Phase2b) Phase2b
	Voted(cfg *Config, acceptors int) bool
	Executes(l *Learner) int
}

// Spec has the definitions of Paxos Made Simple and MultiPaxosUs.tla.
type Spec struct{}

// Promised reports whether so many acceptors are a quorum: here a majority.
func (Spec) Promised(cfg *Config, acceptors int) bool {
	return ballots.Majority(acceptors, cfg.Acceptors)
}

// Last returns the last instance with a vote in the promises, or 0.
func (Spec) Last(l *Leader) int {
	last := 0
	for _, votes := range l.Promises {
		for instance := range votes {
			last = max(last, instance)
		}
	}
	return last
}

// Safe returns the command of the vote with the highest ballot, Bmax, in an instance. If the promises contain no vote
// there, bound is false.
func (Spec) Safe(l *Leader, instance int) (c Command, bound bool) {
	v, bound := l.highest(instance)
	return v.Command, bound
}

// Fills returns the command for a gap: a no-op. A gap is an instance without a vote, below an instance with one.
func (Spec) Fills(*Leader) (c Command, fills bool) { return NoOp, true }

// highest returns the vote in the promises with the highest ballot in an instance.
func (l *Leader) highest(instance int) (max Vote, is bool) {
	for _, votes := range l.Promises {
		if v, voted := votes[instance]; voted && (!is || v.Ballot > max.Ballot) {
			max, is = v, true
		}
	}
	return max, is
}

// MayPromise reports whether the ballot is higher than maxBal.
func (Spec) MayPromise(a *Acceptor, ballot int) bool { return ballot > a.MaxBal.Or(-1) }

// Told returns the votes of a promise: PartialBmax(voteds(a)), the last vote in each instance.
func (Spec) Told(a *Acceptor) map[int]Vote { return maps.Clone(a.Votes) }

// MayVote reports whether the ballot is at least maxBal.
func (Spec) MayVote(a *Acceptor, _, ballot int) bool { return ballot >= a.MaxBal.Or(-1) }

// Counted returns the key by which a learner counts a vote: its instance, ballot and command.
func (Spec) Counted(m Phase2b) Phase2b { return m }

// Voted reports whether so many acceptors are a quorum.
func (Spec) Voted(cfg *Config, acceptors int) bool { return ballots.Majority(acceptors, cfg.Acceptors) }

// Executes returns the next instance to execute, or 0 if it is not learned.
func (Spec) Executes(l *Learner) int {
	if _, learned := l.Learned[l.Executed+1]; learned {
		return l.Executed + 1
	}
	return 0
}
