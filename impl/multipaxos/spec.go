package multipaxos

import (
	"contend/impl/ballots"
	"maps"
)

// Definitions are what the actions are made of. A variant overrides one, as "<-" does in a
// configuration of TLC: it embeds [Spec], and has one method of its own.
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

// Last is the last instance in which an acceptor that has promised has voted, or 0.
func (Spec) Last(l *Leader) int {
	last := 0
	for _, votes := range l.Promises {
		for instance := range votes {
			last = max(last, instance)
		}
	}
	return last
}

// Safe is the command to propose in an instance, if the promises bind the leader to one: that of the vote with the
// highest ballot, Bmax.
func (Spec) Safe(l *Leader, instance int) (c Command, bound bool) {
	v, bound := l.highest(instance)
	return v.Command, bound
}

// Fills is the command for a gap, an instance in which nothing binds the leader, below one in which something does: a
// no-op.
func (Spec) Fills(*Leader) (c Command, fills bool) { return NoOp, true }

// highest is the vote with the highest ballot that the promises tell of.
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

// Told are the votes that a promise tells of: PartialBmax(voteds(a)), the last in each instance.
func (Spec) Told(a *Acceptor) map[int]Vote { return maps.Clone(a.Votes) }

// MayVote reports whether the ballot is at least maxBal.
func (Spec) MayVote(a *Acceptor, _, ballot int) bool { return ballot >= a.MaxBal.Or(-1) }

// Counted is what a learner counts a vote for: its instance, ballot and command.
func (Spec) Counted(m Phase2b) Phase2b { return m }

// Voted reports whether so many acceptors are a quorum.
func (Spec) Voted(cfg *Config, acceptors int) bool { return ballots.Majority(acceptors, cfg.Acceptors) }

// Executes is the instance that a learner executes next, or 0 where it has not learned it.
func (Spec) Executes(l *Learner) int {
	if _, learned := l.Learned[l.Executed+1]; learned {
		return l.Executed + 1
	}
	return 0
}
