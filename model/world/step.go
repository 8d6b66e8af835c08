package world

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// A Move is what may happen next: a pending event fires, or the environment spends
// from its budget.
type Move struct {
	Kind  model.EventKind
	Event *Event       // of everything but Crash, Restart and Forge
	Node  model.NodeID // of Crash, Restart and Forge
	From  model.NodeID // the Byzantine sender of a Forge
	Value any          // the message of a Forge
}

// A Choice is one answer that a step was given.
type Choice struct {
	Of, Is int    // Is in [0, Of)
	What   string // "choose", "draw" or "held"
}

// A Chooser answers a handler: a number in [0, n).
type Chooser func(n int, what string) int

// A Record is what a step did.
type Record struct {
	Move         Move
	At           Time
	Choices      []Choice
	Node         model.NodeID // the node it happened at
	Before       model.Node   // its state before, when the world traces
	After        model.Node
	Sent         []*Event
	Observations []model.Observation
	Held         []HeldAnswer
	Armed        []*Event
}

// A HeldAnswer is a constraint that a step's answers put on time.
type HeldAnswer struct {
	Since  int // the step that held
	Length model.Bound
	Held   bool
}

// ErrCut reports that the move would have entered a state beyond a cut. The event
// stays pending and does not fire any more.
type ErrCut struct{ Name string }

func (e ErrCut) Error() string { return "the move leads beyond the cut " + e.Name }

// Moves lists the events that may fire next and the moves the budget allows,
// forgeries aside, in a fixed order.
func (w *World) Moves() []Move {
	if w.failed {
		return nil
	}
	moves := make([]Move, 0, len(w.pending)+len(w.nodes))
	deadline, open := w.Deadline()
	for _, e := range w.pending {
		if _, _, ok := w.fires(e, deadline, open); ok {
			moves = append(moves, Move{Kind: e.Kind, Event: e})
		}
	}
	if w.Booting() {
		return moves
	}
	for _, e := range w.pending {
		if e.Kind == model.Deliver && !e.Optional && w.budget.Loss > 0 {
			moves = append(moves, Move{Kind: model.Lose, Event: e})
		}
		if e.Kind == model.Deliver && !e.Optional && w.budget.Duplication > 0 {
			moves = append(moves, Move{Kind: model.Duplicate, Event: e})
		}
	}
	for i := range w.nodes {
		if id := model.NodeID(i); w.mayCrash(id) {
			moves = append(moves, Move{Kind: model.Crash, Node: id})
		} else if w.mayRestart(id) {
			moves = append(moves, Move{Kind: model.Restart, Node: id})
		}
	}
	return moves
}

func (w *World) mayCrash(id model.NodeID) bool {
	spec := w.System.Nodes[id]
	if spec.Byzantine || w.nodes[id].down {
		return false
	}
	if spec.Role == model.Server {
		return w.budget.Restarts > 0
	}
	return w.budget.Crashes > 0
}

func (w *World) mayRestart(id model.NodeID) bool {
	return w.nodes[id].down && w.System.Nodes[id].Role == model.Server
}

// Forgeries lists what may arrive now from the Byzantine nodes.
func (w *World) Forgeries() []Move {
	var moves []Move
	for u, spec := range w.System.Nodes {
		if !spec.Byzantine || w.Booting() {
			continue
		}
		for i, n := range w.nodes {
			if n.live == nil {
				continue
			}
			for _, m := range w.Alphabet(model.NodeID(i), model.NodeID(u)) {
				moves = append(moves, Move{Kind: model.Forge, Node: model.NodeID(i), From: model.NodeID(u), Value: m})
			}
		}
	}
	return moves
}

// Alphabet lists what a Byzantine node may say to another now. That Forge fails is a violation.
func (w *World) Alphabet(to, from model.NodeID) []any {
	messages, failed := guard.Forge(w.System, w.nodes[to].live, to, from)
	if failed != nil {
		w.fail(fmt.Sprintf("Forge to %s from %s", w.System.Name(to), w.System.Name(from)), failed)
	}
	return messages
}

// Step takes a move at an instant. The error says in a sentence why the move is not
// possible; the world is then as it was, except that after an [ErrCut] the event
// does not fire any more, and that after a [model.Refusal] the run is of no more use. That a
// handler fails is no error but a violation of [model.NoHandlerFails]: see [World.Failed].
func (w *World) Step(m Move, at Time, choose Chooser) (r Record, err error) {
	if err := w.check(m, at); err != nil {
		return Record{}, err
	}
	defer value.Caught(&err)
	before := w.Now
	w.Now = at
	w.Steps++
	w.current = &Record{Move: m, At: at, Node: m.Node}
	if m.Event != nil {
		w.current.Node = m.Event.Node
	}
	if err := w.take(m, choose); err != nil {
		w.Now = before
		w.Steps--
		return Record{}, err
	}
	if !w.failed {
		w.expireOptional()
		w.judge()
	}
	return *w.current, nil
}

// check says why a move cannot be taken at an instant, or nil.
func (w *World) check(m Move, at Time) error {
	if w.failed {
		return fmt.Errorf("a handler failed, and the run ended there")
	}
	if at < w.Now {
		return fmt.Errorf("time runs backwards: the step is at %d, but it is %d already", at, w.Now)
	}
	switch {
	case m.Kind.Adversarial():
		if w.Booting() {
			return fmt.Errorf("the environment moves before the operations that begin at boot")
		}
		if deadline, open := w.Deadline(); w.opt.Timed && (at > deadline || at == deadline && open) {
			return fmt.Errorf("the step is at %d, but something pending had to happen by %d", at, deadline)
		}
		return w.checkBudget(m)
	case !slices.Contains(w.pending, m.Event):
		return fmt.Errorf("the event is not pending")
	default:
		earliest, latest, ok := w.Fires(m.Event)
		if !ok || w.opt.Timed && (at < earliest || at > latest) {
			return fmt.Errorf("the event cannot fire at %d: its time is from %d to %d", at, earliest, latest)
		}
		return nil
	}
}

func (w *World) checkBudget(m Move) error {
	ok := false
	switch m.Kind {
	case model.Lose:
		ok = w.budget.Loss > 0
	case model.Duplicate:
		ok = w.budget.Duplication > 0
	case model.Crash:
		ok = w.mayCrash(m.Node)
	case model.Restart:
		ok = w.mayRestart(m.Node)
	case model.Forge:
		ok = w.System.Nodes[m.From].Byzantine && w.nodes[m.Node].live != nil
	}
	if m.Event != nil {
		m.Node = m.Event.Node
		ok = ok && m.Event.Kind == model.Deliver && !m.Event.Optional && slices.Contains(w.pending, m.Event)
	}
	if !ok {
		return fmt.Errorf("the environment has no %v to spend at %s", m.Kind, w.System.Name(m.Node))
	}
	return nil
}

func (w *World) take(m Move, choose Chooser) error {
	switch m.Kind {
	case model.Lose:
		w.budget.Loss--
		w.remove(m.Event)
	case model.Duplicate:
		w.budget.Duplication--
		again := *m.Event
		w.named(&again)
		w.pending = slices.Insert(w.pending, slices.Index(w.pending, m.Event)+1, &again) // next in its channel
	case model.Crash:
		w.crash(m.Node, choose)
	case model.Restart:
		w.restart(m.Node, choose)
	case model.Forge:
		return w.run(m.Node, choose, receive(m.From, m.Value))
	case model.Expire:
		w.remove(m.Event)
		w.monitors[m.Event.Monitor].expire(w, m.Event.Value, choose)
	default:
		return w.fire(m.Event, choose)
	}
	return nil
}

// fire runs the handler that a pending event is for.
func (w *World) fire(e *Event, choose Chooser) error {
	n := w.nodes[e.Node]
	at := slices.Index(w.pending, e)
	past, delivered := slices.Clone(n.past), len(w.past)
	w.remove(e)
	var err error
	switch e.Kind {
	case model.Deliver:
		w.keepForRestart(e)
		if n.live != nil {
			w.learn(n, e.causalPast)
			err = w.run(e.Node, choose, receive(e.From, e.Value))
		}
	case model.Timeout:
		err = w.run(e.Node, choose, call{handler: "Timeout", given: e.Value, run: func(l model.Node, env model.Env, _ *environment, key any) {
			if t, ok := l.(model.Timeouter); ok {
				t.Timeout(env, key)
			}
		}})
	case model.Invoke, model.Release:
		err = w.apply(e, choose)
	case model.Return:
		n.busy = false
		w.observe(model.Observation{Kind: model.Returned, Node: e.Node, Op: e.Op, Value: e.Value}, choose)
		if !w.failed {
			w.scheduleAfterReturn(e)
		}
	}
	if err != nil { // beyond a cut: nothing happened
		e.cut, n.past, w.past = true, past, w.past[:delivered]
		w.pending = slices.Insert(w.pending, at, e)
	}
	return err
}

// apply hands a call or a release to the node.
func (w *World) apply(e *Event, choose Chooser) error {
	n := w.nodes[e.Node]
	kind := model.Invoked
	if e.Kind == model.Release {
		kind = model.Released
	}
	o := model.Observation{Kind: kind, Node: e.Node, Op: e.Op, Value: e.Value}
	before := *n
	if e.Kind == model.Invoke {
		n.op, n.busy = e.Op+1, true
	}
	err := w.run(e.Node, choose, call{handler: "Invoke", given: e.Value, run: func(l model.Node, env model.Env, own *environment, op any) {
		own.observed(o)
		if i, ok := l.(model.Invoker); ok {
			i.Invoke(env, op)
		}
	}})
	if err != nil {
		n.op, n.busy = before.op, before.busy
		return err
	}
	if e.Kind == model.Release && !w.failed {
		w.scheduleNext(e)
	}
	w.atBoot = slices.DeleteFunc(w.atBoot, func(id model.NodeID) bool { return id == e.Node })
	return nil
}

// scheduleAfterReturn makes the application stay in the section, or go on.
func (w *World) scheduleAfterReturn(e *Event) {
	if op := w.System.Nodes[e.Node].Script[e.Op]; op.Release != nil {
		w.add(&Event{Kind: model.Release, Node: e.Node, Op: e.Op, Value: op.Release, Window: op.Stay})
		return
	}
	w.scheduleNext(e)
}

func (w *World) scheduleNext(e *Event) {
	script := w.System.Nodes[e.Node].Script
	if k := e.Op + 1; k < len(script) {
		w.add(&Event{Kind: model.Invoke, Node: e.Node, Op: k, Value: script[k].Call, Window: script[k].After})
	}
}

func receive(from model.NodeID, m any) call {
	return call{handler: "Receive", from: from, given: m, run: func(n model.Node, env model.Env, _ *environment, m any) {
		if r, ok := n.(model.Receiver); ok {
			r.Receive(env, from, m)
		}
	}}
}

// crash takes a node down: its timers, holds and application are gone. What is in
// flight to a server stays in flight; to a client nothing can matter any more.
func (w *World) crash(id model.NodeID, choose Chooser) {
	n := w.nodes[id]
	server := w.System.Nodes[id].Role == model.Server
	if server {
		w.budget.Restarts--
	} else {
		w.budget.Crashes--
	}
	n.live, n.down, n.holds, n.busy = nil, true, map[string]*hold{}, false
	w.pending = slices.DeleteFunc(w.pending, func(e *Event) bool {
		return e.Node == id && e.Kind != model.Expire && (e.Kind != model.Deliver || !server)
	})
	w.observe(model.Observation{Kind: model.Crashed, Node: id, Op: -1}, choose)
}

// restart brings a server back without its memory. What reached the old
// incarnation may arrive once more, so long as the network could still deliver it.
func (w *World) restart(id model.NodeID, choose Chooser) {
	n := w.nodes[id]
	n.down, n.live = false, made(w.Codec, w.System.Nodes[id])
	for _, e := range w.past {
		if e.Node == id {
			again := *e
			again.Optional, again.Repeats = true, e
			w.named(&again)
			w.pending = append(w.pending, &again)
		}
	}
	w.past = slices.DeleteFunc(w.past, func(e *Event) bool { return e.Node == id })
	w.boot(id, choose)
}

// keepForRestart remembers a delivery to a server that may yet lose its memory.
func (w *World) keepForRestart(e *Event) {
	n := w.nodes[e.Node]
	if w.System.Nodes[e.Node].Role == model.Server && n.live != nil && w.budget.Restarts > 0 {
		w.past = append(w.past, e)
	}
}

// expireOptional forgets events that force nothing and whose window has passed.
func (w *World) expireOptional() {
	if !w.opt.Timed {
		return
	}
	passed := func(e *Event) bool {
		_, hi, _, open := w.window(e)
		return w.Now > hi || w.Now == hi && open
	}
	w.pending = slices.DeleteFunc(w.pending, func(e *Event) bool { return e.Optional && passed(e) })
	w.past = slices.DeleteFunc(w.past, passed)
}

// boot runs Start.
func (w *World) boot(id model.NodeID, choose Chooser) {
	if _, ok := w.nodes[id].live.(model.Starter); ok {
		if err := w.run(id, choose, call{handler: "Start", run: func(n model.Node, env model.Env, _ *environment, _ any) {
			n.(model.Starter).Start(env)
		}}); err != nil {
			model.Refuse("node %s: Start leads beyond a cut", w.System.Name(id))
		}
	}
}

// send puts a message into flight.
func (w *World) send(from, to model.NodeID, m any, flight model.Window) {
	n := w.nodes[to]
	if n.down && w.System.Nodes[to].Role != model.Server {
		return // nobody is there
	}
	if w.System.Network.Channel == model.Set && w.merge(from, to, m) {
		return
	}
	e := &Event{Kind: model.Deliver, Node: to, From: from, Value: m, Window: flight}
	if w.causal != nil || w.chains != nil {
		e.causalPast = w.longer(slices.Clone(w.nodes[from].past))
	}
	w.add(e)
	w.current.Sent = append(w.current.Sent, e)
}

// merge reports whether an equal message is in flight, into which one that is sent is merged.
func (w *World) merge(from, to model.NodeID, m any) bool {
	b := w.Codec.Any(m, nil)
	i := slices.IndexFunc(w.pending, func(e *Event) bool {
		return e.Kind == model.Deliver && e.From == from && e.Node == to && !e.Optional && bytes.Equal(w.Codec.Any(e.Value, nil), b)
	})
	if i >= 0 && w.opt.Merged != nil {
		w.opt.Merged(w.pending[i])
	}
	return i >= 0
}
