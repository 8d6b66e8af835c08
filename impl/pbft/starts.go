package pbft

import (
	"maps"

	"contend/model"
)

// Some runs begin midway: in states that runs of the protocol lead to, when the messages that are left come late. So a
// short search comes to what takes many steps from the beginning.

// begins is an edit: replicas begin with given states. Those that are missing, or faulty, are left as they are.
func begins(as map[model.NodeID]Replica) func(*model.System) {
	return func(s *model.System) {
		for id, at := range as {
			made := s.Nodes[id].New
			if made == nil {
				continue
			}
			s.Nodes[id].New = func() model.Node {
				n := made()
				r := of(n)
				at.cfg, at.spec, at.leads = r.cfg, r.spec, r.leads
				*r = at.copied()
				return n
			}
		}
	}
}

// copied shares no map with the original, so that each run begins alike.
func (r Replica) copied() Replica {
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

// prepared is a replica that has prepared requests in a view, and heard commits of others.
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

// shows is a replica to which faulty ones may show prepares.
func shows(r Replica, m PrePrepare, by ...model.NodeID) Replica {
	for _, id := range by {
		count(&r.Seen.Prepares, m, id)
	}
	return r
}

// nearly is a state in which r1 and r2 have prepared request 1 in view 0, and r1 lacks one commit. The primary r0, which
// is faulty, has sent r3 request 2.
var nearly = map[model.NodeID]Replica{
	1: shows(prepared(0, []model.NodeID{1, 2}, 1), PrePrepare{0, 1, 1}, 1, 2),
	2: prepared(0, []model.NodeID{2}, 1),
	3: {Slots: map[int]Slot{1: {Digest: 2}}, Prepares: map[PrePrepare]map[model.NodeID]bool{{0, 1, 2}: {3: true}}},
}

// beyondGap is a state in which r1 and r2 have prepared request 1 with sequence number 2 in view 0, in which nothing has
// number 1. Before r2 asked for view 1, whose primary is r1, it sent r1 its commit. So r1 lacks one, which r0 may send: the
// primary of view 0, which is faulty.
var beyondGap = map[model.NodeID]Replica{
	1: hears(shows(Replica{
		Slots: map[int]Slot{2: {1, Prepared}}, Proofs: map[int]Certificate{2: gapped[0]},
		Commits: map[PrePrepare]map[model.NodeID]bool{{0, 2, 1}: {1: true, 2: true}},
	}, PrePrepare{0, 2, 1}, 1, 2)),
	2: {Asked: 1, Proofs: map[int]Certificate{2: gapped[0]}},
}

// hears is a replica to which r2 has sent that it asks for view 1.
func hears(r Replica) Replica {
	r.Changes = map[int]map[model.NodeID]ViewChange{1: {2: {1, gapped}}}
	return r
}

// gap is a state in which r2 has prepared request 1 with sequence number 2 in view 0, in which nothing has number 1.
// All but r3 have asked for view 1, and its primary r1 has heard so; r3 asks for it at once.
var gap = map[model.NodeID]Replica{
	1: {Asked: 1, Changes: map[int]map[model.NodeID]ViewChange{1: {1: {View: 1}, 2: {1, gapped}}}},
	2: {Asked: 1, Proofs: map[int]Certificate{2: gapped[0]}},
}

var gapped = []Certificate{{PrePrepare{0, 2, 1}, 2}}

// asksAtOnce is an edit: the timers of replicas have expired.
func asksAtOnce(s *model.System, ids ...model.NodeID) {
	for _, id := range ids {
		made := s.Nodes[id].New
		s.Nodes[id].New = func() model.Node { return &hasty{*of(made())} }
	}
}

// A hasty replica asks for the next view when it starts.
type hasty struct{ Replica }

// Start does so.
func (r *hasty) Start(env model.Env) { r.viewChange(env, r.Asked+1) }
