package claims

import (
	"fmt"

	"contend/model"
)

// claim returns a claim about a group. It assumes that no node loses its memory, since a node that forgets its
// deliveries has none of these properties.
func (g Group) claim(name string, kind model.Kind, monitor func(s *model.System) model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: kind, Assumes: []model.Assumption{model.NoMemoryLoss}, Monitor: monitor}
}

// Integrity claims that each node delivers each message at most once, and only if it was multicast before: no
// duplication, no creation. Kind always.
func (g Group) Integrity() model.Claim {
	return g.claim("integrity", model.Always, func(*model.System) model.Monitor { return &integrity{g: &g} })
}

type integrity struct {
	g         *Group
	Sent      map[model.NodeID]int
	Delivered map[model.NodeID]Messages
}

func (i *integrity) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Invoked && i.g.multicasts(o.Value):
		i.Sent[o.Node]++
	case o.Kind == model.Crashed:
		delete(i.Delivered, o.Node)
	case o.Kind == model.Delivered:
		i.delivered(w, o.Node, i.g.Message(o.Value))
	}
}

func (i *integrity) delivered(w model.Watch, id model.NodeID, m Message) {
	w.Witness()
	if m.Number < 1 || m.Number > i.Sent[m.Sender] {
		w.Violate("it delivers message %d of a sender that has multicast %d", m.Number, i.Sent[m.Sender])
		return
	}
	mustBeNumber(m.Number)
	if i.Delivered[id].has(m) {
		w.Violate("it delivers message %d of a sender, and has delivered it before", m.Number)
	}
	if i.Delivered[id] == nil {
		i.Delivered[id] = Messages{}
	}
	i.Delivered[id].add(m)
}

// Validity claims that a member that multicasts a message, and neither leaves nor crashes, finally delivers it.
// Kind eventually.
func (g Group) Validity() model.Claim {
	return g.claim("validity", model.Eventually, func(s *model.System) model.Monitor {
		return &valid{g: &g, Members: g.first(s)}
	})
}

type valid struct {
	g       *Group
	Members Members
	Sent    map[model.NodeID]int
	Owed    map[model.NodeID]numbers // the numbers that each node has multicast and not delivered
}

func (v *valid) Observe(w model.Watch, o model.Observation) {
	v.Members.Follow(v.g, o)
	if v.Members.Standing[o.Node] != Member {
		delete(v.Owed, o.Node)
	}
	switch {
	case o.Kind == model.Invoked && v.g.multicasts(o.Value):
		v.Sent[o.Node]++
		mustBeNumber(v.Sent[o.Node])
		if v.Members.Standing[o.Node] == Member {
			w.Witness()
			v.Owed[o.Node] |= bit(v.Sent[o.Node])
		}
	case o.Kind == model.Delivered:
		if m := v.g.Message(o.Value); m.Sender == o.Node {
			Messages(v.Owed).remove(m)
		}
	}
}

// Reached reports whether every sender has delivered its messages.
func (v *valid) Reached() bool { return len(v.Owed) == 0 }

// Misses returns a clause for each own message that a sender has not delivered.
func (v *valid) Misses(name func(model.NodeID) string) (all []string) {
	for _, id := range sorted(v.Owed) {
		for n := 1; n <= v.Sent[id]; n++ {
			if v.Owed[id]&bit(n) != 0 {
				all = append(all, fmt.Sprintf("%s has multicast its message %d, and not delivered it itself", name(id), n))
			}
		}
	}
	return all
}

// Reach claims that finally all correct members deliver the messages of each sender that neither leaves nor crashes.
// Correct members are members at the time of the multicast that neither leave nor crash. Other senders may reach some
// members only. Kind eventually.
func (g Group) Reach() model.Claim {
	return g.claim("reach", model.Eventually, func(s *model.System) model.Monitor {
		return &reach{g: &g, Ledger: g.ledger(s)}
	})
}

type reach struct {
	g      *Group
	Ledger Ledger
}

func (r *reach) Observe(w model.Watch, o model.Observation) {
	sent, _, _ := r.Ledger.follow(r.g, o)
	switch stays := r.Ledger.Members.Standing[o.Node] == Member; {
	case stays && sent != nil:
		w.Witness()
	case !stays:
		r.Ledger.forgive(o.Node)
	}
}

// Reached reports whether every member has delivered what the senders that stay have multicast.
func (r *reach) Reached() bool { return len(r.Ledger.Owed) == 0 }

// Agreement claims that finally all correct members deliver what one of them delivers. Correct members are
// members at the time of the multicast that neither leave nor crash. A message counts only if some node that
// delivers it does not crash later. Kind eventually.
func (g Group) Agreement() model.Claim { return g.agreement("agreement", false) }

// UniformAgreement is [Group.Agreement] that also counts deliveries of nodes that crash later.
func (g Group) UniformAgreement() model.Claim { return g.agreement("uniform agreement", true) }

func (g Group) agreement(name string, uniform bool) model.Claim {
	return g.claim(name, model.Eventually, func(s *model.System) model.Monitor {
		return &together{g: &g, uniform: uniform, Ledger: g.ledger(s)}
	})
}

type together struct {
	g       *Group
	uniform bool
	Ledger  Ledger
	// Delivered has the messages that some node owes, by the nodes that delivered them.
	Delivered map[model.NodeID]Messages
}

func (t *together) Observe(w model.Watch, o model.Observation) {
	_, delivered, _ := t.Ledger.follow(t.g, o)
	by := o.Node
	if t.uniform {
		by = -1 // any node
	} else if o.Kind == model.Crashed {
		delete(t.Delivered, o.Node)
	}
	if delivered != nil {
		w.Witness()
		if t.Delivered[by] == nil {
			t.Delivered[by] = Messages{}
		}
		t.Delivered[by].add(*delivered)
	}
	t.forget()
}

// forget removes messages that no node owes.
func (t *together) forget() {
	for _, by := range sorted(t.Delivered) {
		for _, sender := range sorted(t.Delivered[by]) {
			owed := numbers(0)
			for _, debts := range t.Ledger.Owed {
				owed |= debts[sender]
			}
			t.Delivered[by].set(sender, t.Delivered[by][sender]&owed)
		}
		if len(t.Delivered[by]) == 0 {
			delete(t.Delivered, by)
		}
	}
}

// Reached reports whether every delivered message is delivered by all nodes that owe it.
func (t *together) Reached() bool { return len(t.Delivered) == 0 }
