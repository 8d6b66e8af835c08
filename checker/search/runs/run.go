// Package runs describes the runs of a search and replays them.
//
// A search stores only the key of each state and of its parent. A [Taker] finds a path along these keys and
// returns it as a [Route]: the run to a state, or to a step that breaks a claim. [Dense] does the same in dense
// time, where a class has several predecessors. A [Beginning] is a given run at whose end a search begins.
package runs

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
)

// A Step is one move of a run, identified by its event, without absolute times.
type Step struct {
	Kind  model.EventKind
	Node  model.NodeID // -1 for an Expire
	From  model.NodeID
	Op    int
	Value any
	// Occurrence numbers the events with the same kind, nodes and type, from 1, as in traces; 0
	// without an event. A message that arrives again after a restart keeps its number.
	Occurrence int
	Optional   bool // it delivers a message that need not arrive, as after a restart
	Claim      int  // the claim of an Expire, by index
	Picks      []Pick
	Delay      int // grid steps before the move
}

// A Pick is one answer to a handler.
type Pick struct {
	Of, Is int
	Held   bool // an answer of Held: Is is 0 if the hold lasts
}

// A Message is a message in flight. Its nodes, its type and its occurrence identify it.
type Message struct {
	From, To   model.NodeID
	Value      any
	Occurrence int
}

// A Route is a replayed run, with the messages in flight at the start and after each step, and its last state.
type Route struct {
	Boot    []Pick // the answers to Start
	Steps   []Step
	Flights [][]Message
	Keys    []fingerprint.Print // of the states, from the initial state on; nil in dense time
	V       []uint32            // the last state; nil before the initial state
	cast    step.Cast
}

// StepsOnly returns the moves that are steps of a run, and the index in steps of the given move. The delays of
// the omitted moves are added to the next step.
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

// A Disagreement is an error of the checker: the search and the interpreter, or two computations of the search,
// contradict each other. Either the interpreter does not confirm a violation, or no route to a known state is
// found. The claim then has no verdict. Verdicts of other claims do not depend on it.
type Disagreement struct{ Err error }

func (d Disagreement) Error() string {
	return "the search and the interpreter disagree: " + d.Err.Error()
}

func (d Disagreement) Unwrap() error { return d.Err }
