package search

import (
	"slices"

	"contend/checker/search/liveness"
	"contend/model"
)

// A position is a point of the game within a state. At the first, which is the state
// itself, it is the adversary's turn, unless a coin is undecided there; a draw within a
// step, and a choice after it, are positions of their own.
type position struct {
	chance bool
	from   int32 // the turn that led to it, by the step below
	step   liveness.Step
}

// turns are the positions of a state that is being expanded. The first is the state.
type turns struct {
	all []position
	at  int32 // the one whose successors are being made
}

// within lets what follows happen at a turn of chance, or of the adversary: at the
// present one, if it is that, or at one of its own to which the present move leads.
func (w *worker) within(chance bool, what func()) {
	at := w.turns.at
	if w.turns.all[at].chance != chance {
		w.turns.at = int32(len(w.turns.all))
		w.turns.all = append(w.turns.all, position{chance, at, w.turnStep()})
	}
	what()
	w.turns.at = at
}

// turnStep is what a move does that leads to another turn: what comes of its event is made
// only then.
func (w *worker) turnStep() liveness.Step {
	return liveness.Step{Event: eventOf(w.move), Passes: w.move.delay > 0}
}

// each hands on the outcomes of a handler, each at its turn.
func (w *worker) each(outcomes []outcome, take func(o *outcome)) {
	if w.coins.tossed {
		w.unfold(outcomes, 0, take)
		return
	}
	for k := range outcomes {
		take(&outcomes[k])
	}
}

// unfold hands on the outcomes that have so many picks in common. The adversary picks
// what a handler does not draw, and knows what was drawn before.
func (w *worker) unfold(outcomes []outcome, depth int, take func(o *outcome)) {
	first := &outcomes[0]
	if len(first.picks) == depth {
		w.within(false, func() { take(first) })
		return
	}
	w.within(first.picks[depth].drawn, func() {
		for len(outcomes) > 0 {
			n := 1
			for n < len(outcomes) && outcomes[n].picks[depth].is == outcomes[0].picks[depth].is {
				n++
			}
			w.unfold(outcomes[:n], depth+1, take)
			outcomes = outcomes[n:]
		}
	})
}

// play expands a state where coins are tossed. Between two steps time goes on at most
// until a coin is undecided.
func (w *worker) play(v []uint32) {
	w.turns = turns{all: append(w.turns.all[:0], position{})}
	if i := w.undecided(v); i >= 0 {
		w.toss(v, i)
		return
	}
	if w.beginsAtBoot(v) {
		return
	}
	if w.coins.against == model.Nonadaptive {
		w.leave(w.clock)
		return
	}
	for delay := int32(0); ; delay++ {
		w.move = move{delay: delay}
		w.fire(w.clock)
		w.environment(w.clock)
		if !w.pass(delay + 1) {
			return
		}
	}
}

// pass lets a tick pass on the clock, so many after the state; true when the adversary
// may still wait with what happens next. Else, if time may go on at all, it comes to a
// state of its own: one where a coin is undecided, or where nothing changes any more.
func (w *worker) pass(delay int32) bool {
	if slices.ContainsFunc(w.clock[w.head:], func(id uint32) bool {
		return w.recall(id, aboutTick, func() uint32 { return w.ticked(id) }) == blocked
	}) {
		return false
	}
	changed, tossed := w.tickAll(), w.undecided(w.clock) >= 0
	w.at = w.printOfState(w.clock)
	if changed && !tossed && w.coins.against != model.Nonadaptive {
		return true
	}
	w.move, w.movable = move{kind: passing, delay: delay}, w.movable || tossed
	w.finish(w.copied(w.clock))
	return false
}

// leave expands a state against a nonadaptive adversary, at one instant: the
// applications and the environment move, or else chance lets something happen, or a
// tick pass.
func (w *worker) leave(v []uint32) {
	w.move = move{}
	var chances []int
	for i := w.head; i < len(v); i++ {
		f := &w.flats[v[i]]
		switch {
		case f.lo > 0 || f.kind >= hold || i > w.head && v[i] == v[i-1]:
		case f.kind == kind(model.Deliver) && f.pos > 0: // not yet: a turn without a way on would be left
		case f.kind == kind(model.Invoke) || f.kind == kind(model.Release):
			w.fireOne(v, i, f)
		default:
			chances = append(chances, i)
		}
	}
	w.environment(v)
	w.move = move{kind: tossing}
	w.within(true, func() {
		for _, i := range chances {
			f := &w.flats[v[i]]
			w.move = move{kind: model.EventKind(f.kind), base: f.base}
			w.within(false, func() { w.fireOne(v, i, f) })
		}
		w.pass(1)
	})
}
