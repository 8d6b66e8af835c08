// Package stepper has the runs that sampling steps, an event at a time. A [Stepper] says what may happen next
// and lets it happen; which of it does, and when, is chosen elsewhere. The same choices give the same run
// in every stepper.
package stepper

import (
	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/world"
)

// A Stepper is a run in progress.
type Stepper interface {
	// Moves lists what may happen next, forgeries aside: first the protocol's events, the oldest first,
	// then what the environment may do. Own is how many are the protocol's. The list lasts until the next step.
	Moves() (moves []Move, own int)
	// Alphabet returns how many messages a Byzantine node may have arrive at another now. That this cannot be
	// said because the system's Forge fails ends the run: see Failed.
	Alphabet(to, from model.NodeID) int
	// Message is one of them, from 0, in an order that depends on the receiver's state alone. It is not to be changed.
	Message(to, from model.NodeID, place int) any
	// MessageKey is equal for equal messages, of an alphabet or sent, in all runs of a system.
	MessageKey(to, from model.NodeID, place int) uint64
	// Step takes a move at an instant within its Span. Choose answers handlers with a number in [0, n).
	// It is not taken, and the run is where it was, if it leads beyond a cut; an event of the protocol that does
	// is not among the moves any more.
	Step(m Move, at world.Time, choose func(n int) int) (taken bool, err error)

	// Now is the instant that the run has come to.
	Now() world.Time
	// Span is the first and the last instant at which a move may be taken.
	Span(m Move) (first, last world.Time)
	// Longest is the longest finite time of the alarms that were set and of the holds that were asked for.
	Longest() model.Ticks

	// Did says what the last step came to.
	Did() Did
	// Sent tells of each message that the last step sent, those to Byzantine nodes included: its key, as
	// MessageKey, and what makes it. It is not to be changed.
	Sent(tell func(from, to model.NodeID, key uint64, message func() any))

	Steps() int      // taken so far
	Booting() bool   // operations at boot have yet to begin: nothing else happens
	Done() bool      // every script is done, or its node is down for good
	Awaits() bool    // the scripts of nodes that are down are not done, all others are
	Failed() bool    // a handler failed: the run is over
	Shortened() bool // a move was found to lead beyond a cut
	// Broken names the claim of each violation so far.
	Broken() []string

	// Place names where the run has come to, with pending events in the order of a planner. More is part of it.
	Place(by strategy.Planner, more []byte) strategy.Place
	// Observed names what monitors observed: what has the name so far, and then what is not seen yet.
	Observed(soFar strategy.Place, seen *int) strategy.Place

	// Event describes a move for a scheduler, without its key.
	Event(m Move) strategy.Event
	// Key is that of a move's event; 0 of a move that has none.
	Key(m Move) uint64
	// Local names the state of a node, in all runs of a system; 0 of one that is down, and of none.
	Local(id model.NodeID) uint64
}

// A Move is what may happen next: a pending event, or something that the environment does.
type Move struct {
	Kind model.EventKind
	Node model.NodeID // where it happens; -1 of an Expire, a Heal and a Partition
	From model.NodeID // the sender of a message, the liar of a Forge; of any other move Node
	// Place is where the move is in the list of moves; of a Forge, where its message is in the alphabet.
	Place int
	// By names what chose a move of the environment, for people; "" where it was drawn like any other.
	By string
}

// Did says what a step came to.
type Did struct {
	Sends          int  // messages, those to Byzantine nodes included
	Notes, Returns bool // a node noted something; an operation returned
}
