package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// Kinds of moves that are no step of a run.
const (
	Passing model.EventKind = 110 + iota // time passes
	tossing                              // chance decides about a coin
)

// Undecided returns the index of a part whose coin is undecided at this instant, or -1. Against a foreseeing
// adversary, chance decides when the event is created. Against the others, chance decides at each instant at
// which the event may fire: it fires now, or waits for at least one more tick.
func (w *Worker) Undecided(v []uint32) int {
	for i := w.Head; i < len(v); i++ {
		f := &w.Flats[v[i]]
		if f.Coin && f.Lo < f.Hi && (f.Lo == 0 || w.Coins.Against == model.Foreseeing) {
			return i
		}
	}
	return -1
}

// toss emits the outcomes of a coin.
func (w *Worker) toss(v []uint32, i int) {
	w.Move, w.Movable = Move{Kind: tossing}, true
	f := w.Flats[v[i]]
	outcomes := []component.Part{{Base: f.Base, Lo: 0, Hi: 0, Coin: true}, {Base: f.Base, Lo: 1, Hi: f.Hi, Coin: true}}
	if w.Coins.Against == model.Foreseeing {
		outcomes = outcomes[:0]
		for at := f.Lo; at <= f.Hi; at++ {
			outcomes = append(outcomes, component.Part{Base: f.Base, Lo: at, Hi: at, Coin: true})
		}
	}
	for _, o := range outcomes {
		var id uint32
		w.Ask(func() { id = w.Store.Part(o) })
		next := w.copyState(v)
		w.replacePart(next, i, id)
		w.finish(next)
	}
}
