package sample

import (
	"slices"

	"contend/checker/sample/stepper"
	"contend/model"
)

// manner is how a Byzantine node behaves during one run.
type manner int

const (
	silent       manner = iota // it never answers
	prompt                     // it says the same to everybody, at once: it looks honest
	delaying                   // it says anything, as late as it can
	equivocating               // it tells each receiver something else, and keeps to it
	arbitrary                  // it says anything at any time
	manners
)

// A liar is a Byzantine node in one run.
type liar struct {
	id     model.NodeID
	manner manner
	keeps  map[model.NodeID]int // what it tells each receiver: a place in the alphabet
}

func drawLiars(s *model.System, c Choices) []*liar {
	var liars []*liar
	for _, id := range s.IDs(func(n model.NodeSpec) bool { return n.Byzantine }) {
		if m := manner(c.Choose(int(manners))); m != silent {
			liars = append(liars, &liar{id: id, manner: m, keeps: map[model.NodeID]int{}})
		}
	}
	return liars
}

func (st *style) liar(id model.NodeID) *liar {
	return st.liars[slices.IndexFunc(st.liars, func(l *liar) bool { return l.id == id })]
}

// forge chooses a liar, a receiver and a message. There is none when no receiver
// would take any, or none is on the liar's side of a cut.
func (r *run) forge() (m stepper.Move, ok bool) {
	l := r.style.liars[r.c.Choose(len(r.style.liars))]
	type audience struct {
		to       model.NodeID
		messages int
	}
	var all []audience
	for i := range r.system.Nodes {
		to := model.NodeID(i)
		if messages := r.Alphabet(to, l.id); messages > 0 {
			all = append(all, audience{to, messages})
		}
	}
	if len(all) == 0 || r.Failed() {
		return stepper.Move{}, false
	}
	a := all[r.c.Choose(len(all))]
	return stepper.Move{Kind: model.Forge, Node: a.to, From: l.id, Place: l.says(r.c, a.to, a.messages)}, true
}

// says chooses a place in an alphabet, or keeps to what the liar said before.
func (l *liar) says(c Choices, to model.NodeID, messages int) int {
	switch l.manner {
	case prompt:
		to = -1 // the same for everybody
	case equivocating:
	default:
		return c.Choose(messages)
	}
	is, said := l.keeps[to]
	if !said {
		is = c.Choose(messages)
		l.keeps[to] = is
	}
	return is % messages
}
