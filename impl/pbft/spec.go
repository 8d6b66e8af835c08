package pbft

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
)

// Definitions are the definitions that the actions use. A variant overrides one, like "<-" in a configuration of TLC.
// It embeds [Spec], and has one method of its own.
type Definitions interface {
	Next(r *Replica) int
	Heeds(r *Replica, view int) bool
	MayAccept(r *Replica, m PrePrepare) bool
	Prepares(cfg *Config, id model.NodeID, view int) bool
	EnoughPrepares(cfg *Config, prepares int) bool
	EnoughCommits(cfg *Config, commits int) bool
	Executes(r *Replica) int
	Fresh(r *Replica, d Digest) bool

	Expires(r *Replica) bool
	P(r *Replica) []Certificate
	Valid(cfg *Config, m ViewChange) bool
	Hears(r *Replica, view int) bool
	Joins(cfg *Config, others int) bool
	Suffice(cfg *Config, others int) bool
	Enough(cfg *Config, messages int) bool
	O(view int, v map[model.NodeID]ViewChange) []PrePrepare
	Correct(m NewView) bool
	MayEnter(r *Replica, view int) bool
}

// Spec has the definitions of the paper.
type Spec struct{}

// Next returns the primary's next sequence number: NextN(i), over the pre-prepares of its view.
func (Spec) Next(r *Replica) int {
	n := 0
	for at := range r.Slots {
		n = max(n, at)
	}
	return n + 1
}

// Heeds reports whether a replica accepts messages of a view. It stores messages of later views. After it requests a
// view change, it rejects messages of its current view.
func (Spec) Heeds(r *Replica, view int) bool { return view >= r.Asked }

// MayAccept reports whether a backup has accepted no pre-prepare with this view and sequence number. It need not accept
// the same pre-prepare twice.
func (Spec) MayAccept(r *Replica, m PrePrepare) bool {
	_, is := r.Slots[m.N]
	return !is && m.N <= r.cfg.Numbers
}

// Prepares reports whether the prepares of a replica count. The replica must be a backup.
func (Spec) Prepares(cfg *Config, id model.NodeID, view int) bool { return id != cfg.primary(view) }

// EnoughPrepares reports whether 2f backups have sent prepares that match an accepted pre-prepare: prepared(m, v, n,
// i).
func (Spec) EnoughPrepares(cfg *Config, prepares int) bool { return prepares >= 2*cfg.F }

// EnoughCommits reports whether 2f+1 replicas have sent commits that match a prepared request: committed-local(m, v, n,
// i).
func (Spec) EnoughCommits(cfg *Config, commits int) bool { return commits >= 2*cfg.F+1 }

// Executes returns the next sequence number to execute.
func (Spec) Executes(r *Replica) int { return len(r.Executed) + 1 }

// Fresh reports whether a request was not executed before.
func (Spec) Fresh(r *Replica, d Digest) bool { return !slices.Contains(r.Executed, d) }

// Expires reports whether a replica has a timer. The primary of a view has none in that view.
func (Spec) Expires(r *Replica) bool { return !r.leads[r.View] || r.Asked > r.View }

// Hears reports whether a view-change message may count: at the primary of its view, and for views above the requested
// view.
func (Spec) Hears(r *Replica, view int) bool {
	return view > r.Asked || view == r.Asked && view > r.View && r.leads[view]
}

// P returns the certificates of all requests that the replica has prepared, in any view.
func (Spec) P(r *Replica) []Certificate {
	var p []Certificate
	for _, n := range slices.Sorted(maps.Keys(r.Proofs)) {
		p = append(p, r.Proofs[n])
	}
	return p
}

// Valid implements ValidViewChange. It reports whether each certificate has a lower view, and the signatures of 2f
// backups.
func (Spec) Valid(cfg *Config, m ViewChange) bool {
	return !slices.ContainsFunc(m.P, func(c Certificate) bool { return c.View >= m.View || c.Signatures < 2*cfg.F })
}

// Joins reports whether f+1 other replicas request a view change, so that the replica joins them.
func (Spec) Joins(cfg *Config, others int) bool { return others >= cfg.F+1 }

// Suffice reports whether 2f view-change messages of others suffice for a new view.
func (Spec) Suffice(cfg *Config, others int) bool { return others >= 2*cfg.F }

// Enough reports whether a new-view message contains 2f+1 view-change messages.
func (Spec) Enough(cfg *Config, messages int) bool { return messages >= 2*cfg.F+1 }

// O returns the pre-prepares with which a new view begins. Each sequence number gets the request with the certificate
// of the highest view in V. Without a certificate it gets the null request.
func (Spec) O(view int, v map[model.NodeID]ViewChange) []PrePrepare { return fill(view, v, highest) }

// Correct reports whether O follows from V.
func (Spec) Correct(m NewView) bool { return slices.Equal(m.O, Spec{}.O(m.View, m.V)) }

// MayEnter reports whether a view is above the current view, and at least the requested view.
func (Spec) MayEnter(r *Replica, view int) bool { return view > r.View && view >= r.Asked }

// fill implements GenerateO. It calls choose for each sequence number that has certificates, and uses the digest that
// choose returns.
func fill(view int, v map[model.NodeID]ViewChange, choose func([]Certificate) Digest) []PrePrepare {
	proved := map[int][]Certificate{}
	last := 0
	for _, by := range slices.Sorted(maps.Keys(v)) {
		for _, c := range v[by].P {
			proved[c.N] = append(proved[c.N], c)
			last = max(last, c.N)
		}
	}
	var o []PrePrepare
	for n := 1; n <= last; n++ {
		d := Null
		if len(proved[n]) > 0 {
			d = choose(proved[n])
		}
		o = append(o, PrePrepare{view, n, d})
	}
	return o
}

// highest returns the digest of the certificate with the highest view.
func highest(all []Certificate) Digest {
	return slices.MaxFunc(all, func(a, b Certificate) int { return cmp.Compare(a.View, b.View) }).Digest
}
