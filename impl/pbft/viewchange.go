package pbft

import (
	"maps"

	"contend/model"
)

// A Certificate is a set P_m: a proof that a request was prepared.
type Certificate struct {
	PrePrepare     // signed by the primary of its view
	Signatures int // the number of backups that have signed a matching prepare
}

// A ViewChange requests a view. The sender is i. It has no checkpoints, so n and C are left out.
type ViewChange struct {
	View int
	P    []Certificate // by sequence numbers
}

// A NewView is the primary's message that begins a view.
type NewView struct {
	View int
	V    map[model.NodeID]ViewChange // by senders
	O    []PrePrepare                // by sequence numbers
}

// viewChange implements ViewChange(i): the replica stops accepting messages of its view, and requests another view.
func (r *Replica) viewChange(env model.Env, view int) {
	r.Asked = view
	env.Note(Requested{view})
	m := r.change(view)
	env.Broadcast(r.cfg.others(env.Self()), m)
	r.see(env, env.Self(), m)
	if r.leads[view] {
		r.log(env.Self(), m)
	}
	r.forget()
	r.await(env)
}

// change implements GenerateViewChangeMsg(i).
func (r *Replica) change(view int) ViewChange { return ViewChange{view, r.spec.P(r)} }

func (r *Replica) log(from model.NodeID, m ViewChange) {
	if r.Changes[m.View] == nil {
		r.Changes[m.View] = map[model.NodeID]ViewChange{}
	}
	r.Changes[m.View][from] = m
}

// acceptViewChange implements AcceptViewChange(i), and the liveness rule of §4.5.2. After f+1 requests of others for
// views above its own, the replica requests the lowest of these views.
func (r *Replica) acceptViewChange(env model.Env, from model.NodeID, m ViewChange) {
	if !r.spec.Hears(r, m.View) || !r.spec.Valid(r.cfg, m) {
		return
	}
	r.log(from, m)
	if r.spec.Joins(r.cfg, len(r.wanting())) {
		r.viewChange(env, r.lowest())
	}
	r.newView(env)
}

// wanting returns the other replicas that request a view above the replica's requested view.
func (r *Replica) wanting() map[model.NodeID]bool {
	ids := map[model.NodeID]bool{}
	for view, by := range r.Changes {
		if view > r.Asked {
			for id := range by {
				ids[id] = true
			}
		}
	}
	return ids
}

// lowest returns the lowest view that others request, above the replica's requested view.
func (r *Replica) lowest() int {
	view := r.cfg.Views
	for v := range r.Changes {
		if v > r.Asked {
			view = min(view, v)
		}
	}
	return view
}

// others counts the view-change messages of other replicas for a view.
func (r *Replica) others(self model.NodeID, view int) int {
	n := len(r.Changes[view])
	if _, asked := r.Changes[view][self]; asked {
		n--
	}
	return n
}

// newView implements NewView(i): the primary begins its view after 2f valid view-change messages of others.
func (r *Replica) newView(env model.Env) {
	for view := max(r.View+1, r.Asked); view < r.cfg.Views; view++ {
		if !r.leads[view] || !r.spec.Suffice(r.cfg, r.others(env.Self(), view)) {
			continue
		}
		r.log(env.Self(), r.change(view)) // its own message, sent or not
		m := NewView{view, r.Changes[view], r.spec.O(view, r.Changes[view])}
		env.Broadcast(r.cfg.others(env.Self()), m)
		r.enter(env, m)
		return
	}
}

// acceptNewView implements AcceptNewView(i).
func (r *Replica) acceptNewView(env model.Env, from model.NodeID, m NewView) {
	if from == r.cfg.primary(m.View) && r.accepts(m) {
		r.enter(env, m)
	}
}

// accepts reports whether a new-view message is correct, and the replica may enter its view.
func (r *Replica) accepts(m NewView) bool {
	if !r.spec.MayEnter(r, m.View) || !r.spec.Enough(r.cfg, len(m.V)) {
		return false
	}
	for _, vc := range m.V {
		if vc.View != m.View || !r.spec.Valid(r.cfg, vc) {
			return false
		}
	}
	return r.spec.Correct(m)
}

// enter begins a view with the pre-prepares of its new-view message and those that arrived early.
func (r *Replica) enter(env model.Env, m NewView) {
	early := maps.Clone(r.Early)
	r.View, r.Asked = m.View, m.View
	r.Slots = map[int]Slot{}
	r.forget()
	r.forgetSeen()
	env.Note(Entered{m.View, m.O})
	for _, p := range m.O {
		if r.leads[m.View] {
			r.Slots[p.N] = Slot{Digest: p.Digest}
			r.progress(env, p.N)
		} else {
			r.prepare(env, p)
		}
	}
	for n := 1; n <= r.cfg.Numbers; n++ {
		for d := Digest(1); int(d) <= r.cfg.Requests; d++ {
			if p := (PrePrepare{m.View, n, d}); early[p] && r.spec.MayAccept(r, p) {
				r.prepare(env, p)
			}
		}
	}
	r.await(env)
}
