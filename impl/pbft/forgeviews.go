package pbft

import (
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

// forgeViewChanges implements InjectViewChange(i). It returns messages that make the receiver join a view change, or
// complete its new view. For each O, one such message is enough. With more than two views a faulty replica also requests
// several of them at once.
func (c *Config) forgeViewChanges(r *Replica, to, from model.NodeID) (out []any) {
	told := map[string]bool{}
	for view := r.View + 1; view < c.Views; view++ {
		_, has := r.Changes[view][from]
		if has || !r.spec.Hears(r, view) {
			continue
		}
		switch {
		case r.leads[view] && r.spec.Suffice(c, r.others(to, view)+c.Byzantine):
			for _, p := range c.showable(r, view) {
				v := map[model.NodeID]ViewChange{to: r.change(view), from: {view, p}}
				maps.Copy(v, r.Changes[view])
				if key := fmt.Sprint(view, r.spec.O(view, v)); !told[key] {
					told[key] = true
					out = append(out, ViewChange{view, p})
				}
			}
		case view > r.Asked && (c.Views > 2 || r.spec.Joins(c, len(r.wanting())+c.Byzantine)):
			out = append(out, ViewChange{View: view})
		}
	}
	return out
}

// forgeNewViews implements InjectNewView(i). A new-view message contains view-change messages that the receiver has
// seen, for the view or an earlier one, and those of faulty replicas. For each O, one message is enough. For mutants it also returns messages that a
// correct replica rejects, with any O.
func (c *Config) forgeNewViews(r *Replica, from model.NodeID) (out []any) {
	told := map[string]bool{}
	try := func(m NewView) {
		if key := fmt.Sprint(m.View, m.O); !told[key] && r.accepts(m) {
			told[key] = true
			out = append(out, m)
		}
	}
	for view := max(1, r.View); view < c.Views; view++ {
		for heard := 1; heard <= view; heard++ {
			for _, v := range c.gathered(r, view, heard) {
				try(NewView{view, v, r.spec.O(view, v)})
				for _, o := range c.every(view) {
					try(NewView{view, v, o})
				}
			}
		}
	}
	return out
}

// gathered returns the sets V that the faulty replicas can send. A set has any view-change messages of correct
// replicas for a view, and their own. One of their own messages has all possible certificates.
func (c *Config) gathered(r *Replica, view, of int) (all []map[model.NodeID]ViewChange) {
	heard := slices.Sorted(maps.Keys(r.Seen.Changes[of]))
	for set := range 1 << len(heard) {
		for _, p := range c.showable(r, view) {
			v := map[model.NodeID]ViewChange{}
			for i, id := range heard {
				if set>>i&1 != 0 {
					v[id] = r.Seen.Changes[of][id]
				}
			}
			for id := range model.NodeID(len(c.Replicas)) {
				if c.faulty(id) {
					v[id] = ViewChange{view, p}
					p = nil
				}
			}
			all = append(all, v)
		}
	}
	return all
}

// every returns each possible O of a view.
func (c *Config) every(view int) [][]PrePrepare {
	all := [][]PrePrepare{nil}
	longest := all
	for n := 1; n <= c.Numbers; n++ {
		var longer [][]PrePrepare
		for _, o := range longest {
			for d := Null; int(d) <= c.Requests; d++ {
				longer = append(longer, append(slices.Clone(o), PrePrepare{view, n, d}))
			}
		}
		all, longest = append(all, longer...), longer
	}
	return all
}

// showable returns the sets P that a faulty replica can send. For each sequence number, P has at most one certificate.
// Some have no proof, for mutants that accept them.
func (c *Config) showable(r *Replica, view int) [][]Certificate {
	all := [][]Certificate{nil}
	for n := 1; n <= c.Numbers; n++ {
		proofs := c.proofs(r, view, n)
		for _, p := range slices.Clone(all) {
			for _, proof := range proofs {
				all = append(all, append(slices.Clone(p), proof))
			}
		}
	}
	return all
}

func (c *Config) proofs(r *Replica, view, n int) (out []Certificate) {
	shown := map[PrePrepare]bool{}
	for _, by := range []map[model.NodeID]ViewChange{r.Changes[view], r.Seen.Changes[view]} {
		for _, m := range by {
			for _, proof := range m.P {
				shown[proof.PrePrepare] = true
			}
		}
	}
	for v := range view {
		for d := Null; int(d) <= c.Requests; d++ {
			proof := Certificate{PrePrepare: PrePrepare{v, n, d}}
			if shown[proof.PrePrepare] {
				proof.Signatures = 2 * c.F
			} else if c.faulty(c.primary(v)) || len(r.Seen.Prepares[proof.PrePrepare]) > 0 {
				proof.Signatures = min(2*c.F, r.signatures(proof.PrePrepare))
			}
			if r.spec.Valid(c, ViewChange{view, []Certificate{proof}}) {
				out = append(out, proof)
			}
		}
	}
	return out
}
