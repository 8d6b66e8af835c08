package member

import (
	"strings"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model/foreign"
)

// A View is the part of a peer's state that claims and people see.
type View struct {
	Role                        string
	Term, Vote, Commit, Applied uint64
	Lead                        uint64
	Snapshot                    Entry // the last that the log does not have any more
	Log                         []Entry
	Values                      []string
	Conf                        Conf
}

// View shows the peer as the library and the application have it.
func (p *Peer) View() View {
	s := p.Node.BasicStatus()
	first, log := p.log()
	return View{
		Role: strings.TrimPrefix(s.RaftState.String(), "State"),
		Term: s.Term, Vote: s.Vote, Commit: s.Commit, Applied: p.App.Applied, Lead: s.Lead,
		Snapshot: first, Log: log, Values: p.App.Values, Conf: conf(p.Conf),
	}
}

// log returns the log as the library sees it, including entries that are not in storage yet, and the entry
// before the log.
func (p *Peer) log() (before Entry, log []Entry) {
	unstable := *foreign.Field[[]raftpb.Entry](p, "Node.raft.raftLog.unstable.entries")
	first, err := p.Storage.FirstIndex()
	check(err)
	last, err := p.Storage.LastIndex()
	check(err)
	term, err := p.Storage.Term(first - 1)
	check(err)
	if len(unstable) > 0 {
		last = min(last, unstable[0].Index-1)
	}
	if last >= first {
		stored, err := p.Storage.Entries(first, last+1, 1<<62)
		check(err)
		log = entries(stored)
	}
	return Entry{Index: first - 1, Term: term}, append(log, entries(unstable)...)
}

func entries(of []raftpb.Entry) (all []Entry) {
	for _, e := range of {
		all = append(all, entry(e))
	}
	return all
}

func entry(e raftpb.Entry) Entry {
	is := Entry{Index: e.Index, Term: e.Term, Data: string(e.Data), Conf: e.Type != raftpb.EntryNormal}
	if is.Conf {
		is.Data = describe(e)
	}
	return is
}

// describe returns the change of the configuration that an entry makes.
func describe(e raftpb.Entry) string {
	if e.Type == raftpb.EntryConfChange {
		var c raftpb.ConfChange
		check(c.Unmarshal(e.Data))
		return raftpb.ConfChangesToString(c.AsV2().Changes)
	}
	var c raftpb.ConfChangeV2
	check(c.Unmarshal(e.Data))
	if c.LeaveJoint() {
		return "leave"
	}
	return raftpb.ConfChangesToString(c.Changes)
}

func conf(c raftpb.ConfState) Conf {
	return Conf{Voters: c.Voters, Outgoing: c.VotersOutgoing, Learners: c.Learners}
}

// A look has the values that claims refer to and a handler may change.
type look struct {
	status raft.BasicStatus
	first  Entry
	log    []Entry
}

func (p *Peer) look() look {
	first, log := p.log()
	return look{p.Node.BasicStatus(), first, log}
}

func (l look) leads() bool { return l.status.RaftState == raft.StateLeader }
