package pbft

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
)

// Definitions are what the actions are made of. A variant overrides one, as "<-" does in a
// configuration of TLC: it embeds [Spec], and has one method of its own.
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

// Next is the sequence number that the primary assigns next: NextN(i), of the pre-prepares of its view.
func (Spec) Next(r *Replica) int {
	n := 0
	for at := range r.Slots {
		n = max(n, at)
	}
	return n + 1
}

// Heeds reports whether a replica accepts messages of a view: of its own unless it has asked for another, and of views
// to come, which it keeps.
func (Spec) Heeds(r *Replica, view int) bool { return view >= r.Asked }

// MayAccept reports whether a backup has accepted no pre-prepare for the view and sequence number with another digest.
// One that it has accepted it need not accept once more.
func (Spec) MayAccept(r *Replica, m PrePrepare) bool {
	_, is := r.Slots[m.N]
	return !is && m.N <= r.cfg.Numbers
}

// Prepares reports whether prepares of a replica count: they must be of backups.
func (Spec) Prepares(cfg *Config, id model.NodeID, view int) bool { return id != cfg.primary(view) }

// EnoughPrepares reports whether so many backups, 2f, have sent prepares that match an accepted pre-prepare:
// prepared(m, v, n, i).
func (Spec) EnoughPrepares(cfg *Config, prepares int) bool { return prepares >= 2*cfg.F }

// EnoughCommits reports whether so many replicas, 2f+1, have sent commits that match what is prepared:
// committed-local(m, v, n, i).
func (Spec) EnoughCommits(cfg *Config, commits int) bool { return commits >= 2*cfg.F+1 }

// Executes is the sequence number that a replica executes next.
func (Spec) Executes(r *Replica) int { return len(r.Executed) + 1 }

// Fresh reports whether a request was not executed before.
func (Spec) Fresh(r *Replica, d Digest) bool { return !slices.Contains(r.Executed, d) }

// Expires reports whether a replica has a timer: in its view it must be a backup.
func (Spec) Expires(r *Replica) bool { return !r.leads[r.View] || r.Asked > r.View }

// Hears reports whether a view-change message for a view may matter: to the primary of that view, and where it is above
// the view that the replica has asked for.
func (Spec) Hears(r *Replica, view int) bool {
	return view > r.Asked || view == r.Asked && view > r.View && r.leads[view]
}

// P proves what was prepared at the replica, in whatever view.
func (Spec) P(r *Replica) []Certificate {
	var p []Certificate
	for _, n := range slices.Sorted(maps.Keys(r.Proofs)) {
		p = append(p, r.Proofs[n])
	}
	return p
}

// Valid is ValidViewChange: each certificate is of a lower view, and 2f backups have signed prepares.
func (Spec) Valid(cfg *Config, m ViewChange) bool {
	return !slices.ContainsFunc(m.P, func(c Certificate) bool { return c.View >= m.View || c.Signatures < 2*cfg.F })
}

// Joins reports whether so many others, f+1, are enough to ask for a view as they do.
func (Spec) Joins(cfg *Config, others int) bool { return others >= cfg.F+1 }

// Suffice reports whether so many view-change messages of others, 2f, are enough for a new view.
func (Spec) Suffice(cfg *Config, others int) bool { return others >= 2*cfg.F }

// Enough reports whether a new-view message has enough view-change messages: 2f+1.
func (Spec) Enough(cfg *Config, messages int) bool { return messages >= 2*cfg.F+1 }

// O is what a new view begins with: of each sequence number up to the highest that V proves to be prepared, the
// request that was prepared in the highest view, or the null request.
func (Spec) O(view int, v map[model.NodeID]ViewChange) []PrePrepare { return fill(view, v, highest) }

// Correct reports whether O is what follows from V.
func (Spec) Correct(m NewView) bool { return slices.Equal(m.O, Spec{}.O(m.View, m.V)) }

// MayEnter reports whether the view is above the replica's own, and not below one that it has asked for.
func (Spec) MayEnter(r *Replica, view int) bool { return view > r.View && view >= r.Asked }

// fill is GenerateO, with a choice among the certificates for one sequence number.
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

// highest is the digest of the certificate of the highest view.
func highest(all []Certificate) Digest {
	return slices.MaxFunc(all, func(a, b Certificate) int { return cmp.Compare(a.View, b.View) }).Digest
}
