package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// The following methods are mistakes of the library's users. They replace methods of a Peer.

// Remember stores a copy of storage before an event. After a crash that loses the event's writes, messages
// and applied entries of the event remain, as if the writes came last. See [Peer.Unwritten].
func (p *Peer) Remember() { p.Before = clone(p.Storage) }

// Unwritten returns storage without the writes of the last event.
func (p *Peer) Unwritten() *raft.MemoryStorage {
	if p.Before == nil {
		return p.Storage
	}
	return p.Before
}

// clone returns an independent copy of storage.
func clone(from *raft.MemoryStorage) *raft.MemoryStorage {
	return rewritten(from, func(*raftpb.HardState) {}, func(all []raftpb.Entry) []raftpb.Entry { return all })
}

// rewritten returns a copy of storage with another hard state and other entries.
func rewritten(from *raft.MemoryStorage, hard func(*raftpb.HardState), log func([]raftpb.Entry) []raftpb.Entry) *raft.MemoryStorage {
	snap, err := from.Snapshot()
	check(err)
	state, _, err := from.InitialState()
	check(err)
	first, err := from.FirstIndex()
	check(err)
	last, err := from.LastIndex()
	check(err)
	var entries []raftpb.Entry
	if last >= first {
		entries, err = from.Entries(first, last+1, 1<<62)
		check(err)
	}
	to := raft.NewMemoryStorage()
	check(to.ApplySnapshot(snap))
	hard(&state)
	check(to.SetHardState(state))
	check(to.Append(log(entries)))
	return to
}

// WithoutHardState returns storage with entries and snapshots, but without the vote.
func (p *Peer) WithoutHardState() *raft.MemoryStorage {
	return rewritten(p.Storage, func(h *raftpb.HardState) { h.Vote = 0 }, func(all []raftpb.Entry) []raftpb.Entry { return all })
}

// WithoutEntries returns storage with the hard state and the snapshot, but without the log.
func (p *Peer) WithoutEntries() *raft.MemoryStorage {
	return rewritten(p.Storage, func(h *raftpb.HardState) {
		snap, err := p.Storage.Snapshot()
		check(err)
		h.Commit = snap.Metadata.Index
	}, func([]raftpb.Entry) []raftpb.Entry { return nil })
}

// ApplyEarly applies entries as soon as they are written, instead of when they are committed.
func (p *Peer) ApplyEarly(env model.Env, rd raft.Ready) {
	p.Write(rd)
	p.Send(env, rd.Messages)
	rd.CommittedEntries = rd.Entries
	p.Apply(env, rd)
	p.Node.Advance(rd)
}

// ReadAtOnce reads the applied list as soon as the library reports that this peer leads.
func (p *Peer) ReadAtOnce(id string) {
	s := p.Node.BasicStatus()
	if s.RaftState == raft.StateLeader {
		p.readable(raft.ReadState{Index: s.Commit, RequestCtx: []byte(id)})
		return
	}
	p.ReadIndex(id)
}

// Unwaiting answers a read with the applied list, whatever the index of the read.
func (p *Peer) Unwaiting(uint64) bool { return true }

// SameContext reads with a context that all reads have.
func (p *Peer) SameContext(string) {
	p.App.Waits.For = "r"
	p.ReadIndex("r")
}

// Forgets resets the list to the snapshot's list, but the applied index remains.
func (p *Peer) Forgets() {
	config := p.cfg.raft(p)
	config.Applied = p.Known
	node, err := raft.NewRawNode(config)
	check(err)
	p.Node, p.App.Applied = node, p.Known
	p.pin()
}
