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
func (r *hasty) Start(env model.Env) {
	env.Note(Expired{r.Asked + 1})
	r.viewChange(env, r.Asked+1)
}

// cutPrepared ends runs in which a replica prepares a request in a later view than 0.
func cutPrepared(s *model.System) {
	s.Cuts = append(s.Cuts, model.Cut{Name: "prepared", Beyond: func(n model.Node) bool {
		r := replica(n)
		for _, at := range r.Slots {
			if r.View > 0 && at.Phase > PrePrepared {
				return true
			}
		}
		return false
	}})
}

// cutFirst ends runs in which a replica has accepted a request or entered a view.
func cutFirst(s *model.System) {
	s.Cuts = append(s.Cuts, model.Cut{Name: "accepted", Beyond: func(n model.Node) bool {
		r := replica(n)
		return r.View > 0 || len(r.Slots) > 0
	}})
}

// sends replaces a replica by a tardy replica.
func sends(s *model.System, from, to model.NodeID, messages ...any) {
	if made := s.Nodes[from].New; made != nil {
		s.Nodes[from].New = func() model.Node { return &tardy{*replica(made()), to, messages} }
	}
}

// A tardy replica has sent messages that are late: they arrive only now.
type tardy struct {
	Replica
	to       model.NodeID
	messages []any
}

// Start sends the messages.
func (r *tardy) Start(env model.Env) {
	for _, m := range r.messages {
		env.Send(r.to, m)
	}
	r.Replica.Start(env)
}

// all are the correct replicas if r0 or r1 is faulty.
func all(r Replica) map[model.NodeID]Replica { return map[model.NodeID]Replica{0: r, 1: r, 2: r, 3: r} }

// accepting is a state of view 0. Replicas r1 and r2 have accepted request 1 of the faulty primary r0, and the prepare of
// each is late.
func accepting(s *model.System) {
	m := PrePrepare{0, 1, 1}
	accepted := func(id model.NodeID) Replica {
		return evidence(Replica{Slots: map[int]Slot{1: {Digest: 1}}, Prepares: map[PrePrepare]map[model.NodeID]bool{m: {id: true}}}, m, id)
	}
	begins(map[model.NodeID]Replica{1: accepted(1), 2: accepted(2)})(s)
	sends(s, 1, 2, Prepare{m})
	sends(s, 2, 1, Prepare{m})
}

// lateVotes is a state in which all correct replicas have requested view 1 of the faulty primary r1. In view 0, r2 and r3
// have sent r0 prepares or commits of request 1 that are late.
func lateVotes(votes func(PrePrepare) any, p ...Certificate) func(*model.System) {
	return func(s *model.System) {
		r := Replica{Asked: 1, Proofs: map[int]Certificate{}, Seen: Evidence{Changes: map[int]map[model.NodeID]ViewChange{1: {}}}}
		for _, c := range p {
			r.Proofs[c.N] = c
		}
		for _, id := range []model.NodeID{0, 2, 3} {
			r.Seen.Changes[1][id] = ViewChange{1, p}
		}
		begins(all(r))(s)
		sends(s, 2, 0, votes(PrePrepare{0, 1, 1}))
		sends(s, 3, 0, votes(PrePrepare{0, 1, 1}))
	}
}

// awaiting is a state in which all correct replicas have requested view 1, whose primary is r1. In view 0, r2 and r3 have
// sent prepares of request 1 that are late, and so is r3's request to r1.
func awaiting(s *model.System) {
	none := ViewChange{View: 1}
	begins(map[model.NodeID]Replica{
		1: {Asked: 1, Changes: map[int]map[model.NodeID]ViewChange{1: {1: none, 2: none}}},
		2: evidence(Replica{Asked: 1, Seen: Evidence{Changes: map[int]map[model.NodeID]ViewChange{1: {1: none, 2: none, 3: none}}}}, first.PrePrepare, 2, 3),
		3: {Asked: 1},
	})(s)
	sends(s, 3, 1, none)
}

// entered is a state in which all correct replicas have entered view 1, and it began without requests.
func entered(s *model.System) { begins(all(Replica{View: 1, Asked: 1}))(s) }

// twice is a state in which r1 and r2 have prepared request 1 in view 0, and requested view 1. Replica r1, its primary,
// has both requests. Replica r3 is in view 0, and may commit the request if the faulty primary r0 sends its commit.
var twice = map[model.NodeID]Replica{
	1: {Asked: 1, Proofs: map[int]Certificate{1: first}, Changes: map[int]map[model.NodeID]ViewChange{1: {1: {1, []Certificate{first}}, 2: {1, []Certificate{first}}}}},
	2: {Asked: 1, Proofs: map[int]Certificate{1: first}},
	3: prepared(0, []model.NodeID{2, 3}, 1),
}

var first = Certificate{PrePrepare{0, 1, 1}, 2}

// replaced is a state of view 1, whose primary is r1. Replica r3 has prepared request 1 in view 0, as r2 can prove. In view
// 1 all have accepted request 2, and r1 has prepared it. The prepares that r3 lacks are late.
var replaced = map[model.NodeID]Replica{
	1: prepared(1, []model.NodeID{1}, 2),
	2: evidence(again2(2), first.PrePrepare, 2, 3),
	3: again2(3, first),
}

// again2 is a replica that has accepted request 2 in view 1, and has certificates.
func again2(id model.NodeID, proofs ...Certificate) Replica {
	r := Replica{
		View: 1, Asked: 1, Slots: map[int]Slot{1: {Digest: 2}}, Proofs: map[int]Certificate{},
		Prepares: map[PrePrepare]map[model.NodeID]bool{{1, 1, 2}: {id: true}},
	}
	for _, c := range proofs {
		r.Proofs[c.N] = c
	}
	return r
}

// later is a state of view 1, whose primary is r1. Replicas r0 and r1 have prepared request 1, and r0 lacks one commit. The
// faulty r2 has the view-change messages of r0 and r3 for view 1, and is the primary of view 2.
var later = map[model.NodeID]Replica{
	0: changes(prepared(1, []model.NodeID{0, 1}, 1)),
	1: prepared(1, []model.NodeID{1}, 1),
	3: changes(Replica{View: 1, Asked: 1}),
}

func changes(r Replica) Replica {
	r.Seen.Changes = map[int]map[model.NodeID]ViewChange{1: {0: {View: 1}, 3: {View: 1}}}
	return r
}

// split is a state in which the correct replicas have requested views 1 and 2 of the three views.
var split = map[model.NodeID]Replica{
	1: {Asked: 1, Changes: map[int]map[model.NodeID]ViewChange{1: {1: {View: 1}, 2: {View: 1}}}},
	2: {Asked: 2, Changes: map[int]map[model.NodeID]ViewChange{2: {2: {View: 2}, 3: {View: 2}}}},
	3: {Asked: 2},
}
