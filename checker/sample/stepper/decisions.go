package stepper

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// Decisions are all that was decided in a live run: they are enough to take it again. They last until
// the next run begins of the stepper that they are of.
type Decisions struct {
	Boot    []int // answers of Start
	steps   []decision
	answers []int // of all steps
}

// A decision is a move that was tried, and when.
type decision struct {
	move    Move
	at      world.Time
	taken   bool
	answers int // that were given so far
	moves   int // that there were
}

// Answers answers from a list, and 0 when that has ended.
func Answers(list []int) func(n int) int {
	return func(n int) int {
		if len(list) == 0 {
			return 0
		}
		is := list[0]
		list = list[1:]
		return is % n
	}
}

// An Astray error is that of a run that goes another way when it is taken again.
type Astray struct {
	Step int // the first that is another, from 1
	What string
}

func (e Astray) Error() string {
	return fmt.Sprintf("taken again, the run goes another way at step %d: %s", e.Step, e.What)
}

// Follow takes the run in another stepper, which has begun it. The error is an [Astray], or says why
// a step cannot be taken.
func (d Decisions) Follow(x Stepper) error {
	asked := 0
	from := Answers(d.answers)
	answer := func(n int) int {
		asked++
		return from(n)
	}
	for _, step := range d.steps {
		at := x.Steps() + 1
		if !offers(x, step) {
			return Astray{at, "the moves that there are"}
		}
		taken, err := x.Step(step.move, step.at, answer)
		switch {
		case err != nil:
			return err
		case taken != step.taken:
			return Astray{at, "whether it leads beyond a cut"}
		case asked != step.answers:
			return Astray{at, "its choices"}
		}
	}
	return nil
}

// offers reports whether a decision is between as many moves as before, and its move is among them.
func offers(x Stepper, d decision) bool {
	moves, _ := x.Moves()
	m := d.move
	switch {
	case len(moves) != d.moves:
		return false
	case m.Kind == model.Forge:
		return !x.Failed() && m.Place < x.Alphabet(m.Node, m.From)
	}
	m.By = ""
	return m.Place < len(moves) && moves[m.Place] == m
}
