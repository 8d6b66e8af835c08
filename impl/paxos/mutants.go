package paxos

import (
	"contend/impl/ballots"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		// Ballot 0 must have votes without choosing a value. Ballot 1 must choose another value. Ballot 2 must receive
		// votes of both.
		Name: "any-vote", Title: "published: a leader proposes the value of some vote, not of that with the highest ballot",
		Breaks: chosen, Show: show(3, 3), Edit: define(anyVote{}),
	},
	{
		Name: "own-value", Title: "a leader proposes its own value, whatever the acceptors have voted for",
		Breaks: chosen, Show: show(3, 2), Edit: define(ownValue{}),
	},
	{
		Name: "one-promise-short", Title: "a leader proposes when one promise is missing to a quorum",
		Breaks: chosen, Show: show(3, 2), Edit: define(onePromiseShort{}),
	},
	{
		Name: "votes-late", Title: "an acceptor votes in a ballot below one that it has promised",
		Breaks: chosen, Show: show(3, 2), Edit: define(votesLate{}),
	},
	{
		Name: "promises-late", Title: "an acceptor promises a ballot below one that it has promised",
		Breaks: chosen, Show: show(3, 2), Edit: define(promisesLate{}),
	},
	{
		// The acceptor must then vote in a lower ballot. A third ballot must learn of that vote alone.
		Name: "not-raised", Title: "an acceptor that votes does not raise maxBal; ballot 0 skips its first phase",
		Breaks: chosen, Show: show(3, 3), Edit: variant.All(define(notRaised{}), variant.Nodes(func(l Leader) model.Node { return &skippingLeader{l} })),
	},
	{
		Name: "promise-forgotten", Title: "maxBal is not in stable storage",
		Breaks: chosen, Show: restarts(3, 2), Edit: func(s *model.System) {
			variant.Nodes(func(a Acceptor) model.Node { return &promiseForgotten{a} })(s)
			for i := 1; i < s.Config.N; i++ {
				s.Nodes[i].Crash = model.NoCrashes // one acceptor without stable storage is enough
			}
		},
	},
	{
		Name: "vote-forgotten", Title: "maxVBal and maxVal are not in stable storage",
		Breaks: chosen, Show: restarts(3, 2), Edit: variant.Nodes(func(a Acceptor) model.Node { return &voteForgotten{a} }),
	},
	{
		Name: "ballot-forgotten", Title: "a leader that comes back conducts the same ballot again, and acceptors promise it again",
		Breaks: chosen, Show: restarts(3, 1), Edit: variant.All(define(promisesAgain{}), forgetBallots),
	},
	{
		Name: "mixes-ballots", Title: "a learner counts the votes for a value, in whatever ballots",
		Breaks: "only what is chosen is learned", Show: model.Check{Config: sized(3, 2, 1)}, Edit: define(mixesBallots{}),
	},
	{
		Name: "first-vote-learned", Title: "a learner learns the first value that an acceptor has voted for",
		Breaks: "uniform agreement", Show: model.Check{Config: sized(3, 2, 2)}, Edit: define(firstVoteLearned{}),
	},
	{
		Name: "waits-for-all", Title: "a learner waits for the votes of all acceptors",
		Breaks: enough, Show: model.Check{Config: sized(3, 1, 1)}, Edit: define(waitsForAll{}),
	},
	{
		Name: "zero-is-a-vote", Title: "an acceptor that has not voted reports a vote for value 0",
		Breaks: "validity", Show: show(1, 1), Edit: define(zeroIsAVote{}),
	},
}

func show(n, ballots int) model.Check { return model.Check{Config: sized(n, ballots, 0)} }

func restarts(n, ballots int) model.Check {
	return model.Check{Config: variant.Faulty(sized(n, ballots, 0), model.Faults{Restarts: 1})}
}

type anyVote struct{ Spec }

// Safe takes the vote with the lowest ballot.
func (anyVote) Safe(promises map[model.NodeID]model.Optional[Vote]) (value int, bound bool) {
	var min Vote
	for _, p := range promises {
		if p.Known && (!bound || p.Value.Ballot < min.Ballot) {
			min, bound = p.Value, true
		}
	}
	return min.Value, bound
}

type ownValue struct{ Spec }

// Safe ignores the promises.
func (ownValue) Safe(map[model.NodeID]model.Optional[Vote]) (int, bool) { return 0, false }

type onePromiseShort struct{ Spec }

// Promised accepts one promise less.
func (onePromiseShort) Promised(cfg *Config, acceptors int) bool {
	return ballots.Majority(acceptors+1, cfg.Acceptors)
}

type votesLate struct{ Spec }

// MayVote returns true for any ballot.
func (votesLate) MayVote(*Acceptor, int) bool { return true }

type promisesLate struct{ Spec }

// MayPromise returns true for any ballot.
func (promisesLate) MayPromise(*Acceptor, int) bool { return true }

type notRaised struct{ Spec }

// Raised leaves maxBal unchanged.
func (notRaised) Raised(a *Acceptor, _ int) model.Optional[int] { return a.MaxBal }

type promiseForgotten struct{ Acceptor }

// Start clears maxBal.
func (a *promiseForgotten) Start(model.Env) { a.MaxBal = model.Optional[int]{} }

type voteForgotten struct{ Acceptor }

// Start clears the last vote.
func (a *voteForgotten) Start(model.Env) { a.Max = model.Optional[Vote]{} }

type mixesBallots struct{ Spec }

// Counted ignores the ballot.
func (mixesBallots) Counted(v Vote) Vote { return Vote{0, v.Value} }

type firstVoteLearned struct{ Spec }

// Voted returns true after one vote.
func (firstVoteLearned) Voted(*Config, int) bool { return true }

type waitsForAll struct{ Spec }

// Voted returns true after the votes of all acceptors.
func (waitsForAll) Voted(cfg *Config, acceptors int) bool { return acceptors == len(cfg.Acceptors) }

type zeroIsAVote struct{ Spec }

// Safe takes a missing vote for a vote for value 0.
func (zeroIsAVote) Safe(promises map[model.NodeID]model.Optional[Vote]) (int, bool) {
	v, _ := Spec{}.Safe(promises)
	return v, true
}
