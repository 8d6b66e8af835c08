package search

import (
	"fmt"

	"contend/checker/search/decide"
	"contend/model"
)

// coins says how a search reads what is drawn at random. For an AlmostSurely claim
// coins are tossed: states become positions of a game between an adversary and
// chance, in which each draw is a position of its own. Every other claim takes coins
// for choices like any other.
//
// The law of a coin is uniform over the whole steps of the grid within its window.
// Whether a goal is reached with probability one depends only on which outcomes are
// possible.
type coins struct {
	tossed  bool
	against model.Adversary
}

// coins is how a search for claims reads them. In dense time it says nothing of
// probability.
func (o *Options) coins(claims []model.Claim) coins {
	for _, c := range claims {
		if c.Kind == model.AlmostSurely && !o.Dense {
			return coins{true, c.Against}
		}
	}
	return coins{}
}

// oneAdversary says in a sentence why claims cannot be searched together, or nil.
func (o *Options) oneAdversary(claims []model.Claim) error {
	with := o.coins(claims)
	for _, c := range claims {
		if c.Kind != model.AlmostSurely {
			continue
		}
		if e := decide.Of(decide.Case{Kind: decide.AlmostSurely, Reading: o.reading()}); e.Refused {
			return fmt.Errorf("claim %s: %s", c.Name, sentence(e))
		}
		if with.tossed && c.Against != with.against {
			return fmt.Errorf("claim %s: it is against an adversary that is %v, and cannot be searched with one that is %v", c.Name, c.Against, with.against)
		}
	}
	return nil
}

// tossed returns the part of an event whose instant is a coin. Its bounds are read
// exactly even where the grid closes those of others: chance gains nothing from an
// outcome that it does not have.
func (st *store) tossed(b uint32, w model.Window) uint32 {
	exact := refinement{exact: true, parts: st.refine.parts}
	p := part{base: b, lo: exact.ticks(w.Lo, 1), hi: exact.ticks(w.Hi, -1), coin: true}
	if w.Hi.At == model.Forever || p.hi < p.lo {
		model.Misused("an instant is drawn from %v, which has no end or no whole tick", w)
	}
	return st.part(p)
}

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
