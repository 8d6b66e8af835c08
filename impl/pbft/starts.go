package pbft

import (
	"maps"

	"contend/model"
)

// Some runs begin in a later state of a run, whose other messages are late. So a short search reaches states that are
// many steps from the initial state.

// begins returns an edit that gives replicas initial states. It leaves missing and faulty replicas unchanged.
func begins(as map[model.NodeID]Replica) func(*model.System) {
	return func(s *model.System) {
		for id, at := range as {
			made := s.Nodes[id].New
			if made == nil {
				continue
			}
			s.Nodes[id].New = func() model.Node {
				n := made()
				r := replica(n)
				at.cfg, at.spec, at.leads = r.cfg, r.spec, r.leads
				*r = at.clone()
				return n
			}
		}
	}
}

// clone returns a copy that shares no map, so that all runs begin in the same state.
func (r Replica) clone() Replica {
	r.Slots, r.Early, r.Proofs, r.Committed = maps.Clone(r.Slots), maps.Clone(r.Early), maps.Clone(r.Proofs), maps.Clone(r.Committed)
	r.Prepares, r.Commits, r.Changes = nested(r.Prepares), nested(r.Commits), nested(r.Changes)
	r.Seen = Evidence{nested(r.Seen.Prepares), nested(r.Seen.Changes)}
	return r
}

func nested[K, L comparable, V any](m map[K]map[L]V) map[K]map[L]V {
	out := map[K]map[L]V{}
	for k, v := range m {
		out[k] = maps.Clone(v)
	}
	return out
}

// prepared returns a replica that has prepared requests in a view, and has received commits of others.
func prepared(view int, commits []model.NodeID, digests ...Digest) Replica {
	r := Replica{View: view, Asked: view, Slots: map[int]Slot{}, Proofs: map[int]Certificate{}}
	for i, d := range digests {
		m := PrePrepare{view, i + 1, d}
		r.Slots[m.N] = Slot{d, Prepared}
		r.Proofs[m.N] = Certificate{m, 2}
		for _, id := range commits {
			count(&r.Commits, m, id)
		}
	}
	return r
}

// evidence returns the replica with prepares that faulty replicas may forward to it.
func evidence(r Replica, m PrePrepare, by ...model.NodeID) Replica {
	for _, id := range by {
		count(&r.Seen.Prepares, m, id)
	}
	return r
}

// nearly is a state of view 0. Replicas r1 and r2 have prepared request 1, and r1 lacks one commit. The faulty primary
// r0 has sent request 2 to r3.
var nearly = map[model.NodeID]Replica{
	1: evidence(prepared(0, []model.NodeID{1, 2}, 1), PrePrepare{0, 1, 1}, 1, 2),
	2: prepared(0, []model.NodeID{2}, 1),
	3: {Slots: map[int]Slot{1: {Digest: 2}}, Prepares: map[PrePrepare]map[model.NodeID]bool{{0, 1, 2}: {3: true}}},
}

// beyondGap is a state in which r1 and r2 have prepared request 1 with sequence number 2 in view 0. Sequence number 1
// has no request. Replica r2 sent its commit to r1, and then requested view 1, whose primary is r1. So r1 lacks one
// commit. The faulty primary r0 of view 0 may send it.
var beyondGap = map[model.NodeID]Replica{
	1: requested(evidence(Replica{
		Slots: map[int]Slot{2: {1, Prepared}}, Proofs: map[int]Certificate{2: gapped[0]},
		Commits: map[PrePrepare]map[model.NodeID]bool{{0, 2, 1}: {1: true, 2: true}},
	}, PrePrepare{0, 2, 1}, 1, 2)),
	2: {Asked: 1, Proofs: map[int]Certificate{2: gapped[0]}},
}

// requested returns a replica that has received r2's request for view 1.
func requested(r Replica) Replica {
	r.Changes = map[int]map[model.NodeID]ViewChange{1: {2: {1, gapped}}}
	return r
}

// gap is a state in which r2 has prepared request 1 with sequence number 2 in view 0. Sequence number 1 has no request.
// All replicas but r3 have requested view 1, and its primary r1 has received the requests. Replica r3 requests view 1
// at once.
var gap = map[model.NodeID]Replica{
	1: {Asked: 1, Changes: map[int]map[model.NodeID]ViewChange{1: {1: {View: 1}, 2: {1, gapped}}}},
	2: {Asked: 1, Proofs: map[int]Certificate{2: gapped[0]}},
}

var gapped = []Certificate{{PrePrepare{0, 2, 1}, 2}}

// expired replaces replicas by hasty replicas: their timers have expired.
func expired(s *model.System, ids ...model.NodeID) {
	for _, id := range ids {
		made := s.Nodes[id].New
		s.Nodes[id].New = func() model.Node { return &hasty{*replica(made())} }
	}
}

// A hasty replica requests the next view when it starts.
type hasty struct{ Replica }

// Start requests the next view.
func (r *hasty) Start(env model.Env) { r.viewChange(env, r.Asked+1) }
