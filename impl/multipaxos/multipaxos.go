package multipaxos

import "contend/model"

// A Command is an input of the state machine. The leader of ballot b proposes command b + 1.
type Command int

// NoOp is the command that leaves the state unchanged.
const NoOp Command = 0

// A Vote is a ballot and a command.
type Vote struct {
	Ballot  int
	Command Command
}

// The messages. The sender of a Phase1b or Phase2b is the acceptor.
type (
	Phase1a struct{ Ballot int } // for all instances
	Phase1b struct {
		Ballot int
		Votes  map[int]Vote // by instance: the last vote of the acceptor
	}
	Phase2a struct {
		Instance int
		Vote
	}
	Phase2b struct {
		Instance int
		Vote
	}
)

// A Leader conducts one ballot, in all instances.
type Leader struct {
	cfg      *Config
	ballot   int
	Begun    bool                          `contend:"stable"`
	Prepared bool                          `contend:"stable"` // phase 1 is over
	Next     int                           `contend:"stable"` // the instance for the next command
	Promises map[model.NodeID]map[int]Vote // the votes in 1b messages, by acceptor
}

// The alarms of a leader.
type (
	phase1a struct{} // Phase1a(p), at any time
	phase2a struct{} // Phase2a(p) with a new command, once phase 1 is over
)

// Start sets the alarm of phase 1, or of the next command after a restart.
func (l *Leader) Start(env model.Env) {
	switch {
	case !l.Begun:
		env.After(phase1a{}, model.Anytime())
	case l.Prepared:
		l.await(env)
	}
}

// await sets the alarm of the next command, if an instance is left.
func (l *Leader) await(env model.Env) {
	if l.Next <= l.cfg.Instances {
		env.After(phase2a{}, model.Anytime())
	}
}

// Timeout implements Phase1a(p), and Phase2a(p) for a command of a client.
func (l *Leader) Timeout(env model.Env, alarm any) {
	switch alarm.(type) {
	case phase1a:
		l.Begun = true
		env.Broadcast(l.cfg.Acceptors, Phase1a{l.ballot})
	case phase2a:
		env.Note(Proposed{l.Next, l.command()})
		l.propose(env, l.Next, l.command())
		l.Next++
		l.await(env)
	}
}

// Receive stores a promise. After the promises of a quorum it implements Phase2a(p) for all instances up to the last
// with a vote. In a gap the leader proposes a no-op.
func (l *Leader) Receive(env model.Env, acc model.NodeID, m any) {
	if l.Prepared {
		return
	}
	l.Promises[acc] = m.(Phase1b).Votes
	if !l.cfg.Promised(l.cfg, len(l.Promises)) {
		return
	}
	last := l.cfg.Last(l)
	for instance := 1; instance <= last; instance++ {
		c, bound := l.cfg.Safe(l, instance)
		if !bound {
			var fills bool
			if c, fills = l.cfg.Fills(l); !fills {
				continue
			}
			env.Note(Proposed{instance, c})
		}
		l.propose(env, instance, c)
	}
	l.Prepared, l.Promises, l.Next = true, nil, last+1
	l.await(env)
}

// command returns the command of the ballot's client.
func (l *Leader) command() Command { return Command(l.ballot + 1) }

func (l *Leader) propose(env model.Env, instance int, c Command) {
	env.Broadcast(l.cfg.Acceptors, Phase2a{instance, Vote{l.ballot, c}})
}

// An Acceptor promises a ballot for all instances, and votes in each instance.
type Acceptor struct {
	cfg    *Config
	MaxBal model.Optional[int] `contend:"stable"`
	Votes  map[int]Vote        `contend:"stable"` // by instance: the last vote
}

// Receive implements Phase1b(a) and Phase2b(a).
func (a *Acceptor) Receive(env model.Env, leader model.NodeID, m any) {
	switch m := m.(type) {
	case Phase1a:
		if a.cfg.MayPromise(a, m.Ballot) {
			a.MaxBal = model.Some(m.Ballot)
			env.Send(leader, Phase1b{m.Ballot, a.cfg.Told(a)})
		}
	case Phase2a:
		if a.cfg.MayVote(a, m.Instance, m.Ballot) {
			a.MaxBal = model.Some(max(m.Ballot, a.MaxBal.Or(0)))
			a.Votes[m.Instance] = m.Vote
			env.Note(Voted(m))
			env.Broadcast(a.cfg.Learners, Phase2b(m))
		}
	}
}

// A Learner learns the chosen commands, and executes them in the order of the instances. MultiPaxosUs.tla has no
// learners.
type Learner struct {
	cfg      *Config
	Learned  map[int]Command // by instance
	Executed int             // the number of executed instances
	Votes    map[Phase2b]map[model.NodeID]bool
}

// Receive counts a vote.
func (l *Learner) Receive(env model.Env, acc model.NodeID, m any) {
	vote := m.(Phase2b)
	if _, learned := l.Learned[vote.Instance]; learned {
		return
	}
	key := l.cfg.Counted(vote)
	if l.Votes[key] == nil {
		l.Votes[key] = map[model.NodeID]bool{}
	}
	l.Votes[key][acc] = true
	if !l.cfg.Voted(l.cfg, len(l.Votes[key])) {
		return
	}
	l.Learned[vote.Instance] = vote.Command
	env.Note(Learned{vote.Instance, vote.Command})
	for v := range l.Votes {
		if v.Instance == vote.Instance {
			delete(l.Votes, v)
		}
	}
	for n := l.cfg.Executes(l); n > 0; n = l.cfg.Executes(l) {
		l.Executed = n
		env.Deliver(Step{n, l.Learned[n]})
	}
}
