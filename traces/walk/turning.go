package walk

import "fmt"

// A Turning is where in a run the violation of its last step becomes inevitable.
type Turning struct {
	Avoidable  int   // the last step after which it is known that it could be avoided; -1 if there is none
	Inevitable int   // the first step after which it is known that it could not
	Other      Place // the end of a run that avoids it
}

// Turn goes back from the last of so many steps of a run, which breaks a claim, to where that could be avoided. It asks
// for the walk after each of the steps, from the last one on, and searches take so many steps besides, most, the same share from each
// place, until stop is closed.
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

// String says it in one or two sentences.
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
