package changroberts

import (
	"contend/impl/election"
	"contend/model"
)

// options are the other readings of the text, and edits that look like bugs but are not.
var options = []model.Variant{
	{
		Name: "bag", Title: "reading: \"asynchronous\" also means that channels need not be FIFO",
		Unclaimed: []string{"agreement", "largest in the end", "elections conclude", "killed off"},
		Show:      model.Check{Config: sized(3, 3, 1), Claims: safety},
		Edit:      func(s *model.System) { s.Network.Channel = model.Bag },
	},
	{
		Name: "initiates-always", Title: "reading: a participant that has not initiated an election itself may initiate one",
		Unclaimed: []string{"all participate", "killed off"},
		Show:      again, Edit: replace(func(p Process) model.Node { return &eagerProcess{Process: p} }),
	},
	{
		Name: "decides-on-return", Title: "reading: the winner decides when its Coordinator message returns",
		Show: again, Edit: replace(func(p Process) model.Node { return &lateProcess{p} }),
	},
	{
		Name: "forwards-then-leaves", Title: "a process forwards a Coordinator message before it becomes a non-participant",
		Show: again, Edit: replace(func(p Process) model.Node { return &slowProcess{p} }),
	},
	{
		Name: "winner-at-once", Title: "the winner becomes a non-participant when it wins, not when its Coordinator message returns",
		Show: again, Edit: replace(func(p Process) model.Node { return &hastyWinner{p} }),
	},
	{
		Name: "kills-more", Title: "a participant kills off IDs smaller than the largest that it has sent, not only those smaller than its own",
		Show: again, Edit: replace(func(p Process) model.Node { return &keenProcess{Process: p} }),
	},
}

// again is a check of two elections of each of three processes.
var again = model.Check{Config: sized(3, 3, 2)}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

// replace replaces the processes that are up.
func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range election.Up(s.Config) {
			s.Nodes[i].New = func() model.Node { return f(process(len(s.Nodes), setup(s))) }
		}
	}
}

// An eagerProcess may initiate an election while it participates in that of another.
type eagerProcess struct {
	Process
	Initiated bool // the election that it participates in
}

// Invoke initiates an election, unless one that it has initiated is in progress.
func (p *eagerProcess) Invoke(env model.Env, _ any) {
	p.Asked = true
	if !p.Participant || !p.Initiated {
		p.Initiated = true
		p.Participant = false
		p.initiate(env)
	}
}

// Receive takes a message, which may end what it has initiated.
func (p *eagerProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	p.Initiated = p.Initiated && p.Participant
}

type lateProcess struct{ Process }

// Receive takes a message. What wins is noted when the Coordinator message is back.
func (p *lateProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch {
	case m == any(Election{env.Self()}):
		env.Send(p.cfg.Successor(env.Self()), Coordinator{env.Self()})
	case m == any(Coordinator{env.Self()}):
		p.decide(env, env.Self())
		p.Process.Receive(env, from, m)
	default:
		p.Process.Receive(env, from, m)
	}
}

type slowProcess struct{ Process }

// Receive forwards a Coordinator message first. A handler runs to its end, so nothing can come
// between.
func (p *slowProcess) Receive(env model.Env, from model.NodeID, m any) {
	if c, is := m.(Coordinator); is && c.ID != env.Self() {
		env.Send(p.cfg.Successor(env.Self()), c)
		p.decide(env, c.ID)
		p.Participant = false
		return
	}
	p.Process.Receive(env, from, m)
}

type hastyWinner struct{ Process }

// Receive takes a message.
func (p *hastyWinner) Receive(env model.Env, from model.NodeID, m any) {
	switch {
	case m == any(Election{env.Self()}):
		p.Process.Receive(env, from, m)
		p.Participant = false
	case m == any(Coordinator{env.Self()}) && p.Participant:
		env.Note(election.Over{}) // and it participates in another election already
	default:
		p.Process.Receive(env, from, m)
	}
}

type keenProcess struct {
	Process
	Largest model.NodeID // that it has sent as a participant
}

// Receive kills off what is redundant.
func (p *keenProcess) Receive(env model.Env, from model.NodeID, m any) {
	e, elects := m.(Election)
	if elects && p.Participant && e.ID < p.Largest {
		return
	}
	p.Process.Receive(env, from, m)
	p.Largest = max(p.Largest, e.ID)
	if !p.Participant {
		p.Largest = 0
	}
}
