package member

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"

	"contend/model/foreign"
)

// Matters returns the name of a peer's state. It is called between two events, when no work is due. The name
// contains only the fields that can still have an effect, instead of a dump of all fields. The library stores
// fields that it does not read again:
//
//   - the other voters for a leader, and the votes of a candidate that has become a follower or leader
//   - the progress of the others, in a peer that does not lead: it is created anew before the peer leads
//   - the buffer of a progress beyond the messages in flight
//   - whether another peer was recently active, unless quorums are checked or snapshots sent
//   - the size of uncommitted entries, since nothing limits it here
func (p *Peer) Matters() []byte {
	var b bytes.Buffer
	first, log := p.log()
	s := p.Node.Status()
	is := func(what ...any) { fmt.Fprintf(&b, "%q\n", fmt.Sprint(what...)) }
	is(first, log, s.HardState, s.SoftState, s.Applied, s.LeadTransferee, conf(p.Conf), s.Config)
	is(p.App, p.Budget, p.Known, p.Outages, p.ToAppend, p.ToApply, p.stored())
	is(p.field("electionElapsed"), p.field("heartbeatElapsed"))
	is(*foreign.Field[[]raftpb.Message](p, "Node.raft.pendingReadIndexMessages"))
	if s.RaftState == raft.StateCandidate || s.RaftState == raft.StatePreCandidate {
		is(*foreign.Field[map[uint64]bool](p, "Node.raft.trk.Votes"))
	}
	if s.RaftState == raft.StateLeader {
		is(*foreign.Field[uint64](p, "Node.raft.pendingConfIndex"), p.reads())
		for _, id := range slices.Sorted(maps.Keys(s.Progress)) {
			is(id, p.progress(s.Progress[id]))
		}
	}
	return b.Bytes()
}

func (p *Peer) field(name string) int { return *foreign.Field[int](p, "Node.raft."+name) }

// progress returns a leader's knowledge of another peer.
func (p *Peer) progress(pr tracker.Progress) string {
	o := p.cfg.Options
	active := pr.RecentActive && (o.CheckQuorum || o.Compact > 0)
	return fmt.Sprint(pr.Match, pr.Next, pr.State, pr.PendingSnapshot, pr.MsgAppFlowPaused, pr.IsLearner, active,
		*foreign.Field[uint64](&pr, "sentCommit"), inflight(pr))
}

// inflight returns the indices of append messages in flight. The index of a message is the index of its last
// entry.
func inflight(pr tracker.Progress) (all []uint64) {
	rest := pr.Inflights.Clone()
	for i := pr.Match; i < pr.Next; i++ {
		n := rest.Count()
		for rest.FreeLE(i); n > rest.Count(); n-- {
			all = append(all, i)
		}
	}
	return all
}

// stored returns the content of storage.
func (p *Peer) stored() string {
	hard, _, err := p.Storage.InitialState()
	check(err)
	snap, err := p.Storage.Snapshot()
	check(err)
	last, err := p.Storage.LastIndex()
	check(err)
	return fmt.Sprint(hard, snap, last)
}

// reads returns the reads that a leader has to confirm, in order, each with the peers that have confirmed it.
func (p *Peer) reads() (all []string) {
	r := reflect.ValueOf(p.Node).Elem().FieldByName("raft").Elem().FieldByName("readOnly").Elem()
	queue, pending := r.FieldByName("readIndexQueue"), r.FieldByName("pendingReadIndex")
	for i := range queue.Len() {
		of := pending.MapIndex(queue.Index(i)).Elem()
		var acks []uint64
		for _, id := range of.FieldByName("acks").MapKeys() {
			acks = append(acks, id.Uint())
		}
		slices.Sort(acks)
		all = append(all, fmt.Sprint(queue.Index(i), of.FieldByName("index"), of.FieldByName("req").FieldByName("From"), acks))
	}
	return all
}
