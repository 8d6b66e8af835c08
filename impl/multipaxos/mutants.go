package multipaxos

import (
	"contend/impl/ballots"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "own-command", Title: "a new leader proposes its own commands, whatever the acceptors have voted for",
		Breaks: chosen, Show: show(3, 2, 1), Edit: define(ownCommand{}),
	},
	{
		Name: "fills-all", Title: "a new leader takes every instance for a gap",
		Breaks: chosen, Show: show(3, 2, 1), Edit: define(fillsAll{}),
	},
	{
		Name: "gaps-left", Title: "a new leader leaves gaps, and goes on after the last instance in which somebody has voted",
		Breaks: progress, Show: model.Check{Config: sized(1, 2, 2, 1)}, Edit: define(gapsLeft{}),
	},
	{
		Name: "last-instance-told", Title: "a promise tells of the vote in the last instance alone",
		Breaks: chosen, Show: show(3, 2, 2), Edit: define(lastInstanceTold{}),
	},
	{
		Name: "promises-where-voted", Title: "a promise binds an acceptor only in instances in which it has voted",
		Breaks: chosen, Show: show(3, 2, 1), Edit: define(promisesWhereVoted{}),
	},
	{
		Name: "no-phase-1", Title: "a leader that takes over goes on with phase 2 at once",
		Breaks: chosen, Show: show(3, 2, 1), Edit: variant.Nodes(func(l Leader) model.Node { return &hastyLeader{l} }),
	},
	{
		// Ballot 0 must have votes without choosing a command. Ballot 1 must choose another command. Ballot 2 must
		// receive votes of both.
		Name: "any-vote", Title: "a leader proposes the command of some vote, not of that with the highest ballot",
		Breaks: chosen, Show: show(3, 3, 1), Edit: define(anyVote{}),
	},
	{
		Name: "one-promise-short", Title: "phase 1 is over when one promise is missing to a quorum",
		Breaks: chosen, Show: show(3, 2, 1), Edit: define(onePromiseShort{}),
	},
	{
		Name: "votes-late", Title: "an acceptor votes in a ballot below one that it has promised",
		Breaks: chosen, Show: show(3, 2, 1), Edit: define(votesLate{}),
	},
	{
		Name: "promises-late", Title: "an acceptor promises a ballot below one that it has promised",
		Breaks: chosen, Show: show(3, 2, 1), Edit: define(promisesLate{}),
	},
	{
		Name: "reuses-instances", Title: "a leader that comes back begins with the first instance again",
		Breaks: chosen, Show: restarts(3, 2, 1), Edit: func(s *model.System) {
			variant.Nodes(func(l Leader) model.Node { return &forgetfulLeader{l} })(s)
			cfg := s.Setup.(*Config)
			s.Nodes[cfg.Leaders[1]].Crash = model.CrashRecovery
			for _, id := range cfg.Acceptors {
				s.Nodes[id].Crash = model.NoCrashes
			}
		},
	},
	{
		Name: "fills-too-far", Title: "a new leader proposes a no-op in one instance more than there may be votes in",
		Breaks: validity, Show: show(1, 2, 2), Edit: define(fillsTooFar{}),
	},
	{
		Name: "mixes-instances", Title: "a learner counts votes for one command, in whatever instances",
		Breaks: learned, Show: model.Check{Config: sized(3, 1, 2, 1)}, Edit: define(mixesInstances{}),
	},
	{
		Name: "executes-over-gaps", Title: "a learner executes what it has learned, though it has not learned an earlier instance",
		Breaks: order, Show: model.Check{Config: sized(1, 1, 2, 1)}, Edit: define(executesOverGaps{}),
	},
}

func show(n, ballots, instances int) model.Check {
	return model.Check{Config: sized(n, ballots, instances, 0)}
}

func restarts(n, ballots, instances int) model.Check {
	return model.Check{Config: variant.Faulty(sized(n, ballots, instances, 0), model.Faults{Restarts: 1})}
}

type ownCommand struct{ Spec }

// Safe returns the leader's own command.
func (ownCommand) Safe(l *Leader, _ int) (Command, bool) { return l.command(), true }

type fillsAll struct{ Spec }

// Safe ignores the promises.
func (fillsAll) Safe(*Leader, int) (Command, bool) { return 0, false }

type gapsLeft struct{ Spec }

// Fills returns false.
func (gapsLeft) Fills(*Leader) (Command, bool) { return 0, false }

type lastInstanceTold struct{ Spec }

// Told returns only the vote in the last instance.
func (lastInstanceTold) Told(a *Acceptor) map[int]Vote {
	last := 0
	for instance := range a.Votes {
		last = max(last, instance)
	}
	if last == 0 {
		return nil
	}
	return map[int]Vote{last: a.Votes[last]}
}

type promisesWhereVoted struct{ Spec }

// MayVote ignores promises in instances without a vote.
func (p promisesWhereVoted) MayVote(a *Acceptor, instance, ballot int) bool {
	_, voted := a.Votes[instance]
	return !voted || p.Spec.MayVote(a, instance, ballot)
}

type hastyLeader struct{ Leader }

// Start skips phase 1.
func (l *hastyLeader) Start(env model.Env) {
	if !l.Prepared {
		l.Begun, l.Prepared, l.Next = true, true, 1
	}
	l.Leader.Start(env)
}

type anyVote struct{ Spec }

// Safe takes the vote with the lowest ballot.
func (anyVote) Safe(l *Leader, instance int) (Command, bool) {
	var min Vote
	bound := false
	for _, votes := range l.Promises {
		if v, voted := votes[instance]; voted && (!bound || v.Ballot < min.Ballot) {
			min, bound = v, true
		}
	}
	return min.Command, bound
}

type onePromiseShort struct{ Spec }

// Promised accepts one promise less.
func (onePromiseShort) Promised(cfg *Config, acceptors int) bool {
	return ballots.Majority(acceptors+1, cfg.Acceptors)
}

type votesLate struct{ Spec }

// MayVote returns true for any ballot.
func (votesLate) MayVote(*Acceptor, int, int) bool { return true }

type promisesLate struct{ Spec }

// MayPromise returns true for any ballot.
func (promisesLate) MayPromise(*Acceptor, int) bool { return true }

type forgetfulLeader struct{ Leader }

// Start resets the next instance to the first.
func (l *forgetfulLeader) Start(env model.Env) {
	l.Next = 1
	l.Leader.Start(env)
}

type fillsTooFar struct{ Spec }

// Last returns one instance more.
func (f fillsTooFar) Last(l *Leader) int { return min(f.Spec.Last(l)+1, l.cfg.Instances) }

type mixesInstances struct{ Spec }

// Counted ignores the instance.
func (mixesInstances) Counted(m Phase2b) Phase2b { return Phase2b{0, m.Vote} }

type executesOverGaps struct{ Spec }

// Executes returns the next learned instance, also after a gap.
func (executesOverGaps) Executes(l *Learner) int {
	next := 0
	for instance := range l.Learned {
		if instance > l.Executed && (next == 0 || instance < next) {
			next = instance
		}
	}
	return next
}
