package paxos

import (
	"contend/impl/ballots"
	"contend/model"
	"contend/model/claims"
)

const (
	proofs = "docs/proofs/paxos.md#"
	chosen = "one value is chosen"
	enough = "the votes of a quorum are learned"
)

// The notes of nodes. Learners deliver the value that they learn.
type (
	// Proposed is noted when a leader proposes a value of its choice.
	Proposed struct{ Value int }
	// Voted is noted when an acceptor votes, with a 2b message.
	Voted struct{ Vote }
	// Heard is noted when a learner that has not learned a value receives a vote, before it counts the vote.
	Heard struct {
		Vote
		Acceptor model.NodeID
	}
)

var claimed = []model.Claim{
	{
		Name: chosen, Kind: model.Always, Source: "Consensus.tla, Inv; Paxos.tla, Implementation", Proof: proofs + "consistency",
		Monitor: func(s *model.System) model.Monitor { return &Choices{Acceptors: s.Config.N} },
	},
	learnt(claims.From(claims.UniformAgreement(claims.Delivers), "Paxos Made Simple, §2.1", proofs+"consistency"), 2),
	learnt(model.Claim{
		Name: "only what is chosen is learned", Kind: model.Always, Source: "Paxos Made Simple, §2.1", Proof: proofs + "consistency",
		Monitor: func(s *model.System) model.Monitor { return &lessons{Choices{Acceptors: s.Config.N}} },
	}, 1),
	learnt(model.Claim{
		Name: enough, Kind: model.Always, Source: "Paxos Made Simple, §2.3", Proof: proofs + "learning",
		Monitor: func(s *model.System) model.Monitor { return &hearings{Acceptors: s.Config.N} },
	}, 1),
	{
		Name: "validity", Kind: model.Always, Source: "Paxos Made Simple, §2.1",
		Proof: proofs + "validity", Monitor: func(*model.System) model.Monitor { return &proposals{} },
	},
	{
		Name: "a value is chosen", Kind: model.Sometimes, Source: "MCPaxos.tla, MCLiveness",
		Monitor: func(s *model.System) model.Monitor { return &reaches{Choices{Acceptors: s.Config.N}} },
	},
}

// learnt returns a claim that needs a number of learners.
func learnt(c model.Claim, learners int) model.Claim {
	return claims.Vacuous(c, func(s *model.System) bool { return ballots.Learners.Of(s.Config) < learners }, "there are too few learners")
}

// Choices counts votes. A value is chosen when a quorum has voted for it in one ballot.
type Choices struct {
	Acceptors int
	Votes     map[Vote][]model.NodeID
}

// follow counts a vote, and reports whether its value is now chosen.
func (c *Choices) follow(o model.Observation) (v Vote, is bool) {
	voted, is := o.Value.(Voted)
	if !is {
		return v, false
	}
	c.Votes[voted.Vote] = insert(c.Votes[voted.Vote], o.Node)
	return voted.Vote, c.has(voted.Vote)
}

func (c *Choices) has(v Vote) bool { return 2*len(c.Votes[v]) > c.Acceptors }

// chosen reports whether a chosen value satisfies the condition.
func (c *Choices) chosen(value func(int) bool) bool {
	for v := range c.Votes {
		if c.has(v) && value(v.Value) {
			return true
		}
	}
	return false
}

// Observe counts a vote, and checks that no other value is chosen.
func (c *Choices) Observe(w model.Watch, o model.Observation) {
	v, is := c.follow(o)
	if !is {
		return
	}
	w.Witness()
	if c.chosen(func(value int) bool { return value != v.Value }) {
		w.Violate("value %d is chosen in ballot %d, and another is chosen too", v.Value, v.Ballot)
	}
}

// lessons checks that learners learn only chosen values.
type lessons struct{ Choices }

func (l *lessons) Observe(w model.Watch, o model.Observation) {
	l.follow(o)
	if o.Kind != model.Delivered {
		return
	}
	w.Witness()
	if !l.chosen(func(value int) bool { return value == o.Value.(int) }) {
		w.Violate("it learns value %v, which is not chosen", o.Value)
	}
}

// hearings checks that a learner with the votes of a quorum in a ballot has learned a value before it receives another vote.
type hearings struct {
	Acceptors int
	Votes     map[model.NodeID]map[Vote]map[model.NodeID]bool // by learner
	Due       map[model.NodeID]bool                           // the learner has to learn a value
}

func (h *hearings) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Delivered {
		delete(h.Votes, o.Node)
		delete(h.Due, o.Node)
		return
	}
	vote, is := o.Value.(Heard)
	if !is {
		return
	}
	if h.Due[o.Node] {
		w.Violate("it has received the votes of a quorum, and has learned no value")
	}
	if h.Votes[o.Node] == nil {
		h.Votes[o.Node] = map[Vote]map[model.NodeID]bool{}
	}
	if h.Votes[o.Node][vote.Vote] == nil {
		h.Votes[o.Node][vote.Vote] = map[model.NodeID]bool{}
	}
	h.Votes[o.Node][vote.Vote][vote.Acceptor] = true
	if 2*len(h.Votes[o.Node][vote.Vote]) > h.Acceptors {
		h.Due[o.Node] = true
		w.Witness()
	}
}

// proposals checks that acceptors vote only for proposed values.
type proposals struct{ Values map[int]bool }

func (p *proposals) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Proposed:
		p.Values[n.Value] = true
	case Voted:
		w.Witness()
		if !p.Values[n.Value] {
			w.Violate("it votes for value %d, which no leader has proposed", n.Value)
		}
	}
}

// reaches has the goal that a value is chosen.
type reaches struct{ Choices }

func (r *reaches) Observe(w model.Watch, o model.Observation) {
	if r.follow(o); r.Reached() {
		w.Witness()
	}
}

// Reached reports whether a value is chosen.
func (r *reaches) Reached() bool { return r.chosen(func(int) bool { return true }) }
