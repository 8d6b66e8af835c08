// Package member is a process of a group: a RawNode of go.etcd.io/raft/v3 on its MemoryStorage, with an
// application. All code that names the library's types is here. The glue that every user of the library
// writes is in peer.go, the claims' view of a peer in observe.go, and the mistakes of users in wrong.go.
package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// A Peer is a process of the group: the library, the storage that it reads, and an
// application.
type Peer struct {
	cfg     *Config
	ID      uint64
	Storage *raft.MemoryStorage // survives a crash
	Node    *raft.RawNode
	App     App
	Conf    raftpb.ConfState // the configuration that is applied

	Budget            Budget              // survives a crash
	Known             uint64              // the highest commit index so far; survives a crash
	ToAppend, ToApply []raftpb.Message    // with asynchronous storage writes
	Before            *raft.MemoryStorage // of mutants
	Outages           int                 // of Torn; survives a crash
}

// Receive handles a message of another peer.
func (p *Peer) Receive(env model.Env, _ model.NodeID, m any) {
	was, elapsed := p.look(), p.field("electionElapsed")
	p.do(env, func() { _ = p.Node.Step(decode(m)) }) // a message that the library refuses is lost
	p.noteVote(env, m, was, elapsed)
}

// drain processes the library's Readys until there are none.
func (p *Peer) drain(env model.Env) {
	for p.Node.HasReady() {
		p.cfg.Handle(p, env, p.Node.Ready())
	}
}

// Handle processes a Ready as the library's doc.go requires: it writes, sends, applies, and advances.
func (p *Peer) Handle(env model.Env, rd raft.Ready) {
	p.Write(rd)
	p.Send(env, rd.Messages)
	p.Apply(env, rd)
	p.Node.Advance(rd)
}

// Write writes what must be in storage before anything is sent.
func (p *Peer) Write(rd raft.Ready) {
	if !raft.IsEmptySnap(rd.Snapshot) {
		check(p.Storage.ApplySnapshot(rd.Snapshot))
	}
	check(p.Storage.Append(rd.Entries))
	if !raft.IsEmptyHardState(rd.HardState) {
		check(p.Storage.SetHardState(rd.HardState))
	}
}

// Send sends messages.
func (p *Peer) Send(env model.Env, messages []raftpb.Message) {
	for _, m := range messages {
		env.Send(model.NodeID(m.To-1), encode(m))
		switch m.Type {
		case raftpb.MsgSnap:
			p.Node.ReportSnapshot(m.To, raft.SnapshotFinish)
		case raftpb.MsgTimeoutNow:
			p.noteTransfer(env, m.To)
		}
	}
}

// Apply passes committed entries to the application, and answers its reads.
func (p *Peer) Apply(env model.Env, rd raft.Ready) {
	p.restore(env, rd.Snapshot)
	for _, e := range rd.CommittedEntries {
		p.apply(env, e)
	}
	for _, r := range rd.ReadStates {
		p.readable(r)
	}
	p.answer(env)
	p.compact()
}
