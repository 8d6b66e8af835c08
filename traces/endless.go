package traces

import "fmt"

// A NoReturn says from where on a run cannot come to the goal of its claim any more, whatever
// happens, unless the environment should help: the point of no return. The search that found the
// run knows it; a replay can only see that the goal is not reached behind it.
type NoReturn struct {
	// After is the number of steps behind which that is so, 0 for from the beginning; -1 where the
	// goal can be reached still from the state at the end.
	After int `json:"after"`
	// AtLatest says that it may be so earlier: of the state before it is not known.
	AtLatest bool `json:"atLatest,omitempty"`
	// Unknown is the limit of the search that keeps it from being known. Then After is 0 and says
	// nothing.
	Unknown string `json:"unknown,omitempty"`
}

// Point is the point of no return, if there is one and it is known: the number of steps before it.
func (n *NoReturn) Point() (after int, ok bool) {
	if n == nil || n.Unknown != "" || n.After < 0 {
		return 0, false
	}
	return n.After, true
}

// String says it in a sentence without its subject, the step. Of nil it is empty.
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

// Rounds says which steps repeat for ever; "" where none do.
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

// validateEnd holds what is said of the end of a run to its rules.
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
