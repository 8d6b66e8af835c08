package pbft

import "contend/model"

// A faulty replica sends what it likes, but it signs for itself alone. What others signed it may show around: the
// prepares in a certificate, the view-change messages in a new-view message. All replicas are sent what a correct one
// signs, so whatever a faulty replica can show to a receiver is something that the receiver may have been sent before; it
// remembers that in [Evidence], and does nothing else with it. So the alphabet is a function of the receiver's state, and
// nothing is forged that was not signed.

// Evidence is what correct replicas have signed, as far as a faulty replica might show it to this one.
type Evidence struct {
	Prepares map[PrePrepare]map[model.NodeID]bool
	Changes  map[int]map[model.NodeID]ViewChange
}

// see takes down a signature.
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
		if m.View > r.View && r.cfg.faulty(r.cfg.primary(m.View)) {
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

// shown reports whether a certificate of a view may still be shown to the replica: a view above that and above its own
// is to come whose primary it is, or a faulty replica.
func (r *Replica) shown(view int) bool {
	for v := max(view, r.View) + 1; v < r.cfg.Views; v++ {
		if r.cfg.Byzantine > 0 && r.leads[v] || r.cfg.faulty(r.cfg.primary(v)) {
			return true
		}
	}
	return false
}

// forgetSeen forgets what nobody may show any more.
func (r *Replica) forgetSeen() {
	for m := range r.Seen.Prepares {
		if !r.shown(m.View) {
			delete(r.Seen.Prepares, m)
		}
	}
	for view := range r.Seen.Changes {
		if view <= r.View {
			delete(r.Seen.Changes, view)
		}
	}
}

// signatures counts the backups whose prepares the faulty replicas can show: those seen, and their own. A prepare of a
// correct backup comes with the pre-prepare that it accepted.
func (r *Replica) signatures(m PrePrepare) int {
	n := len(r.Seen.Prepares[m])
	for id := range model.NodeID(len(r.cfg.Replicas)) {
		if r.cfg.faulty(id) && id != r.cfg.primary(m.View) {
			n++
		}
	}
	return n
}

// forge is what a faulty replica may send to a correct one. The receiver counts votes, in whatever order they come: so
// nothing is lost when those of faulty replicas come last, and only what may complete something is forged. What the
// receiver would not accept is left out, too.
func (c *Config) forge(receiver model.Node, to, from model.NodeID) []any {
	r := of(receiver)
	var out []any
	if r.spec.Heeds(r, r.View) {
		out = c.forgePrePrepares(r, from)
		for n := 1; n <= c.Numbers; n++ {
			if s, is := r.Slots[n]; is {
				out = append(out, c.forgeVotes(r, from, PrePrepare{r.View, n, s.Digest}, s.Phase)...)
			}
		}
	}
	out = append(out, c.forgeViewChanges(r, to, from)...)
	return append(out, c.forgeNewViews(r, from)...)
}

// forgePrePrepares is InjectPreprepare(i). The receiver must know the request.
func (c *Config) forgePrePrepares(r *Replica, from model.NodeID) (out []any) {
	if from != c.primary(r.View) {
		return nil
	}
	for n := 1; n <= c.Numbers; n++ {
		for d := Digest(1); int(d) <= c.Requests; d++ {
			if m := (PrePrepare{r.View, n, d}); r.spec.MayAccept(r, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// forgeVotes is InjectPrepare(i) and InjectCommit(i), for what the receiver has accepted.
func (c *Config) forgeVotes(r *Replica, from model.NodeID, m PrePrepare, at Phase) []any {
	prepares, commits := r.Prepares[m], r.Commits[m]
	switch {
	case at == PrePrepared && r.spec.Prepares(c, from, m.View) && !prepares[from] && r.spec.EnoughPrepares(c, len(prepares)+c.Byzantine):
		return []any{Prepare{m}}
	case at == Prepared && !commits[from] && r.spec.EnoughCommits(c, len(commits)+c.Byzantine):
		return []any{Commit{m}}
	}
	return nil
}
