package main

import (
	"io"
	"log"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// A peer is a member with its storage.
type peer struct {
	c       *cluster
	id      uint64
	storage *raft.MemoryStorage
	node    *raft.RawNode
}

// newPeer returns a member whose storage has a snapshot of index 1 and term 1, with all members. It is empty if some
// members bootstrap.
func newPeer(c *cluster, id uint64, members int) *peer {
	p := &peer{c: c, id: id, storage: raft.NewMemoryStorage()}
	if c.bootstrap > 0 {
		return p
	}
	var all []uint64
	for i := range members {
		all = append(all, uint64(i+1))
	}
	must(p.storage.ApplySnapshot(pb.Snapshot{Metadata: pb.SnapshotMetadata{ConfState: pb.ConfState{Voters: all}, Index: 1, Term: 1}}))
	must(p.storage.SetHardState(pb.HardState{Term: 1, Commit: 1}))
	return p
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// start starts the member, or starts it again with what it has written.
func (p *peer) start() {
	quiet := &raft.DefaultLogger{Logger: log.New(io.Discard, "", 0)}
	node, err := raft.NewRawNode(&raft.Config{ID: p.id, ElectionTick: 10, HeartbeatTick: 1, Storage: p.storage, MaxSizePerMsg: 200,
		MaxInflightMsgs: 8, Logger: quiet, TraceLogger: p.c.log})
	must(err)
	p.node = node
	if hard, _, err := p.storage.InitialState(); err != nil || !raft.IsEmptyHardState(hard) || p.last() > 0 {
		must(err)
		return
	}
	if p.id <= uint64(p.c.bootstrap) {
		var first []raft.Peer
		for i := range p.c.bootstrap {
			first = append(first, raft.Peer{ID: uint64(i + 1)})
		}
		must(node.Bootstrap(first))
	}
}

func (p *peer) last() uint64 {
	i, err := p.storage.LastIndex()
	must(err)
	return i
}

func (p *peer) leads() bool { return p.node.BasicStatus().RaftState == raft.StateLeader }

// drain writes, sends and applies what the library asks for. The member may crash between any two of these.
func (p *peer) drain(calm bool) {
	crashes := func() bool {
		if calm || !p.c.chance(600) {
			return false
		}
		p.start()
		return true
	}
	for p.node.HasReady() {
		rd := p.node.Ready()
		if crashes() {
			return
		}
		must(p.storage.Append(rd.Entries))
		if crashes() {
			return
		}
		if !raft.IsEmptyHardState(rd.HardState) {
			must(p.storage.SetHardState(rd.HardState))
		}
		if crashes() {
			return
		}
		p.c.flying = append(p.c.flying, rd.Messages...)
		for _, e := range rd.CommittedEntries {
			p.apply(e)
		}
		if crashes() {
			return
		}
		p.node.Advance(rd)
	}
}

func (p *peer) apply(e pb.Entry) {
	switch e.Type {
	case pb.EntryConfChange:
		var cc pb.ConfChange
		must(cc.Unmarshal(e.Data))
		p.node.ApplyConfChange(cc)
	case pb.EntryConfChangeV2:
		var cc pb.ConfChangeV2
		must(cc.Unmarshal(e.Data))
		p.node.ApplyConfChange(cc)
	}
}
