package stepper

import (
	"errors"
	"fmt"
	"math"

	"contend/checker/sample/strategy"
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/model"
	"contend/model/world"
)

// An Interpreter is a stepper of a world.
type Interpreter struct {
	World       *world.World
	Records     []world.Record // one for each step
	moves       []world.Move   // last result of Moves
	listed      []Move
	alphabets   map[[2]model.NodeID][]any // alphabets of the present state
	longest     model.Ticks
	broken      []string
	lastNumber  int32           // number of the last numbered event
	numberedAt  int             // step at which events were last numbered
	choose      func(n int) int // answers handlers
	chooser     world.Chooser   // calls choose
	liarsBefore int             // messages to Byzantine nodes before the last step
}

// NewInterpreter returns a stepper of a world in any state.
func NewInterpreter(w *world.World) *Interpreter {
	return &Interpreter{World: w, Records: make([]world.Record, 0, 64), alphabets: map[[2]model.NodeID][]any{}, numberedAt: -1}
}

// Label numbers the pending events and computes their keys, so that branches only read the shared events.
func (x *Interpreter) Label() {
	x.number()
	x.World.EachPending(func(e *world.Event) { x.key(e) })
}

// Branch returns a stepper of a branch of the world, with this stepper's records. Both share the pending
// events: see Label.
func (x *Interpreter) Branch(w *world.World) *Interpreter {
	b := NewInterpreter(w)
	b.Records, b.longest, b.lastNumber, b.numberedAt = append(b.Records, x.Records...), x.longest, x.lastNumber, x.numberedAt
	return b
}

// Moves implements [Stepper].
func (x *Interpreter) Moves() (moves []Move, own int) {
	x.moves, x.listed = x.World.Moves(), x.listed[:0]
	for i, m := range x.moves {
		if !m.Kind.Adversarial() {
			own++
		}
		node, from := m.Node, m.Node
		if m.Event != nil {
			node, from = m.Event.Node, sender(m.Event)
		}
		x.listed = append(x.listed, Move{Kind: m.Kind, Node: node, From: from, Place: i})
	}
	return x.listed, own
}

// WorldMoves returns the moves behind the last result of Moves.
func (x *Interpreter) WorldMoves() []world.Move { return x.moves }

// Alphabet implements [Stepper].
func (x *Interpreter) Alphabet(to, from model.NodeID) int {
	key := [2]model.NodeID{to, from}
	messages, known := x.alphabets[key]
	if !known {
		messages = x.World.Alphabet(to, from)
		x.alphabets[key] = messages
	}
	return len(messages)
}

// Message implements [Stepper].
func (x *Interpreter) Message(to, from model.NodeID, place int) any {
	x.Alphabet(to, from)
	return x.alphabets[[2]model.NodeID{to, from}][place]
}

// MessageKey implements [Stepper].
func (x *Interpreter) MessageKey(to, from model.NodeID, place int) uint64 {
	return messageKey(x.World.Codec.Any(x.Message(to, from, place), nil))
}

// messageKey returns the key of an encoded message.
func messageKey(value []byte) uint64 { return fingerprint.Of(value).A }

// Effect implements [Stepper].
func (x *Interpreter) Effect() Effect {
	r := x.Records[len(x.Records)-1]
	d := Effect{Sends: len(r.Sent) + len(x.World.ToByzantine) - x.liarsBefore}
	for _, o := range r.Observations {
		d.Notes, d.Returns = d.Notes || o.Kind == model.Noted, d.Returns || o.Kind == model.Returned
	}
	return d
}

// Sent implements [Stepper].
func (x *Interpreter) Sent(tell func(from, to model.NodeID, key uint64, message func() any)) {
	for _, sent := range [...][]*world.Event{x.Records[len(x.Records)-1].Sent, x.World.ToByzantine[x.liarsBefore:]} {
		for _, e := range sent {
			tell(e.From, e.Node, messageKey(x.World.Codec.Any(e.Value, nil)), func() any { return e.Value })
		}
	}
}

// worldMove returns a move in the form of package world.
func (x *Interpreter) worldMove(m Move) world.Move {
	if m.Kind == model.Forge {
		return world.Move{Kind: m.Kind, Node: m.Node, From: m.From, Value: x.Message(m.Node, m.From, m.Place)}
	}
	return x.moves[m.Place]
}

// Step implements [Stepper].
func (x *Interpreter) Step(m Move, at world.Time, choose func(n int) int) (taken bool, err error) {
	x.liarsBefore = len(x.World.ToByzantine)
	if x.choose = choose; x.chooser == nil {
		x.chooser = func(n int, _ string) int { return x.choose(n) }
	}
	record, err := x.World.Step(x.worldMove(m), at, x.chooser)
	switch {
	case err == nil:
		x.forget(record)
		record.By = m.By
		x.Records = append(x.Records, record)
		x.learn(record)
		return true, nil
	case errors.As(err, new(world.ErrCut)):
		return false, nil
	}
	return false, err
}

// forget drops the alphabets that a step may have changed: those to the node of the step, or all if the step
// has no node.
func (x *Interpreter) forget(r world.Record) {
	for key := range x.alphabets {
		if key[0] == r.Node || r.Node < 0 {
			delete(x.alphabets, key)
		}
	}
}

// learn updates the longest finite time of the run.
func (x *Interpreter) learn(record world.Record) {
	for _, e := range record.Armed {
		x.longest = max(x.longest, Finite(e.Window))
	}
	for _, h := range record.Held {
		x.longest = max(x.longest, h.Length.At)
	}
}

// Finite returns the end of a window, or its beginning if the window is unbounded.
func Finite(w model.Window) model.Ticks {
	if w.Hi.At == model.Forever {
		return w.Lo.At
	}
	return w.Hi.At
}

// Now implements [Stepper].
func (x *Interpreter) Now() world.Time { return x.World.Now }

// Span implements [Stepper].
func (x *Interpreter) Span(m Move) (first, last world.Time) {
	if !m.Kind.Adversarial() {
		first, last, _ = x.World.Fires(x.moves[m.Place].Event)
		return first, last
	}
	deadline, open := x.World.Deadline()
	if open {
		deadline--
	}
	return x.World.Now, deadline
}

// Longest implements [Stepper].
func (x *Interpreter) Longest() model.Ticks { return x.longest }

// Steps implements [Stepper].
func (x *Interpreter) Steps() int { return x.World.Steps }

// Booting implements [Stepper].
func (x *Interpreter) Booting() bool { return x.World.Booting() }

// Done implements [Stepper].
func (x *Interpreter) Done() bool { return x.World.Done() }

// AwaitsRestart implements [Stepper].
func (x *Interpreter) Awaits() bool { return x.World.AwaitsRestart() }

// Failed implements [Stepper].
func (x *Interpreter) Failed() bool { return x.World.Failed() }

// Shortened implements [Stepper].
func (x *Interpreter) Shortened() bool { return len(x.World.Cut) > 0 }

// Broken implements [Stepper].
func (x *Interpreter) Broken() []string {
	for _, v := range x.World.Violations[len(x.broken):] {
		x.broken = append(x.broken, v.Claim)
	}
	return x.broken
}

// Event implements [Stepper].
func (x *Interpreter) Event(m Move) strategy.Event {
	x.number()
	described := strategy.Event{ID: -1, Kind: m.Kind, Node: m.Node, From: m.From}
	if m.Kind == model.Forge || x.moves[m.Place].Event == nil {
		return described
	}
	e := x.moves[m.Place].Event
	described.ID, described.Cause = e.Tag.Number-1, int32(e.BornStep)
	return described
}

// Key implements [Stepper].
func (x *Interpreter) Key(m Move) uint64 {
	if m.Kind == model.Forge || x.moves[m.Place].Event == nil {
		return 0
	}
	return x.key(x.moves[m.Place].Event)
}

// key returns the key of an event.
func (x *Interpreter) key(e *world.Event) uint64 {
	if e.Tag.Key == 0 {
		e.Tag.Key = eventKey(x.World.Codec.Any(e.Value, nil), e.Kind, e.Node, sender(e))
	}
	return e.Tag.Key
}

// sender returns the sender of a message; for other events the node.
func sender(e *world.Event) model.NodeID {
	if e.Kind == model.Deliver {
		return e.From
	}
	return e.Node
}

// number numbers the new pending events.
func (x *Interpreter) number() {
	if x.numberedAt == x.World.Steps {
		return
	}
	x.numberedAt = x.World.Steps
	x.World.EachPending(func(e *world.Event) {
		if e.Tag.Number == 0 {
			x.lastNumber++
			e.Tag.Number = x.lastNumber
		}
	})
}

// eventKey returns the key of an event with an encoded value.
func eventKey(value []byte, kind model.EventKind, node, from model.NodeID) uint64 {
	return fingerprint.Of(append(value, byte(kind), byte(node), byte(from))).A
}

// Place implements [Stepper].
func (x *Interpreter) Place(by strategy.Planner, more []byte) strategy.Place {
	x.number()
	event := func(e *world.Event) strategy.Event {
		id := e.Tag.Number - 1
		if id < 0 {
			id = math.MaxInt32 // pending after a restart
		}
		return strategy.Event{ID: id, Cause: int32(e.BornStep), Kind: e.Kind, Node: e.Node, From: sender(e)}
	}
	lines := x.World.StateInOrder(func(a, b *world.Event) int { return by.Compare(event(a), event(b)) }, func(e *world.Event) string {
		chain, delayed := by.Age(event(e))
		return fmt.Sprint(chain, delayed > 0)
	})
	for _, line := range lines {
		more = append(append(more, line...), '\n')
	}
	return placeOf(more)
}

func placeOf(text []byte) strategy.Place {
	print := fingerprint.Of(text)
	return strategy.Place{print.A, print.B}
}

// Observed implements [Stepper].
func (x *Interpreter) Observed(soFar strategy.Place, seen *int) strategy.Place {
	for ; *seen < len(x.Records); *seen++ {
		soFar = x.observed(soFar, x.Records[*seen].Observations)
	}
	return soFar
}

// observed returns the digest of further observations after a digest.
func (x *Interpreter) observed(before strategy.Place, all []model.Observation) strategy.Place {
	for _, o := range all {
		text := fmt.Appendf(nil, "%v %v %d %d %x %v %d %d", before, o.Kind, o.Node, o.Op, x.World.Codec.Any(o.Value, nil), o.Past, o.To, o.Chain)
		before = placeOf(text)
	}
	return before
}

// Local implements [Stepper].
func (x *Interpreter) Local(id model.NodeID) uint64 {
	if id < 0 || x.World.Live(id) == nil {
		return 0
	}
	return component.LocalPrint(int16(id), x.World.Node(id)).A
}
