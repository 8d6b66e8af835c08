package multipaxos

import (
	"contend/model"
	"contend/model/variant"
)

// options are different readings of the sources, known optimizations, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "gaps-for-commands", Title: "reading (MultiPaxos.tla): a leader fills a gap with the next command, not with a no-op",
		Edit: define(gapsForCommands{}), Unclaimed: []string{gap}, Show: model.Check{Config: sized(1, 2, 2, 1)},
	},
	{
		Name: "first-skips", Title: "the leader of ballot 0 has no phase 1: no vote can be in a lower one",
		Edit: variant.Nodes(func(l Leader) model.Node { return &skippingLeader{l} }), Show: model.Check{Config: sized(3, 2, 2, 0), Claims: []string{chosen, validity}},
	},
	{
		Name: "flexible", Title: "all acceptors must promise, and one vote is enough: each quorum of the one kind meets each of the other",
		Edit: define(flexible{}), Unclaimed: []string{chosen, learned}, Show: model.Check{Config: sized(2, 2, 2, 1), Claims: []string{order, validity}},
	},
}

type gapsForCommands struct{ Spec }

// Fills returns the leader's command.
func (gapsForCommands) Fills(l *Leader) (Command, bool) { return l.command(), true }

type skippingLeader struct{ Leader }

// Start of ballot 0 skips phase 1.
func (l *skippingLeader) Start(env model.Env) {
	if l.ballot == 0 && !l.Prepared {
		l.Begun, l.Prepared, l.Next = true, true, 1
	}
	l.Leader.Start(env)
}

type flexible struct{ Spec }

// Promised requires all acceptors.
func (flexible) Promised(cfg *Config, acceptors int) bool { return acceptors == len(cfg.Acceptors) }

// Voted returns true after one vote.
func (flexible) Voted(*Config, int) bool { return true }
