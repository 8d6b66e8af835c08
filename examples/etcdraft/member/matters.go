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

// Matters names a peer's state by what of it can matter still, in place of the dump of all that
// there is: between two events, when nothing is due. The library keeps more than it looks at again:
//
//   - who else has voted for a leader, and a candidate's votes when it is one no more
//   - the progress of the others, in a peer that does not lead: it is made anew before it leads
//   - what is in the buffer of a progress beyond the messages in flight
//   - whether another has been heard of, unless quorums are checked or snapshots sent
//   - the size of what is not committed, which nothing bounds here
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

// progress is what a leader knows of another.
func (p *Peer) progress(pr tracker.Progress) string {
	o := p.cfg.Options
	active := pr.RecentActive && (o.CheckQuorum || o.Compact > 0)
	return fmt.Sprint(pr.Match, pr.Next, pr.State, pr.PendingSnapshot, pr.MsgAppFlowPaused, pr.IsLearner, active,
		*foreign.Field[uint64](&pr, "sentCommit"), inflight(pr))
}

// inflight are the indices of append messages in flight, each that of the last entry.
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

// stored is what is in storage.
func (p *Peer) stored() string {
	hard, _, err := p.Storage.InitialState()
	check(err)
	snap, err := p.Storage.Snapshot()
	check(err)
	last, err := p.Storage.LastIndex()
	check(err)
	return fmt.Sprint(hard, snap, last)
}

// reads are the reads that a leader has to confirm, in order, with who has confirmed each.
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
