// Package stepper runs sampled schedules, one event at a time. A [Stepper] lists the possible moves and takes
// one; its caller chooses. The same choices give the same run in every stepper.
package stepper

import (
	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/world"
)

// A Stepper is a run in progress.
type Stepper interface {
	// Moves returns the possible moves, except forged messages. The protocol's events come first, the oldest
	// first, then the environment's actions. Own is the number of the protocol's events. The list is valid
	// until the next step.
	Moves() (moves []Move, own int)
	// Alphabet returns the number of messages that a Byzantine node may send to another now. If the system's
	// Forge fails, so does the run: see Failed.
	Alphabet(to, from model.NodeID) int
	// Message returns a message of the alphabet, by its index from 0. The order depends on the receiver's
	// state alone. The caller must not modify the message.
	Message(to, from model.NodeID, place int) any
	// MessageKey returns the same key for equal messages in all runs of a system.
	MessageKey(to, from model.NodeID, place int) uint64
	// Step takes a move at an instant within its Span. Choose answers handlers with a number in [0, n). A
	// move beyond a cut is not taken, and does not change the run. If it is the protocol's, Moves omits it
	// from then on.
	Step(m Move, at world.Time, choose func(n int) int) (taken bool, err error)

	// Now returns the present instant.
	Now() world.Time
	// Span returns the first and the last possible instant of a move.
	Span(m Move) (first, last world.Time)
	// Longest returns the longest finite time of the alarms and holds so far.
	Longest() model.Ticks

	// Effect returns the effect of the last step.
	Effect() Effect
	// Sent calls tell for each message of the last step, those to Byzantine nodes included. The key is that
	// of MessageKey. The function message returns the message; the caller must not modify it.
	Sent(tell func(from, to model.NodeID, key uint64, message func() any))

	Steps() int      // taken so far
	Booting() bool   // operations at boot are pending, and nothing else can happen
	Done() bool      // every script is done, or its node is down for good
	Awaits() bool    // only crashed nodes have operations left
	Failed() bool    // a handler failed: the run is over
	Shortened() bool // some move leads beyond a cut
	// Broken returns the violated claims, one name for each violation so far.
	Broken() []string

	// Place returns a digest of the run's state and of more. Pending events are in the planner's order.
	Place(by strategy.Planner, more []byte) strategy.Place
	// Observed returns the digest of the observations from index *seen on, after another digest. It advances
	// seen.
	Observed(soFar strategy.Place, seen *int) strategy.Place

	// Event returns a move as a scheduler's event, without its key.
	Event(m Move) strategy.Event
	// Key returns the key of a move's event; 0 if it has none.
	Key(m Move) uint64
	// Local returns a key of a node's state, the same in all runs of a system; 0 for a crashed node or -1.
	Local(id model.NodeID) uint64
}

// A Move is a pending event, or an action of the environment.
type Move struct {
	Kind model.EventKind
	Node model.NodeID // node of the event; -1 for Expire, Heal and Partition
	From model.NodeID // sender of a message or a lie; for other moves Node
	// Place is the index among the moves; for Forge, the index in the alphabet.
	Place int
	// By names the attitude or the behaviours that chose an environment's move; "" for a uniform draw.
	By string
}

// An Effect is a summary of a step's effects.
type Effect struct {
	Sends          int  // messages, those to Byzantine nodes included
	Notes, Returns bool // whether a node noted something, and whether an operation returned
}
