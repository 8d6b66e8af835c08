package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// What follows are mistakes that users of the library make, and stand in for methods of a Peer.

// Remember keeps what is in storage before an event, so that what is sent and applied on it may
// stand when a crash takes what it has written: as if it were written at last. See
// [Peer.Unwritten].
func (p *Peer) Remember() { p.Before = copied(p.Storage) }

// Unwritten is storage without what the last event has written.
func (p *Peer) Unwritten() *raft.MemoryStorage {
	if p.Before == nil {
		return p.Storage
	}
	return p.Before
}

// copied is storage of its own with the same in it.
func copied(from *raft.MemoryStorage) *raft.MemoryStorage {
	return rewritten(from, func(*raftpb.HardState) {}, func(all []raftpb.Entry) []raftpb.Entry { return all })
}

// rewritten is copied, with another hard state and other entries.
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

// WithoutHardState has what it takes to write entries and snapshots, but not who was voted for.
func (p *Peer) WithoutHardState() *raft.MemoryStorage {
	return rewritten(p.Storage, func(h *raftpb.HardState) { h.Vote = 0 }, func(all []raftpb.Entry) []raftpb.Entry { return all })
}

// WithoutEntries has the hard state and the snapshot, but no log.
func (p *Peer) WithoutEntries() *raft.MemoryStorage {
	return rewritten(p.Storage, func(h *raftpb.HardState) {
		snap, err := p.Storage.Snapshot()
		check(err)
		h.Commit = snap.Metadata.Index
	}, func([]raftpb.Entry) []raftpb.Entry { return nil })
}

// ApplyEarly applies entries as soon as they are written, and not when they are committed.
func (p *Peer) ApplyEarly(env model.Env, rd raft.Ready) {
	p.Write(rd)
	p.Send(env, rd.Messages)
	rd.CommittedEntries = rd.Entries
	p.Apply(env, rd)
	p.Node.Advance(rd)
}

// ReadAtOnce reads what is applied, as soon as the library has said that this peer leads.
func (p *Peer) ReadAtOnce(id string) {
	s := p.Node.BasicStatus()
	if s.RaftState == raft.StateLeader {
		p.readable(raft.ReadState{Index: s.Commit, RequestCtx: []byte(id)})
		return
	}
	p.ReadIndex(id)
}

// Unwaiting answers a read with what is applied, whatever its index.
func (p *Peer) Unwaiting(uint64) bool { return true }

// SameContext reads with a context that all reads have.
func (p *Peer) SameContext(string) {
	p.App.Waits.For = "r"
	p.ReadIndex("r")
}

// Forgets has applied all that it ever has, but the list is that of the snapshot.
func (p *Peer) Forgets() {
	config := p.cfg.raft(p)
	config.Applied = p.Known
	node, err := raft.NewRawNode(config)
	check(err)
	p.Node, p.App.Applied = node, p.Known
	p.pin()
}
