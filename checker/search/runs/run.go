// Package runs has runs as the search names them, and takes them again.
//
// A search keeps of each state that it meets only by which name and from where. A [Taker] finds
// a way along these names, step by step, and gives it as a [Route]: the run to a state, or to what
// is wrong there. [Dense] does so in dense time, where a class has many ways into it. A [Beginning]
// is a run that is given to a search, which begins where it ends.
package runs

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
)

// A Step is one move of a run as the search names it: by the event that it takes, without
// times.
type Step struct {
	Kind  model.EventKind
	Node  model.NodeID // -1 for an Expire
	From  model.NodeID
	Op    int
	Value any
	// Occurrence is the event's number among those of its kind, nodes and type, as traces
	// count them; 0 when no event is taken. What arrives once more after a restart keeps
	// its number.
	Occurrence int
	Claim      int // whose monitor's alarm an Expire is
	Picks      []Pick
	Delay      int // grid ticks before it
}

// A Pick is one answer that a step gave to a handler.
type Pick struct {
	Of, Is int
	Held   bool // of Held: 0 says that it lasts
}

// A Message is one in flight. With its nodes and its type, its occurrence names it.
type Message struct {
	From, To   model.NodeID
	Value      any
	Occurrence int
}

// A Route is a run that is taken again, with the messages in flight at the start and after each
// step, and the state at its end.
type Route struct {
	Boot    []Pick // the answers that Start was given as the run began
	Steps   []Step
	Flights [][]Message
	Keys    []fingerprint.Print // of the states, the first one's first; none in dense time
	V       []uint32            // the state at its end; nil before the first
	cast    step.Cast
}

// StepsOnly leaves out the moves that are no steps of a run, and says which step the
// given move has become. The time that they take is that of the step after them.
func (r Route) StepsOnly(move int) (steps []Step, flights [][]Message, is int) {
	flights = r.Flights[:1]
	delay := 0
	for i, s := range r.Steps {
		if i == move {
			is = len(steps)
		}
		if s.Kind >= step.Passing {
			delay += s.Delay
			continue
		}
		s.Delay += delay
		delay = 0
		steps, flights = append(steps, s), append(flights, r.Flights[i+1])
	}
	return steps, flights, is
}

// A Disagreement is that of the search with the interpreter, or with itself: a violation
// that the interpreter does not confirm, or a state to which no way is found again. One of
// the implementations of the semantics is wrong then. It costs the claim its verdict; what
// is said of the others does not rest on it.
type Disagreement struct{ Err error }

func (d Disagreement) Error() string {
	return "the search and the interpreter disagree: " + d.Err.Error()
}

func (d Disagreement) Unwrap() error { return d.Err }
