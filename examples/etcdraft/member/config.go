package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
	"contend/model/foreign"
)

// A Config is the configuration that all peers of a group share.
type Config struct {
	N        int // peers
	Voters   []uint64
	Learners []uint64
	Options  Options
	Budgets  func(id uint64) Budget
	Abstract bool // a state is named by its relevant fields: see [Peer.Matters]
	Led      bool // the first peer leads at the beginning, and all have applied its first entry

	// What mutants and options replace: how a Ready is handled, what of a peer's storage a
	// crash leaves, and how reads are made.
	Handle    Handler
	Survives  func(p *Peer) *raft.MemoryStorage
	Recovered func(p *Peer)
	Begins    func(p *Peer) // before anything is done
	ReadIndex func(p *Peer, id string)
	Fresh     func(p *Peer, index uint64) bool
}

// A Handler processes a Ready.
type Handler func(p *Peer, env model.Env, rd raft.Ready)

// Options are the library's, and when an application compacts its log.
type Options struct {
	PreVote, CheckQuorum bool
	Lease                bool         // reads rest on the leader's lease: ReadOnlyLeaseBased
	StepDown             bool         // a leader that is removed steps down: StepDownOnRemoval
	NoForwarding         bool         // DisableProposalForwarding
	Async                bool         // AsyncStorageWrites
	Inflight             int          // MaxInflightMsgs; 0 for 256. Then a message carries one entry at most
	Compact              int          // number of entries after which a snapshot is created and the log compacted; 0 means never
	ElectionTicks        int          // ElectionTick; HeartbeatTick is 1
	Ticking, TimingOut   model.Window // how long a tick takes, and until an election time-out
}

// Plain sets the handlers that the library's documentation requires.
func (c *Config) Plain() {
	c.Handle = (*Peer).Handle
	c.Survives = func(p *Peer) *raft.MemoryStorage { return p.Storage }
	c.Recovered = func(*Peer) {}
	c.Begins = func(*Peer) {}
	c.ReadIndex = (*Peer).ReadIndex
	c.Fresh = (*Peer).Fresh
}

// A Budget limits the remaining events of a peer, including events after a crash.
type Budget struct{ Campaigns, Ticks int }

// Library returns a peer for the search.
func (c *Config) Library(id uint64) *foreign.Library[*Peer, View] {
	lib := &foreign.Library[*Peer, View]{
		New:     func() *Peer { return c.first(id) },
		Recover: func(p *Peer) *Peer { return c.recovered(p) },
		Stable:  func(p *Peer) any { return disk{c.Survives(p), p.Budget, p.Known} },
		View:    (*Peer).View,
		Show:    (*Peer).Show,
		Omit:    omitted,
	}
	if c.Options.Async { // entries in ToAppend and ToApply share the array with entries in storage
		lib.Capacities = []string{"Storage.ents"}
	}
	if c.Abstract {
		lib.Snapshot = (*Peer).Matters
	}
	return lib
}

// omitted are the fields of a peer that do not affect its behavior. The functions step and tick depend only
// on the role.
var omitted = []string{
	"cfg",
	"Storage.Mutex", "Storage.callStats",
	"Node.raft.logger", "Node.raft.raftLog.logger", "Node.raft.raftLog.unstable.logger", "Node.raft.traceLogger",
	"Node.raft.step", "Node.raft.tick",
}

type disk struct {
	Storage *raft.MemoryStorage
	Budget  Budget
	Known   uint64
}

// bootstrap returns the initial storage of a peer. As the library recommends, its first index is above 1, and
// it has the configuration.
func bootstrap(c *Config) *raft.MemoryStorage {
	s := raft.NewMemoryStorage()
	check(s.ApplySnapshot(raftpb.Snapshot{Metadata: raftpb.SnapshotMetadata{
		Index: 1, Term: 1, ConfState: raftpb.ConfState{Voters: c.Voters, Learners: c.Learners},
	}}))
	check(s.SetHardState(raftpb.HardState{Term: 1, Commit: 1}))
	return s
}
