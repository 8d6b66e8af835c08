package pbft

import "contend/model"

// A faulty replica may send any message, but signs only its own. It may forward messages that others signed: prepares
// in a certificate, view-change messages in a new-view message. Correct replicas send what they sign to all replicas.
// So the receiver may have received each forwarded message before, and records it in [Evidence]. The protocol does not
// use Evidence. So the messages that may be forged are a function of the receiver's state, and every signature in them
// exists.

// Evidence holds signed messages of correct replicas that a faulty replica may forward to this replica.
type Evidence struct {
	Prepares map[PrePrepare]map[model.NodeID]bool
	Changes  map[int]map[model.NodeID]ViewChange
}

// see records the signature of a message.
func (r *Replica) see(env model.Env, from model.NodeID, m any) {
	if r.cfg.faulty(from) {
		return
	}
	switch m := m.(type) {
	case Prepare:
		if r.shown(m.View) && r.signatures(m.PrePrepare) < 2*r.cfg.F {
			count(&r.Seen.Prepares, m.PrePrepare, from)
		}
	case ViewChange:
		if r.forwarded(m.View) {
			if r.Seen.Changes == nil {
				r.Seen.Changes = map[int]map[model.NodeID]ViewChange{}
			}
			if r.Seen.Changes[m.View] == nil {
				r.Seen.Changes[m.View] = map[model.NodeID]ViewChange{}
			}
			r.Seen.Changes[m.View][from] = m
		}
	}
}

// forwarded reports whether a faulty replica may still forward a view-change message for a view. It may do so as the
// primary of the view or a later one.
func (r *Replica) forwarded(view int) bool {
	for v := max(view, r.View); v < r.cfg.Views; v++ {
		if r.cfg.faulty(r.cfg.primary(v)) {
			return true
		}
	}
	return false
}

// shown reports whether a faulty replica may still forward a certificate of a view. A later view must follow whose
// primary is this replica or faulty.
func (r *Replica) shown(view int) bool {
	for v := max(view, r.View) + 1; v < r.cfg.Views; v++ {
		if r.cfg.Byzantine > 0 && r.leads[v] || r.cfg.faulty(r.cfg.primary(v)) {
			return true
		}
	}
	return false
}

// forgetSeen deletes evidence that no replica may forward any more.
func (r *Replica) forgetSeen() {
	for m := range r.Seen.Prepares {
		if !r.shown(m.View) {
			delete(r.Seen.Prepares, m)
		}
	}
	for view := range r.Seen.Changes {
		if !r.forwarded(view) {
			delete(r.Seen.Changes, view)
		}
	}
}

// signatures counts the backups whose prepares the faulty replicas can forward: recorded prepares, and their own. A
// prepare of a correct backup contains the pre-prepare that it accepted.
func (r *Replica) signatures(m PrePrepare) int {
	n := len(r.Seen.Prepares[m])
	for id := range model.NodeID(len(r.cfg.Replicas)) {
		if r.cfg.faulty(id) && id != r.cfg.primary(m.View) {
			n++
		}
	}
	return n
}

// forge returns the messages that a faulty replica may send to a correct replica. The checker calls it for each state
// of the receiver. A faulty replica sends all kinds of messages in all roles. The receiver counts votes in any order. So
// votes of faulty replicas may come last, and only votes that may complete a quorum are forged. A message that the
// receiver rejects adds no state.
func (c *Config) forge(receiver model.Node, to, from model.NodeID) []any {
	r := replica(receiver)
	out := c.forgePrePrepares(r, from)
	if r.spec.Heeds(r, r.View) {
		for n := 1; n <= c.Numbers; n++ {
			if s, is := r.Slots[n]; is {
				out = append(out, c.forgeVotes(r, from, PrePrepare{r.View, n, s.Digest}, s.Phase)...)
			}
		}
	}
	out = append(out, c.forgeViewChanges(r, to, from)...)
	return append(out, c.forgeNewViews(r, from)...)
}

// forgePrePrepares implements InjectPreprepare(i), also for replicas that are not the primary, for earlier views, and for
// a sequence number above the high water mark. The receiver must know the request. A pre-prepare of a later view may
// arrive before the view begins if the receiver has requested the view.
func (c *Config) forgePrePrepares(r *Replica, from model.NodeID) (out []any) {
	for view := range r.View + 1 {
		for n := 1; n <= c.Numbers+1; n++ {
			for d := Digest(1); int(d) <= c.Requests; d++ {
				if m := (PrePrepare{view, n, d}); r.Slots[n].Digest != d {
					out = append(out, m)
				}
			}
		}
	}
	if r.Asked > r.View && from == c.primary(r.Asked) {
		for n := 1; n <= c.Numbers; n++ {
			for d := Digest(1); int(d) <= c.Requests; d++ {
				out = append(out, PrePrepare{r.Asked, n, d})
			}
		}
	}
	return out
}

// forgeVotes implements InjectPrepare(i) and InjectCommit(i) for pre-prepares that the receiver has accepted. It also
// returns votes that differ in their view or digest.
func (c *Config) forgeVotes(r *Replica, from model.NodeID, m PrePrepare, at Phase) (out []any) {
	prepares, commits := r.Prepares[m], r.Commits[m]
	prepare := at == PrePrepared && !prepares[from] && r.spec.EnoughPrepares(c, len(prepares)+c.Byzantine)
	commit := at == Prepared && !commits[from] && r.spec.EnoughCommits(c, len(commits)+c.Byzantine)
	for view := range r.View + 1 {
		for d := Null; int(d) <= c.Requests; d++ {
			switch m := (PrePrepare{view, m.N, d}); {
			case prepare:
				out = append(out, Prepare{m})
			case commit:
				out = append(out, Commit{m})
			}
		}
	}
	return out
}
