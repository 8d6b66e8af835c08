package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// A position is a position of the game between adversary and chance within a state. The first position is the
// state itself: the adversary moves there, unless a coin is undecided. A draw within a step, and a choice after
// a draw, are positions of their own.
type position struct {
	Chance bool          // chance moves, else the adversary
	From   int32         // the position before
	Step   liveness.Step // the step from From to here
}

// turns are the positions of a state that is being expanded. The first position is the state.
type turns struct {
	All []position // in the order of their discovery
	At  int32      // the position whose successors are being computed
}

// atPosition calls what at a position where chance, or the adversary, moves. If the other player moves at the
// present position, the call is at a new position after the present move.
func (w *Worker) atPosition(chance bool, what func()) {
	at := w.Turns.At
	if w.Turns.All[at].Chance != chance {
		w.Turns.At = int32(len(w.Turns.All))
		w.Turns.All = append(w.Turns.All, position{chance, at, w.turnStep()})
	}
	what()
	w.Turns.At = at
}

// turnStep returns the step of a move that leads to another position. The effects of its event come later.
func (w *Worker) turnStep() liveness.Step {
	return liveness.Step{Event: moveEvent(w.Move), Passes: w.Move.Delay > 0}
}

// each calls take with each outcome of a handler. Where coins are tossed, each call is at the outcome's
// position of the game.
func (w *Worker) each(outcomes []component.Outcome, take func(o *component.Outcome)) {
	if w.Coins.Tossed {
		w.unfold(outcomes, 0, take)
		return
	}
	for k := range outcomes {
		take(&outcomes[k])
	}
}

// unfold calls take with each of the outcomes, all of which have the first depth picks in common. The adversary
// makes the picks that are not drawn, and knows the earlier draws.
func (w *Worker) unfold(outcomes []component.Outcome, depth int, take func(o *component.Outcome)) {
	first := &outcomes[0]
	if len(first.Picks) == depth {
		w.atPosition(false, func() { take(first) })
		return
	}
	w.atPosition(first.Picks[depth].Drawn, func() {
		for len(outcomes) > 0 {
			n := 1
			for n < len(outcomes) && outcomes[n].Picks[depth].Is == outcomes[0].Picks[depth].Is {
				n++
			}
			w.unfold(outcomes[:n], depth+1, take)
			outcomes = outcomes[n:]
		}
	})
}

// expandGame expands a state where coins are tossed. Time passes within the expansion at most until a coin is
// undecided.
func (w *Worker) expandGame(v []uint32) {
	w.Turns = turns{All: append(w.Turns.All[:0], position{})}
	if i := w.Undecided(v); i >= 0 {
		w.toss(v, i)
		return
	}
	if w.beginsAtBoot(v) {
		return
	}
	if w.Coins.Against == model.Nonadaptive {
		w.expandInstant(w.clock)
		return
	}
	for delay := int32(0); ; delay++ {
		w.Move = Move{Delay: delay}
		w.fire(w.clock)
		w.environment(w.clock)
		if !w.passTick(delay + 1) {
			return
		}
	}
}

// passTick lets a tick pass on the clock, which is then delay ticks ahead of the state. It reports whether the
// adversary may still wait. Otherwise, if time may pass at all, it emits the clock as a state of its own: a
// coin is undecided there, or nothing changes any more.
func (w *Worker) passTick(delay int32) bool {
	if slices.ContainsFunc(w.clock[w.Head:], func(id uint32) bool {
		return w.Recall(id, aboutTick, func() uint32 { return w.Ticked(id) }) == component.Blocked
	}) {
		return false
	}
	changed, tossed := w.tickAll(), w.Undecided(w.clock) >= 0
	w.presentPrint = w.PrintOfState(w.clock)
	if changed && !tossed && w.Coins.Against != model.Nonadaptive {
		return true
	}
	w.Move, w.Movable = Move{Kind: Passing, Delay: delay}, w.Movable || tossed
	w.finish(w.copyState(w.clock))
	return false
}

// expandInstant expands a state against a nonadaptive adversary, at one instant. The applications and the
// environment move; or chance selects an event, or lets a tick pass.
func (w *Worker) expandInstant(v []uint32) {
	w.Move = Move{}
	var chances []int
	for i := w.Head; i < len(v); i++ {
		f := &w.Flats[v[i]]
		switch {
		case f.Lo > 0 || f.Kind >= component.Hold || i > w.Head && v[i] == v[i-1]:
		case f.Kind == component.Kind(model.Deliver) && f.Pos > 0: // not first in its channel: the position would have no move
		case f.Kind == component.Kind(model.Invoke) || f.Kind == component.Kind(model.Release):
			w.fireOne(v, i, f)
		default:
			chances = append(chances, i)
		}
	}
	w.environment(v)
	w.Move = Move{Kind: tossing}
	w.atPosition(true, func() {
		for _, i := range chances {
			f := &w.Flats[v[i]]
			w.Move = Move{Kind: model.EventKind(f.Kind), Base: f.Base}
			w.atPosition(false, func() { w.fireOne(v, i, f) })
		}
		w.passTick(1)
	})
}
