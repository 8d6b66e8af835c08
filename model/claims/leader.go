package claims

import "contend/model"

// OneLeaderATerm claims that each term has at most one leader. The function leads returns the term in which the
// observed node became the leader, and must be pure. Kind always, no assumptions.
func OneLeaderATerm(leads func(o model.Observation) (term int, ok bool)) model.Claim {
	return model.Claim{Name: "one leader a term", Kind: model.Always, Monitor: func(*model.System) model.Monitor {
		return &leaders{leads: leads, Of: map[int]model.NodeID{}}
	}}
}

type leaders struct {
	leads func(o model.Observation) (int, bool)
	Of    map[int]model.NodeID
}

func (l *leaders) Observe(w model.Watch, o model.Observation) {
	term, ok := l.leads(o)
	if !ok {
		return
	}
	w.Witness()
	if first, led := l.Of[term]; led && first != o.Node {
		w.Violate("it leads in term %d, in which another node does", term)
		return
	}
	l.Of[term] = o.Node
}
