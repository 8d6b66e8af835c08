package multipaxos

import (
	"contend/impl/ballots"
	"contend/model"
	"contend/model/claims"
	"contend/model/costs"
)

const (
	source = "Paxos Made Simple, "
	proofs = "docs/proofs/multipaxos.md#"

	chosen   = "one command is chosen in an instance"
	learned  = "only what is chosen is learned"
	order    = "commands are executed in one order"
	validity = "validity"
	gap      = "a gap is filled with a no-op"
	progress = "all instances are learned"
)

// The notes of nodes. Learners deliver the commands that they execute.
type (
	// Proposed is noted when a leader proposes a command of a client, or a no-op in a gap.
	Proposed struct {
		Instance int
		Command  Command
	}
	// Voted is noted when an acceptor votes, with a 2b message.
	Voted struct {
		Instance int
		Vote
	}
	// Learned is noted when a learner learns the chosen command of an instance.
	Learned struct {
		Instance int
		Command  Command
	}
	// Step is delivered when the state machine executes a command.
	Step struct {
		Instance int
		Command  Command
	}
)

var claimed = []model.Claim{
	{
		Name: chosen, Kind: model.Always, Source: source + "§2.1, §3; MultiPaxosUs.tla, Safe", Proof: proofs + "consistency",
		Monitor: func(s *model.System) model.Monitor { return &Choices{Acceptors: s.Config.N} },
	},
	learnt(model.Claim{
		Name: learned, Kind: model.Always, Source: source + "§2.1", Proof: proofs + "consistency",
		Monitor: func(s *model.System) model.Monitor { return &lessons{Choices{Acceptors: s.Config.N}} },
	}),
	learnt(model.Claim{
		Name: order, Kind: model.Always, Source: source + "§3", Proof: proofs + "order",
		Monitor: func(*model.System) model.Monitor { return &ordered{} },
	}),
	{
		Name: gap, Kind: model.Sometimes, Source: source + "§3",
		Monitor: func(*model.System) model.Monitor { return &filled{} },
		Vacuous: func(s *model.System) string {
			if ballots.Ballots.Of(s.Config) == 1 || Instances.Of(s.Config) == 1 {
				return "there is one ballot, or one instance"
			}
			return ""
		},
	},
	{
		Name: validity, Kind: model.Always, Source: source + "§2.1, §3", Proof: proofs + "validity",
		Monitor: func(*model.System) model.Monitor { return &proposals{} },
	},
	learnt(model.Claim{
		Name: progress, Kind: model.Eventually, Source: source + "§3", Proof: proofs + "progress",
		Assumes: []model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss},
		Monitor: func(s *model.System) model.Monitor {
			return &executed{learners: ballots.Learners.Of(s.Config), instances: Instances.Of(s.Config)}
		},
	}),
}

// costed are the messages of commands without a rival leader.
var costed = []*model.Cost{messages()}

func messages() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages of two commands", source+"§3"
	c.Check.Config = sized(3, 1, 2, 1)
	return c
}

func learnt(c model.Claim) model.Claim {
	return claims.Vacuous(c, func(s *model.System) bool { return ballots.Learners.Of(s.Config) == 0 }, "there is no learner")
}

// Choices counts votes. A command is chosen in an instance when a quorum has voted for it in one ballot.
type Choices struct {
	Acceptors int
	Votes     map[Voted]map[model.NodeID]bool
}

// follow counts a vote, and reports whether its command is now chosen.
func (c *Choices) follow(o model.Observation) (v Voted, is bool) {
	v, is = o.Value.(Voted)
	if !is {
		return v, false
	}
	if c.Votes[v] == nil {
		c.Votes[v] = map[model.NodeID]bool{}
	}
	c.Votes[v][o.Node] = true
	return v, c.has(v)
}

func (c *Choices) has(v Voted) bool { return 2*len(c.Votes[v]) > c.Acceptors }

// Observe counts a vote, and checks that no other command is chosen in its instance.
func (c *Choices) Observe(w model.Watch, o model.Observation) {
	v, is := c.follow(o)
	if !is {
		return
	}
	w.Witness()
	another := false
	for other := range c.Votes {
		another = another || other.Instance == v.Instance && other.Command != v.Command && c.has(other)
	}
	if another {
		w.Violate("command %d is chosen in instance %d in ballot %d, and another is chosen too", v.Command, v.Instance, v.Ballot)
	}
}

// lessons checks that learners learn only chosen commands.
type lessons struct{ Choices }

func (l *lessons) Observe(w model.Watch, o model.Observation) {
	l.follow(o)
	n, is := o.Value.(Learned)
	if !is {
		return
	}
	w.Witness()
	for v := range l.Votes {
		if v.Instance == n.Instance && v.Command == n.Command && l.has(v) {
			return
		}
	}
	w.Violate("it learns command %d in instance %d, which is not chosen", n.Command, n.Instance)
}

// ordered checks that learners execute the instances in order, each with the same command.
type ordered struct {
	Commands map[int]Command
	Last     map[model.NodeID]int
}

func (d *ordered) Observe(w model.Watch, o model.Observation) {
	s, is := o.Value.(Step)
	if !is {
		return
	}
	w.Witness()
	if c, is := d.Commands[s.Instance]; is && c != s.Command {
		w.Violate("it executes command %d in instance %d, in which command %d was executed", s.Command, s.Instance, c)
	} else if last := d.Last[o.Node]; s.Instance != last+1 {
		w.Violate("it executes instance %d after instance %d", s.Instance, last)
	}
	d.Commands[s.Instance], d.Last[o.Node] = s.Command, s.Instance
}

// proposals checks that acceptors vote only for proposed commands. A no-op may be proposed only in a gap, below an
// instance with a vote.
type proposals struct {
	Commands map[Proposed]bool
	Last     int // the last instance with a vote
}

func (p *proposals) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Proposed:
		p.Commands[n] = true
		if n.Command == NoOp && n.Instance >= p.Last {
			w.Violate("it proposes a no-op in instance %d, and the last in which somebody has voted is %d", n.Instance, p.Last)
		}
	case Voted:
		w.Witness()
		p.Last = max(p.Last, n.Instance)
		if !p.Commands[Proposed{n.Instance, n.Command}] {
			w.Violate("it votes for command %d in instance %d, which no leader has proposed", n.Command, n.Instance)
		}
	}
}

// executed has the goal that each learner has learned all instances.
type executed struct {
	learners, instances int
	Learned             map[model.NodeID]int
}

func (e *executed) Observe(w model.Watch, o model.Observation) {
	if _, is := o.Value.(Learned); is {
		e.Learned[o.Node]++
		w.Witness()
	}
}

// Reached reports whether each learner has learned all instances.
func (e *executed) Reached() bool {
	for _, n := range e.Learned {
		if n < e.instances {
			return false
		}
	}
	return len(e.Learned) == e.learners
}

// filled has the goal that an acceptor votes for a no-op.
type filled struct{ Is bool }

func (f *filled) Observe(w model.Watch, o model.Observation) {
	if v, is := o.Value.(Voted); is && v.Command == NoOp {
		f.Is = true
		w.Witness()
	}
}

// Reached reports whether an acceptor has voted for a no-op.
func (f *filled) Reached() bool { return f.Is }
