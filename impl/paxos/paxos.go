package paxos

import "contend/model"

// A Vote is a ballot and a value. Before its first vote, an acceptor has none.
type Vote struct{ Ballot, Value int }

// The messages. The sender of a Phase1b or Phase2b is acc.
type (
	Phase1a struct{ Ballot int }
	Phase1b struct {
		Ballot int
		Vote   model.Optional[Vote] // mbal and mval
	}
	Phase2a struct{ Vote }
	Phase2b struct{ Vote }
)

// A Leader conducts one ballot.
type Leader struct {
	cfg      *Config
	ballot   int
	Begun    bool                                  `contend:"stable"`
	Proposed bool                                  `contend:"stable"`
	Promises map[model.NodeID]model.Optional[Vote] // the votes in 1b messages
}

type phase1a struct{} // Phase1a(b), at any time

// Start sets the alarm of the ballot, if the ballot has not begun.
func (l *Leader) Start(env model.Env) {
	if !l.Begun {
		env.After(phase1a{}, model.Anytime())
	}
}

// Timeout implements Phase1a(b).
func (l *Leader) Timeout(env model.Env, _ any) {
	l.Begun = true
	env.Broadcast(l.cfg.Acceptors, Phase1a{l.ballot})
}

// Receive stores a promise. Once a quorum has promised, it implements Phase2a(b, v).
func (l *Leader) Receive(env model.Env, acc model.NodeID, m any) {
	if l.Proposed {
		return // a 2a message of the ballot has been sent
	}
	l.Promises[acc] = m.(Phase1b).Vote
	if !l.cfg.Promised(l.cfg, len(l.Promises)) {
		return
	}
	v, bound := l.cfg.Safe(l.Promises)
	if !bound {
		v = env.Choose(l.cfg.Values)
		env.Note(Proposed{v})
	}
	l.Proposed, l.Promises = true, nil
	env.Broadcast(l.cfg.Acceptors, Phase2a{Vote{l.ballot, v}})
}

// An Acceptor promises ballots, and votes in ballots.
type Acceptor struct {
	cfg    *Config
	MaxBal model.Optional[int]  `contend:"stable"` // -1 where it is missing
	Max    model.Optional[Vote] `contend:"stable"` // maxVBal and maxVal
}

// Receive handles a 1a or 2a message of a leader.
func (a *Acceptor) Receive(env model.Env, leader model.NodeID, m any) {
	switch m := m.(type) {
	case Phase1a:
		a.phase1b(env, leader, m)
	case Phase2a:
		a.phase2b(env, m)
	}
}

// phase1b implements Phase1b(a).
func (a *Acceptor) phase1b(env model.Env, leader model.NodeID, m Phase1a) {
	if a.cfg.MayPromise(a, m.Ballot) { // m.bal > maxBal[a]
		a.MaxBal = model.Some(m.Ballot)
		env.Send(leader, Phase1b{m.Ballot, a.Max})
	}
}

// phase2b implements Phase2b(a).
func (a *Acceptor) phase2b(env model.Env, m Phase2a) {
	if a.cfg.MayVote(a, m.Ballot) { // m.bal ≥ maxBal[a]
		a.MaxBal = a.cfg.Raised(a, m.Ballot)
		a.Max = model.Some(m.Vote)
		env.Note(Voted(m))
		env.Broadcast(a.cfg.Learners, Phase2b(m))
	}
}

// A Learner learns a value after votes of a quorum in one ballot. Paxos.tla has no learners.
type Learner struct {
	cfg     *Config
	Learned bool
	Votes   map[Vote][]model.NodeID // the voters, in order
}

// Receive counts a vote.
func (l *Learner) Receive(env model.Env, acc model.NodeID, m any) {
	if l.Learned {
		return
	}
	env.Note(Heard{m.(Phase2b).Vote, acc})
	vote := l.cfg.Counted(m.(Phase2b).Vote)
	l.Votes[vote] = insert(l.Votes[vote], acc)
	if l.cfg.Voted(l.cfg, len(l.Votes[vote])) {
		l.Learned, l.Votes = true, nil
		env.Deliver(vote.Value)
	}
}
