package traces

import "fmt"

// A NoReturn is the point of no return of a run: after it, the goal of the run's claim cannot be reached
// without the help of the environment. Only the search that found the run can compute it. A replay can only
// check that the run does not reach the goal after it.
type NoReturn struct {
	// After is the number of steps before the point of no return, 0 for the initial state. It is -1 if the goal
	// can still be reached from the last state.
	After int `json:"after"`
	// AtLatest reports that the point may be earlier: the state before it was not decided.
	AtLatest bool `json:"atLatest,omitempty"`
	// Unknown is the limit that stopped the search before it found the point, or "". If it is set, After is 0
	// and has no meaning.
	Unknown string `json:"unknown,omitempty"`
}

// Point returns the number of steps before the point of no return. It reports false if n is nil, or if the
// point is unknown or does not exist.
func (n *NoReturn) Point() (after int, ok bool) {
	if n == nil || n.Unknown != "" || n.After < 0 {
		return 0, false
	}
	return n.After, true
}

// String returns a sentence for people, or "" if n is nil.
func (n *NoReturn) String() string {
	switch {
	case n == nil:
		return ""
	case n.Unknown != "":
		return "it is not known from where on the goal cannot be reached: the limit is " + n.Unknown
	case n.After < 0:
		return "the goal can be reached still, but the run does not go there"
	case n.AtLatest:
		return "from here on, at the latest, the goal cannot be reached"
	}
	return "from here on the goal cannot be reached"
}

// Rounds returns a sentence that names the steps of the loop, or "" if the run is no lasso.
func (t *Trace) Rounds() string {
	switch last := len(t.Steps); {
	case t.Loop == 0:
		return ""
	case t.Loop == last:
		return fmt.Sprintf("step %d repeats for ever", last)
	default:
		return fmt.Sprintf("steps %d to %d repeat for ever", t.Loop, last)
	}
}

// validateEnd returns an error if Loop or NoReturn breaks a rule.
func (t *Trace) validateEnd() error {
	n := t.NoReturn
	switch {
	case t.Loop < 0 || t.Loop > len(t.Steps):
		return fmt.Errorf("loop is %d, but must be a step, 1 to %d, or 0 for none", t.Loop, len(t.Steps))
	case (t.Loop > 0 || n != nil) && t.Claim == "":
		return fmt.Errorf("loop and noReturn are of a claim, but claim is missing")
	case n == nil:
		return nil
	case n.After < -1 || n.After > len(t.Steps):
		return fmt.Errorf("noReturn: after is %d, but must be -1 to %d", n.After, len(t.Steps))
	case n.AtLatest && n.After < 1:
		return fmt.Errorf("noReturn: atLatest is set, but there is no step before %d", n.After)
	case n.Unknown != "" && n.After != 0:
		return fmt.Errorf("noReturn: after is %d, but unknown says that it is not known", n.After)
	}
	return validateWord("noReturn: unknown", n.Unknown)
}
