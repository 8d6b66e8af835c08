package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// With asynchronous storage writes, separate threads write to storage and apply entries, in order, after some
// time. Here each thread is an alarm, and its pending work is lost in a crash.
type (
	// AppendThread is the alarm of the thread that writes.
	AppendThread struct{}
	// ApplyThread is the alarm of the thread that applies.
	ApplyThread struct{}
)

// HandleAsync passes the work of a Ready to the threads, and sends the other messages.
func (p *Peer) HandleAsync(env model.Env, rd raft.Ready) {
	for _, m := range rd.Messages {
		switch m.To {
		case raft.LocalAppendThread:
			p.ToAppend = append(p.ToAppend, m)
			env.After(AppendThread{}, model.Anytime())
		case raft.LocalApplyThread:
			p.ToApply = append(p.ToApply, m)
			env.After(ApplyThread{}, model.Anytime())
		default:
			p.Send(env, []raftpb.Message{m})
		}
	}
	for _, r := range rd.ReadStates {
		p.readable(r)
	}
	p.answer(env)
}

// busy reports whether a thread has anything to do.
func (p *Peer) busy(thread any) bool {
	if thread == (AppendThread{}) {
		return len(p.ToAppend) > 0
	}
	return len(p.ToApply) > 0
}

// appended does the oldest pending work of the thread that writes.
func (p *Peer) appended(env model.Env) {
	m := p.ToAppend[0]
	if p.ToAppend = p.ToAppend[1:]; len(p.ToAppend) > 0 {
		env.After(AppendThread{}, model.Anytime())
	}
	rd := raft.Ready{Entries: m.Entries, HardState: raftpb.HardState{Term: m.Term, Vote: m.Vote, Commit: m.Commit}}
	if m.Snapshot != nil {
		rd.Snapshot = *m.Snapshot
	}
	p.Write(rd)
	p.restore(env, rd.Snapshot)
	p.respond(env, m.Responses)
}

// applied applies the oldest pending entries of the thread that applies.
func (p *Peer) applied(env model.Env) {
	m := p.ToApply[0]
	if p.ToApply = p.ToApply[1:]; len(p.ToApply) > 0 {
		env.After(ApplyThread{}, model.Anytime())
	}
	p.Apply(env, raft.Ready{CommittedEntries: m.Entries})
	p.respond(env, m.Responses)
}

// respond delivers the responses of a thread, to the peer itself or to others.
func (p *Peer) respond(env model.Env, responses []raftpb.Message) {
	for _, m := range responses {
		if m.To == p.ID {
			check(p.Node.Step(m))
		} else {
			p.Send(env, []raftpb.Message{m})
		}
	}
}
