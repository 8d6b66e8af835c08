package search

import "contend/model"

// Moves that are no step of a run.
const (
	passing model.EventKind = 110 + iota // time passes
	tossing                              // chance decides about a coin
)

// undecided returns the place of a part about which chance has yet to decide at this
// instant, or -1. Against a foreseeing adversary the instant of a coin is decided when
// it is set. Against others it is decided, each time that it might happen, whether it
// happens now: a coin that does has nothing left of its window, one that does not has
// one more tick to go.
func (w *worker) undecided(v []uint32) int {
	for i := w.head; i < len(v); i++ {
		f := &w.flats[v[i]]
		if f.coin && f.lo < f.hi && (f.lo == 0 || w.coins.against == model.Foreseeing) {
			return i
		}
	}
	return -1
}

// toss hands on the outcomes of a coin.
func (w *worker) toss(v []uint32, i int) {
	w.move, w.movable = move{kind: tossing}, true
	f := w.flats[v[i]]
	outcomes := []part{{f.base, 0, 0, true}, {f.base, 1, f.hi, true}}
	if w.coins.against == model.Foreseeing {
		outcomes = outcomes[:0]
		for at := f.lo; at <= f.hi; at++ {
			outcomes = append(outcomes, part{f.base, at, at, true})
		}
	}
	for _, o := range outcomes {
		var id uint32
		w.ask(func() { id = w.store.part(o) })
		next := w.copied(v)
		w.replace(next, i, id)
		w.finish(next)
	}
}
