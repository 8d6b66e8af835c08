package walk

import "fmt"

// A Turning is the point in a run from which the violation at its end is inevitable.
type Turning struct {
	Avoidable  int   // the last step after which the violation was found to be avoidable; -1 if there is none
	Inevitable int   // the first step after which it was found to be inevitable
	Other      Place // the end of a run without violation
}

// Turn computes the Turning of a run of the given number of steps. The last step violates the claim. It goes
// backwards from the last step, and calls after for a walk at the state after a step. Its searches take at
// most most steps together, an equal share from each state. Closing stop ends it.
func Turn(steps int, claim string, most int, stop <-chan struct{}, after func(step int) (*Walk, error)) (Turning, error) {
	t := Turning{Avoidable: -1, Inevitable: steps}
	looking := NewAvoiding(claim, 0, stop)
	for step := steps - 1; step >= 0; step-- {
		w, err := after(step)
		if err != nil {
			return t, err
		}
		looking.steps = most / steps
		switch outlook, other := looking.From(w); outlook {
		case Avoidable:
			t.Avoidable, t.Other = step, other
			return t, nil
		case Inevitable:
			t.Inevitable = step
		}
	}
	return t, nil
}

// String returns one or two sentences for people.
func (t Turning) String() string {
	onward := fmt.Sprintf("After step %d the run could still go on without breaking the claim.", t.Avoidable)
	switch {
	case t.Avoidable < 0 && t.Inevitable == 0:
		return "It is inevitable from the beginning: unless a fault prevents it, every run breaks the claim."
	case t.Avoidable < 0:
		return fmt.Sprintf("Step %d made it inevitable at the latest: no run that avoids it was found before, but not all were tried.", t.Inevitable)
	case t.Avoidable+1 < t.Inevitable:
		return fmt.Sprintf("One of the steps %d to %d made it inevitable. %s", t.Avoidable+1, t.Inevitable, onward)
	}
	return fmt.Sprintf("Step %d made it inevitable. %s", t.Inevitable, onward)
}
