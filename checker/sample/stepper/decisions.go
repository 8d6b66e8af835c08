package stepper

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// Decisions are a live run's moves and answers. They suffice to repeat the run. They are valid until the
// stepper's next run.
type Decisions struct {
	Boot    []int // of Start
	steps   []decision
	answers []int // of all steps
}

// A decision is a tried move with its instant.
type decision struct {
	move    Move
	instant world.Time
	taken   bool
	answers int // number of answers until then
	moves   int // number of possible moves
}

// Answers returns a function that answers from a list, and 0 after its end.
func Answers(list []int) func(n int) int {
	return func(n int) int {
		if len(list) == 0 {
			return 0
		}
		choice := list[0]
		list = list[1:]
		return choice % n
	}
}

// An Astray error reports that a repeated run diverges.
type Astray struct {
	Step int // the first different step, from 1
	What string
}

func (e Astray) Error() string {
	return fmt.Sprintf("taken again, the run goes another way at step %d: %s", e.Step, e.What)
}

// Follow repeats the run in another stepper, whose run has begun. The error is an [Astray], or a step's.
func (d Decisions) Follow(x Stepper) error {
	count := 0
	from := Answers(d.answers)
	answer := func(n int) int {
		count++
		return from(n)
	}
	for _, step := range d.steps {
		at := x.Steps() + 1
		if !offers(x, step) {
			return Astray{at, "the moves that there are"}
		}
		taken, err := x.Step(step.move, step.instant, answer)
		switch {
		case err != nil:
			return err
		case taken != step.taken:
			return Astray{at, "whether it leads beyond a cut"}
		case count != step.answers:
			return Astray{at, "its choices"}
		}
	}
	return nil
}

// offers reports whether a decision's move is possible, among as many moves as before.
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
