package main

import (
	"io"
	"log"
	"math"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"contend/checker/drive"
	"contend/examples/etcdraft/traced"
	"contend/model"
)

// A group is the members of a run: the library's RawNode on its MemoryStorage. It takes the steps of [traced.Exact].
type group struct {
	members    []*member
	perMessage uint64 // the library's limit of the size of a message
}

// A member is a member of a group. A crash leaves its storage.
type member struct {
	id      uint64
	storage *raft.MemoryStorage
	node    *raft.RawNode
	led     uint64 // the last term in which it led; 0 if there is none since it started
}

// target returns the library as the implementation of the page in a configuration.
func target(c model.Config) drive.Target {
	return drive.Go(func() drive.Adapter { return newGroup(c) })
}

func newGroup(c model.Config) *group {
	g := &group{perMessage: math.MaxUint64}
	if traced.PerMessage.Of(c) == 1 {
		g.perMessage = 0 // one entry, whatever its size
	}
	for i := range c.N {
		g.members = append(g.members, newMember(uint64(i+1), c))
	}
	return g
}

// newMember returns a member whose storage has a snapshot of index 1 and term 1, with all members, and what the page has
// after it.
func newMember(id uint64, c model.Config) *member {
	all := make([]uint64, c.N)
	for i := range all {
		all[i] = uint64(i + 1)
	}
	m := &member{id: id, storage: raft.NewMemoryStorage()}
	must(m.storage.ApplySnapshot(pb.Snapshot{Metadata: pb.SnapshotMetadata{ConfState: pb.ConfState{Voters: all}, Index: 1, Term: 1}}))
	begins := traced.Beginning(c, int(id))
	must(m.storage.SetHardState(pb.HardState{Term: uint64(begins.Term), Vote: uint64(begins.Vote), Commit: 1}))
	for i, e := range begins.Log[1:] {
		must(m.storage.Append([]pb.Entry{{Index: uint64(i + 2), Term: uint64(e.Term)}}))
	}
	return m
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Start starts a member, or starts it again with what it has written.
func (g *group) Start(s *drive.Step) {
	m := g.members[s.Node]
	node, err := raft.NewRawNode(&raft.Config{
		ID: m.id, Storage: m.storage, ElectionTick: 10, HeartbeatTick: 1,
		MaxSizePerMsg: g.perMessage, MaxCommittedSizePerReady: math.MaxUint64, MaxInflightMsgs: 256,
		Logger: &raft.DefaultLogger{Logger: log.New(io.Discard, "", 0)},
	})
	must(err)
	m.node, m.led = node, 0
	m.drain(s)
}

// Crash loses all that is not in storage.
func (g *group) Crash(s *drive.Step) { g.members[s.Node].node = nil }

// Deliver gives a member the library's message.
func (g *group) Deliver(s *drive.Step, _ model.NodeID, _ any) {
	m := g.members[s.Node]
	_ = m.node.Step(s.ID.(pb.Message)) // a message that the library refuses is lost
	m.drain(s)
}

// Fire does what the application does.
func (g *group) Fire(s *drive.Step, act any) {
	m := g.members[s.Node]
	switch act {
	case traced.Campaigning:
		must(m.node.Campaign())
	case traced.Proposing:
		must(m.node.Propose([]byte("x")))
	case traced.Ticking:
		m.node.Tick()
	case traced.Changing:
		must(m.node.ProposeConfChange(g.change(m)))
	}
	m.drain(s)
}

// change returns the change that makes a member the only one, or the one that leaves the joint configuration.
func (g *group) change(m *member) (cc pb.ConfChangeV2) {
	if len(m.node.Status().Config.Voters[1]) > 0 {
		return cc
	}
	cc.Transition = pb.ConfChangeTransitionJointExplicit
	for _, other := range g.members {
		kind := pb.ConfChangeRemoveNode
		if other == m {
			kind = pb.ConfChangeAddNode
		}
		cc.Changes = append(cc.Changes, pb.ConfChangeSingle{Type: kind, NodeID: other.id})
	}
	return cc
}

// Call is not called: the page has no operations.
func (g *group) Call(s *drive.Step, _ any) { s.Refuse("a member has no operations") }

// drain writes, sends and applies what the library asks for, until there is nothing left.
func (m *member) drain(s *drive.Step) {
	s.ShowNotes()
	for m.node.HasReady() {
		rd := m.node.Ready()
		m.elected(s)
		must(m.storage.Append(rd.Entries))
		if !raft.IsEmptyHardState(rd.HardState) {
			must(m.storage.SetHardState(rd.HardState))
		}
		for _, x := range rd.Messages {
			s.SendAs(model.NodeID(x.To-1), onPage(x), x)
		}
		for _, e := range rd.CommittedEntries {
			s.Note(traced.Applies{Index: int(e.Index), Term: int(e.Term)})
			if e.Type == pb.EntryConfChangeV2 {
				m.node.ApplyConfChange(changeOf(e))
			}
		}
		m.node.Advance(rd)
	}
	m.elected(s)
}

// elected notes the first step in which the member leads in a term.
func (m *member) elected(s *drive.Step) {
	if now := m.node.BasicStatus(); now.RaftState == raft.StateLeader && m.led != now.Term {
		m.led = now.Term
		s.Note(traced.Leads{Term: int(now.Term)})
	}
}

// State returns the fields of a member that the library and its storage show.
func (g *group) State(node model.NodeID) map[string]any {
	m := g.members[node]
	now := m.node.Status()
	log := []traced.Entry{{Term: 1}} // of the snapshot
	last, err := m.storage.LastIndex()
	must(err)
	if last > 1 {
		entries, err := m.storage.Entries(2, last+1, math.MaxUint64)
		must(err)
		log = append(log, entriesOf(entries)...)
	}
	var match []int
	if now.RaftState == raft.StateLeader {
		match = make([]int, len(g.members)+1)
		for id, p := range now.Progress {
			match[id] = int(p.Match)
		}
	}
	return map[string]any{
		"Log": log, "Term": int(now.Term), "Vote": int(now.Vote), "Commit": int(now.Commit), "Done": int(now.Applied),
		"Role": roles[now.RaftState], "Lead": int(now.Lead), "Match": match,
		"Conf": traced.Conf{Voters: setOf(now.Config.Voters[0]), Outgoing: setOf(now.Config.Voters[1])},
	}
}

var roles = map[raft.StateType]traced.Role{
	raft.StateFollower: traced.Follower, raft.StateCandidate: traced.Candidate, raft.StateLeader: traced.Leader,
}

func entriesOf(all []pb.Entry) (out []traced.Entry) {
	for _, e := range all {
		is := traced.Entry{Term: int(e.Term)}
		if e.Type == pb.EntryConfChangeV2 {
			is.Kind = traced.Leave
			for _, c := range changeOf(e).Changes {
				is.Kind = traced.Change
				if c.Type == pb.ConfChangeRemoveNode {
					is.Remove |= 1 << c.NodeID
				} else {
					is.Add |= 1 << c.NodeID
				}
			}
		}
		out = append(out, is)
	}
	return out
}

func changeOf(e pb.Entry) (cc pb.ConfChangeV2) {
	must(cc.Unmarshal(e.Data))
	return cc
}

func setOf(ids map[uint64]struct{}) (s traced.Set) {
	for id := range ids {
		s |= 1 << id
	}
	return s
}

// onPage returns the page's message for one of the library. A kind that the page does not have is returned as it is; no
// message of the page is equal to it.
func onPage(m pb.Message) any {
	term, index, logTerm, commit := int(m.Term), int(m.Index), int(m.LogTerm), int(m.Commit)
	switch m.Type {
	case pb.MsgVote:
		return traced.Vote{Term: term, Index: index, LogTerm: logTerm}
	case pb.MsgVoteResp:
		return traced.VoteResp{Term: term, Reject: m.Reject}
	case pb.MsgApp:
		return traced.App{Term: term, Index: index, LogTerm: logTerm, Commit: commit, Entries: entriesOf(m.Entries)}
	case pb.MsgAppResp:
		return traced.AppResp{Term: term, Index: index, LogTerm: logTerm, Hint: int(m.RejectHint), Reject: m.Reject}
	case pb.MsgHeartbeat:
		return traced.Beat{Term: term, Commit: commit}
	case pb.MsgHeartbeatResp:
		return traced.BeatResp{Term: term}
	}
	return raft.DescribeMessage(m, nil)
}
