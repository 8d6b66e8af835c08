package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// A position is a point of the game within a state. At the first, which is the state
// itself, it is the adversary's turn, unless a coin is undecided there; a draw within a
// step, and a choice after it, are positions of their own.
type position struct {
	Chance bool          // chance moves, and not the adversary
	From   int32         // the turn that led to it, by the step below
	Step   liveness.Step // that leads there from that turn
}

// turns are the positions of a state that is being expanded. The first is the state.
type turns struct {
	All []position // in the order in which they were come to
	At  int32      // the one whose successors are being made
}

// within lets what follows happen at a turn of chance, or of the adversary: at the
// present one, if it is that, or at one of its own to which the present move leads.
func (w *Worker) within(chance bool, what func()) {
	at := w.Turns.At
	if w.Turns.All[at].Chance != chance {
		w.Turns.At = int32(len(w.Turns.All))
		w.Turns.All = append(w.Turns.All, position{chance, at, w.turnStep()})
	}
	what()
	w.Turns.At = at
}

// turnStep is what a move does that leads to another turn: what comes of its event is made
// only then.
func (w *Worker) turnStep() liveness.Step {
	return liveness.Step{Event: eventOf(w.Move), Passes: w.Move.Delay > 0}
}

// each hands on the outcomes of a handler, each at its turn.
func (w *Worker) each(outcomes []component.Outcome, take func(o *component.Outcome)) {
	if w.Coins.Tossed {
		w.unfold(outcomes, 0, take)
		return
	}
	for k := range outcomes {
		take(&outcomes[k])
	}
}

// unfold hands on the outcomes that have so many picks in common. The adversary picks
// what a handler does not draw, and knows what was drawn before.
func (w *Worker) unfold(outcomes []component.Outcome, depth int, take func(o *component.Outcome)) {
	first := &outcomes[0]
	if len(first.Picks) == depth {
		w.within(false, func() { take(first) })
		return
	}
	w.within(first.Picks[depth].Drawn, func() {
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

// play expands a state where coins are tossed. Between two steps time goes on at most
// until a coin is undecided.
func (w *Worker) play(v []uint32) {
	w.Turns = turns{All: append(w.Turns.All[:0], position{})}
	if i := w.Undecided(v); i >= 0 {
		w.toss(v, i)
		return
	}
	if w.beginsAtBoot(v) {
		return
	}
	if w.Coins.Against == model.Nonadaptive {
		w.leave(w.clock)
		return
	}
	for delay := int32(0); ; delay++ {
		w.Move = Move{Delay: delay}
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
func (w *Worker) pass(delay int32) bool {
	if slices.ContainsFunc(w.clock[w.Head:], func(id uint32) bool {
		return w.Recall(id, aboutTick, func() uint32 { return w.Ticked(id) }) == component.Blocked
	}) {
		return false
	}
	changed, tossed := w.tickAll(), w.Undecided(w.clock) >= 0
	w.at = w.PrintOfState(w.clock)
	if changed && !tossed && w.Coins.Against != model.Nonadaptive {
		return true
	}
	w.Move, w.Movable = Move{Kind: Passing, Delay: delay}, w.Movable || tossed
	w.finish(w.copied(w.clock))
	return false
}

// leave expands a state against a nonadaptive adversary, at one instant: the
// applications and the environment move, or else chance lets something happen, or a
// tick pass.
func (w *Worker) leave(v []uint32) {
	w.Move = Move{}
	var chances []int
	for i := w.Head; i < len(v); i++ {
		f := &w.Flats[v[i]]
		switch {
		case f.Lo > 0 || f.Kind >= component.Hold || i > w.Head && v[i] == v[i-1]:
		case f.Kind == component.Kind(model.Deliver) && f.Pos > 0: // not yet: a turn without a way on would be left
		case f.Kind == component.Kind(model.Invoke) || f.Kind == component.Kind(model.Release):
			w.fireOne(v, i, f)
		default:
			chances = append(chances, i)
		}
	}
	w.environment(v)
	w.Move = Move{Kind: tossing}
	w.within(true, func() {
		for _, i := range chances {
			f := &w.Flats[v[i]]
			w.Move = Move{Kind: model.EventKind(f.Kind), Base: f.Base}
			w.within(false, func() { w.fireOne(v, i, f) })
		}
		w.pass(1)
	})
}
