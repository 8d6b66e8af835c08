package changroberts

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// options are the other readings of the text, and edits that look like bugs but are not.
var options = []model.Variant{
	{
		Name: "bag", Title: "reading: \"asynchronous\" also means that channels need not be FIFO",
		Unclaimed: []string{"agreement", "largest in the end", "elections conclude", "killed off"},
		Show:      model.Check{Config: election.Of(3, 3, 1), Claims: safety},
		Edit:      variant.Channel(model.Bag),
	},
	{
		Name: "initiates-always", Title: "reading: a participant that has not initiated an election itself may initiate one",
		Unclaimed: []string{"all participate", "killed off"},
		Show:      again, Edit: variant.Nodes(func(p Process) model.Node { return &eagerProcess{Process: p} }),
	},
	{
		Name: "decides-on-return", Title: "reading: the winner decides when its Coordinator message returns",
		Show: again, Edit: page.Edit(`default: p.decide(env, id)`, `default:`, `env.Note(election.Over{})`, `p.decide(env, id); env.Note(election.Over{})`),
	},
	{
		Name: "forwards-then-leaves", Title: "a process forwards a Coordinator message before it becomes a non-participant",
		Show: again, Edit: page.Edit(`p.Participant = false; if id == env.Self() {`, `if id == env.Self() { p.Participant = false`,
			`return }; p.decide(env, id); env.Send(p.successor(env.Self()), Coordinator{id})`,
			`return }; env.Send(p.successor(env.Self()), Coordinator{id}); p.decide(env, id); p.Participant = false`),
	},
	{
		Name: "winner-at-once", Title: "the winner becomes a non-participant when it wins, not when its Coordinator message returns",
		Show: again, Edit: page.Edit(`default: p.decide(env, id)`, `default: p.Participant = false; p.decide(env, id)`,
			`p.Participant = false; if id == env.Self() {`,
			`if id == env.Self() && p.Participant { env.Note(election.Over{}); return }; p.Participant = false; if id == env.Self() {`),
	},
	{
		Name: "kills-more", Title: "a participant kills off IDs smaller than the largest that it has sent, not only those smaller than its own",
		Show: again, Edit: variant.Nodes(func(p Process) model.Node { return &keenProcess{Process: p} }),
	},
}

// again is a check of two elections of each of three processes.
var again = model.Check{Config: election.Of(3, 3, 2)}

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
