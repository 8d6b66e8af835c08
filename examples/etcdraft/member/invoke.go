package member

import (
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// Invoke begins an operation of the application.
func (p *Peer) Invoke(env model.Env, op any) { p.do(env, func() { p.begin(env, op) }) }

func (p *Peer) begin(env model.Env, op any) {
	switch op := op.(type) {
	case Append:
		p.propose(env, op.Value)
	case LogRead:
		p.propose(env, logRead+op.ID)
	case Read:
		p.read(env, op.ID, 1)
	case ReadAgain:
		p.read(env, op.ID, 2)
	case Transfer:
		p.Node.TransferLeader(op.To)
		env.Return(Done{})
	case Change:
		if p.Node.ProposeConfChange(op.change()) != nil {
			env.Return(Dropped{})
			return
		}
		env.Return(Done{})
	}
}

func (p *Peer) propose(env model.Env, data string) {
	if p.Node.Propose([]byte(data)) != nil {
		env.Return(Dropped{})
		return
	}
	p.App.Waits = Waiting{For: data}
}

func (p *Peer) read(env model.Env, id string, times int) {
	if p.Node.BasicStatus().Lead == 0 {
		env.Return(Dropped{}) // the library would drop it without a word
		return
	}
	p.App.Waits = Waiting{For: id, Reads: true}
	for range times {
		p.cfg.ReadIndex(p, id)
	}
}

// ReadIndex asks the library from where on the list may be read.
func (p *Peer) ReadIndex(id string) { p.Node.ReadIndex([]byte(id)) }

// change returns the library's form of the change. A simple change has the older encoding, if possible.
func (c Change) change() raftpb.ConfChangeI {
	changes, err := raftpb.ConfChangesFromString(c.Changes)
	check(err)
	if c.How == Simple && len(changes) == 1 {
		return raftpb.ConfChange{Type: changes[0].Type, NodeID: changes[0].NodeID}
	}
	way := map[How]raftpb.ConfChangeTransition{
		Auto: raftpb.ConfChangeTransitionJointImplicit, Explicit: raftpb.ConfChangeTransitionJointExplicit,
	}
	if len(changes) == 0 {
		return raftpb.ConfChangeV2{} // it leaves a joint configuration
	}
	return raftpb.ConfChangeV2{Transition: way[c.How], Changes: changes}
}
