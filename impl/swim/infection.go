package swim

import "contend/model"

// A Rumor is the alarm of news that spreads. By has listed the crashed member Of in a state. To must have received this
// news when the alarm rings.
type Rumor struct {
	Of, By, To model.NodeID
	State      State
	First      bool // By is the first to list Of as not alive
}

// infectious checks that news of a crash reaches all live members in bounded time. A suspicion arrives with the next
// ping, at most R later; or R − T later, if nobody suspected the member before: a period with the member as the target has just
// ended. A confirmation arrives within two rounds, through a list without the failed member.
type infectious struct {
	cfg   *Config
	Down  map[model.NodeID]bool
	Lists map[Pair]State
}

// A Pair is a listed member Of and the owner At of the list.
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
	first := l.Entry.State == Suspected && i.first(l.Of)
	i.Lists[Pair{l.Of, o.Node}] = l.Entry.State
	for other := range model.NodeID(i.cfg.N) {
		for s := Suspected; s <= l.Entry.State; s++ {
			i.cancel(w, Rumor{Of: l.Of, By: other, To: o.Node, State: s})
		}
		if i.owes(l, other, o.Node) {
			w.Witness()
			r := Rumor{l.Of, o.Node, other, l.Entry.State, first}
			w.After(r, model.Exactly(i.bound(r)+1))
		}
	}
}

// owes reports whether a live member has not yet received news that another member has listed.
func (i *infectious) owes(l Listed, to, by model.NodeID) bool {
	return i.Down[l.Of] && !i.Down[to] && to != by && i.Lists[Pair{l.Of, to}] < l.Entry.State
}

// crashes removes the alarms of news to and from the crashed member.
func (i *infectious) crashes(w model.Watch, id model.NodeID) {
	i.Down[id] = true
	for of := range model.NodeID(i.cfg.N) {
		for other := range model.NodeID(i.cfg.N) {
			for s := Suspected; s <= Failed; s++ {
				i.cancel(w, Rumor{Of: of, By: other, To: id, State: s})
				i.cancel(w, Rumor{Of: of, By: id, To: other, State: s})
			}
		}
	}
}

// cancel removes the alarms of news, whether By was the first or not.
func (i *infectious) cancel(w model.Watch, r Rumor) {
	for _, r.First = range []bool{false, true} {
		w.Cancel(r)
	}
}

// first reports whether every member lists a member as alive.
func (i *infectious) first(of model.NodeID) bool {
	for at := range model.NodeID(i.cfg.N) {
		if i.Lists[Pair{of, at}] != Alive {
			return false
		}
	}
	return true
}

func (i *infectious) bound(r Rumor) model.Ticks {
	switch {
	case r.State == Failed:
		return i.cfg.Round() - 2*i.cfg.Period + i.cfg.Delay
	case r.First:
		return i.cfg.Round() - i.cfg.Period + i.cfg.Delay
	}
	return i.cfg.Round() + i.cfg.Delay
}

// Expire reports a violation: the time is over.
func (i *infectious) Expire(w model.Watch, key any) {
	r := key.(Rumor)
	w.Violate("m%d listed m%d as %v more than %d ticks ago, and m%d has not heard of it", r.By+1, r.Of+1, r.State, i.bound(r), r.To+1)
}
