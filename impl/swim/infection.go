package swim

import "contend/model"

// A Rumor is what one member knows of another that has crashed, and a third has yet to hear from it. It is the
// alarm at which it has to have heard.
type Rumor struct {
	Of, By, To model.NodeID
	State      State
}

// infectious says that what a member knows of one that has crashed, each other one that is up knows in bounded
// time: it hears of a suspicion with the next ping at the latest, R later, and of a confirmation within two
// rounds through a list that is shorter by one.
type infectious struct {
	cfg   *Config
	Down  map[model.NodeID]bool
	Lists map[Pair]State
}

// A Pair is a member, and one whose list it is on.
type Pair struct{ Of, At model.NodeID }

func (i *infectious) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		i.crashes(w, o.Node)
		return
	}
	l, is := o.Value.(Listed)
	if !is {
		return
	}
	i.Lists[Pair{l.Of, o.Node}] = l.Entry.State
	for other := range model.NodeID(i.cfg.N) {
		for s := Suspected; s <= l.Entry.State; s++ {
			w.Cancel(Rumor{l.Of, other, o.Node, s})
		}
		if i.owes(l, other, o.Node) {
			w.Witness()
			w.After(Rumor{l.Of, o.Node, other, l.Entry.State}, model.Exactly(i.bound(l.Entry.State)+1))
		}
	}
}

// owes reports whether a member that is up has yet to hear from another what that has listed.
func (i *infectious) owes(l Listed, to, by model.NodeID) bool {
	return i.Down[l.Of] && !i.Down[to] && to != by && i.Lists[Pair{l.Of, to}] < l.Entry.State
}

// crashes forgets what the member has to hear, and what others have to hear from it.
func (i *infectious) crashes(w model.Watch, id model.NodeID) {
	i.Down[id] = true
	for of := range model.NodeID(i.cfg.N) {
		for other := range model.NodeID(i.cfg.N) {
			for s := Suspected; s <= Failed; s++ {
				w.Cancel(Rumor{of, other, id, s})
				w.Cancel(Rumor{of, id, other, s})
			}
		}
	}
}

func (i *infectious) bound(s State) model.Ticks {
	if s == Failed {
		return i.cfg.Round() - 2*i.cfg.Period + i.cfg.Delay
	}
	return i.cfg.Round() + i.cfg.Delay
}

// Expire is too late.
func (i *infectious) Expire(w model.Watch, key any) {
	r := key.(Rumor)
	w.Violate("m%d listed m%d as %v more than %d ticks ago, and m%d has not heard of it", r.By+1, r.Of+1, r.State, i.bound(r.State), r.To+1)
}
