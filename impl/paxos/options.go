package paxos

import (
	"contend/model"
	"contend/model/variant"
)

// options are known optimizations, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "flexible", Title: "all acceptors must promise, and one vote is enough: each quorum of the one kind meets each of the other",
		Edit: define(flexible{}), Unclaimed: []string{chosen, "only what is chosen is learned", "a value is chosen"},
		Show: model.Check{Config: sized(2, 2, 2)},
	},
	{
		Name: "first-skips", Title: "the leader of ballot 0 proposes at once: no vote can be in a lower one",
		Edit: variant.Nodes(func(l Leader) model.Node { return &skippingLeader{l} }),
	},
	{
		Name: "ballot-repeated", Title: "a leader that comes back conducts the same ballot again: no acceptor promises it twice",
		Edit: forgetBallots, Show: model.Check{Config: variant.Faulty(sized(3, 1, 0), model.Faults{Restarts: 1}), Claims: []string{chosen}},
	},
	{
		Name: "promises-again", Title: "an acceptor promises a ballot again that it has promised",
		Edit: define(promisesAgain{}), Show: model.Check{Config: variant.Faulty(sized(3, 2, 0), model.Faults{Duplication: 1}), Claims: []string{chosen}},
	},
}

type flexible struct{ Spec }

// Promised requires all acceptors.
func (flexible) Promised(cfg *Config, acceptors int) bool { return acceptors == len(cfg.Acceptors) }

// Voted returns true after one vote.
func (flexible) Voted(*Config, int) bool { return true }

type skippingLeader struct{ Leader }

// Timeout of ballot 0 implements Phase2a(0, v), for any v.
func (l *skippingLeader) Timeout(env model.Env, alarm any) {
	if l.ballot > 0 {
		l.Leader.Timeout(env, alarm)
		return
	}
	l.Begun, l.Proposed = true, true
	v := env.Choose(l.cfg.Values)
	env.Note(Proposed{v})
	env.Broadcast(l.cfg.Acceptors, Phase2a{Vote{l.ballot, v}})
}

type promisesAgain struct{ Spec }

// MayPromise allows the same ballot again.
func (promisesAgain) MayPromise(a *Acceptor, ballot int) bool { return ballot >= a.MaxBal.Or(-1) }

// forgetBallots restarts leaders without their memory.
func forgetBallots(s *model.System) {
	variant.Nodes(func(l Leader) model.Node { return &forgetfulLeader{l} })(s)
	for _, id := range s.Setup.(*Config).Leaders {
		s.Nodes[id].Crash = model.CrashRecovery
	}
}

type forgetfulLeader struct{ Leader }

// Start clears the leader's stable storage.
func (l *forgetfulLeader) Start(env model.Env) {
	l.Begun, l.Proposed = false, false
	l.Leader.Start(env)
}
