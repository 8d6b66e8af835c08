package world

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
)

// A Move is a possible step: a pending event fires, or the environment acts within its budget.
type Move struct {
	Kind  model.EventKind
	Event *Event       // nil for Crash, Stop, Restart, Forge, Mistake and Partition
	Node  model.NodeID // for Crash, Stop, Restart, Forge and Mistake; -1 for a Partition
	From  model.NodeID // the Byzantine sender of a Forge
	Value any          // the message of a Forge, the suspected node of a Mistake, or the [model.Side] of a Partition
}

// A Choice is the result of a choice or query in a step.
type Choice struct {
	Of, Is int    // Is in [0, Of)
	What   string // "choose", "draw" or "held"
}

// A Chooser makes the choices of handlers. A world calls it during Step for each choice, and in an untimed
// run for each query of a hold. It returns a number in [0, n). The argument what is the text of a [Choice].
type Chooser func(n int, what string) int

// A Record is the result of a step.
type Record struct {
	Move         Move
	At           Time
	Choices      []Choice
	Node         model.NodeID // the node of the step
	Before       model.Node   // the node's state before, if the world traces
	After        model.Node
	Sent         []*Event
	Observations []model.Observation
	Held         []HeldAnswer
	Armed        []*Event
	Holds        []Countdown // set in the step, if the world traces
	// Gone has, if the world traces, the events that the step removed without executing them: messages lost to
	// a fault, a partition or a crash, and alarms that were replaced, canceled or lost with their node.
	Gone []*Event
	// By is the adversary that chose the step, for people; "" if none.
	By string
}

// A HeldAnswer is the answer to a query of a hold. It constrains time.
type HeldAnswer struct {
	Key    any // of the hold, if the world traces
	Since  int // the step that set the hold
	Length model.Bound
	Held   bool
	Watch  bool // the query is a monitor's
}

// An ErrCut is the error of a move that leads beyond a cut. The event stays pending and cannot fire any more.
type ErrCut struct{ Name string }

func (e ErrCut) Error() string { return "the move leads beyond the cut " + e.Name }

// Moves returns the events that may fire next, and the moves of the environment except forgeries, in a fixed
// order.
func (w *World) Moves() []Move {
	if w.failed {
		return nil
	}
	moves := w.moveBuffer()
	deadline, open := w.timedDeadline()
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
		for _, kind := range []model.EventKind{model.Crash, model.Stop, model.Restart} {
			if id := model.NodeID(i); w.mayStrike(kind, id) {
				moves = append(moves, Move{Kind: kind, Node: id})
			}
		}
	}
	return w.partitions(w.mistakes(moves))
}

// mayStrike reports whether the environment may crash or restart a node.
func (w *World) mayStrike(kind model.EventKind, id model.NodeID) bool {
	n, spec := w.nodes[id], w.System.Nodes[id]
	switch {
	case kind == model.Restart:
		return n.restart != nil
	case n.live == nil:
		return false
	case kind == model.Crash && spec.MayRecover():
		return w.opt.Unlimited || w.budget.Restarts > 0
	}
	return spec.MayStop() && (kind == model.Crash || spec.MayRecover()) && (w.opt.Unlimited || w.budget.Crashes > 0)
}

// Forgeries returns the forged messages that may arrive next.
func (w *World) Forgeries() []Move {
	var moves []Move
	for u, spec := range w.System.Nodes {
		if !spec.Byzantine || w.Booting() {
			continue
		}
		for i := range w.nodes {
			for _, m := range w.Alphabet(model.NodeID(i), model.NodeID(u)) {
				moves = append(moves, Move{Kind: model.Forge, Node: model.NodeID(i), From: model.NodeID(u), Value: m})
			}
		}
	}
	return moves
}

// Alphabet returns the messages that a Byzantine node may forge for a node now. There are none if the node is
// down, or separated by a partition. A failure of Forge is recorded as a violation.
func (w *World) Alphabet(to, from model.NodeID) []any {
	if w.nodes[to].live == nil || w.separated(from, to) {
		return nil
	}
	messages, failed := guard.Forge(w.System, w.nodes[to].live, to, from)
	if failed != nil {
		w.fail(fmt.Sprintf("Forge to %s from %s", w.System.Name(to), w.System.Name(from)), failed)
	}
	return messages
}

// Step executes a move at an instant. The error is a sentence on why the move is not possible. After an error
// the world is unchanged, with two exceptions: after an [ErrCut] the event cannot fire any more, and after a
// [model.Refusal] the world cannot be used any more. The failure of a handler is not an error, but a violation
// of [model.NoHandlerFails]: see [World.Failed].
func (w *World) Step(m Move, instant Time, choose Chooser) (r Record, err error) {
	if err := w.check(m, instant); err != nil {
		return Record{}, err
	}
	defer guard.Caught(&err)
	before := w.Now
	var pending []*Event
	if w.opt.Trace {
		pending = slices.Clone(w.pending)
	}
	w.Now = instant
	w.Steps++
	w.record(Record{Move: m, At: instant, Node: m.Node})
	if m.Event != nil {
		w.current.Node = m.Event.Node
	}
	if err := w.execute(m, choose); err != nil {
		w.Now = before
		w.Steps--
		return Record{}, err
	}
	if !w.failed {
		w.expireOptional()
		w.judge()
	}
	if w.opt.Trace {
		w.current.Gone = w.gone(pending, m)
	}
	return *w.current, nil
}

// gone returns the events of a list that are no longer pending, except the executed event.
func (w *World) gone(pending []*Event, m Move) []*Event {
	still := make(map[*Event]bool, len(w.pending))
	for _, e := range w.pending {
		still[e] = true
	}
	return slices.DeleteFunc(pending, func(e *Event) bool {
		return still[e] || e == m.Event && m.Kind == e.Kind
	})
}

// check returns an error if a move is not possible at an instant.
func (w *World) check(m Move, instant Time) error {
	if w.failed {
		return fmt.Errorf("a handler failed, and the run ended there")
	}
	if instant < w.Now {
		return fmt.Errorf("time runs backwards: the step is at %d, but it is %d already", instant, w.Now)
	}
	switch {
	case m.Kind.Adversarial():
		if w.Booting() {
			return fmt.Errorf("the environment moves before the operations that begin at boot")
		}
		if deadline, open := w.Deadline(); w.opt.Timed && (instant > deadline || instant == deadline && open) {
			return fmt.Errorf("the step is at %d, but something pending had to happen by %d", instant, deadline)
		}
		return w.checkBudget(m)
	case !slices.Contains(w.pending, m.Event):
		return fmt.Errorf("the event is not pending")
	default:
		earliest, latest, ok := w.Fires(m.Event)
		if !ok || w.opt.Timed && (instant < earliest || instant > latest) {
			return fmt.Errorf("the event cannot fire at %d: its time is from %d to %d", instant, earliest, latest)
		}
		return nil
	}
}

func (w *World) checkBudget(m Move) error {
	var ok bool
	switch m.Kind {
	case model.Lose:
		ok = w.budget.Loss > 0
	case model.Duplicate:
		ok = w.budget.Duplication > 0
	case model.Crash, model.Stop, model.Restart:
		ok = w.mayStrike(m.Kind, m.Node)
	case model.Partition:
		ok = w.mayPartition(m)
	case model.Mistake:
		subject, valid := m.Value.(model.NodeID)
		ok = valid && w.mayMistake(m.Node, subject)
	case model.Forge:
		ok = w.System.Nodes[m.From].Byzantine && w.nodes[m.Node].live != nil && !w.separated(m.From, m.Node)
	}
	if m.Event != nil {
		m.Node = m.Event.Node
		ok = ok && m.Event.Kind == model.Deliver && !m.Event.Optional && slices.Contains(w.pending, m.Event)
	}
	if m.Kind == model.Partition && !ok {
		return fmt.Errorf("the environment cannot cut the network so, or not now")
	}
	if !ok {
		return fmt.Errorf("the environment has no %v to spend at %s", m.Kind, w.System.Name(m.Node))
	}
	return nil
}

func (w *World) execute(m Move, choose Chooser) error {
	switch m.Kind {
	case model.Lose:
		w.budget.Loss--
		w.remove(m.Event)
	case model.Duplicate:
		w.budget.Duplication--
		again := *m.Event
		w.setName(&again)
		w.pending = slices.Insert(w.pending, slices.Index(w.pending, m.Event)+1, &again) // next in its channel
	case model.Crash, model.Stop:
		w.crash(m.Node, m.Kind == model.Crash && w.System.Nodes[m.Node].MayRecover(), choose)
	case model.Restart:
		return w.restart(m.Node, choose)
	case model.Partition:
		w.partition(m.Value.(model.Side))
	case model.Heal:
		w.remove(m.Event)
	case model.Mistake:
		return w.mistake(m, choose)
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

// fire calls the handler of a pending event.
func (w *World) fire(e *Event, choose Chooser) error {
	n := w.nodes[e.Node]
	index := slices.Index(w.pending, e)
	var past []int32
	if len(w.System.Cuts) > 0 {
		past = slices.Clone(n.past)
	}
	delivered := len(w.past)
	w.remove(e)
	var err error
	switch e.Kind {
	case model.Deliver:
		w.storeForRestart(e)
		if n.live != nil {
			w.learn(n, e.causalPast)
			err = w.run(e.Node, choose, receive(e.From, e.Value))
		}
	case model.Timeout:
		err = w.run(e.Node, choose, call{handler: "Timeout", arg: e.Value, run: func(l model.Node, env model.Env, _ *environment, key any) {
			if t, ok := l.(model.Timeouter); ok {
				t.Timeout(env, key)
			}
		}})
	case model.Suspect, model.Trust:
		err = w.run(e.Node, choose, reportCall(e.Kind, e.Value.(model.NodeID), func(*environment) {}))
	case model.Invoke, model.Release:
		err = w.apply(e, choose)
	case model.Return:
		n.busy = false
		w.observeAfter(model.Observation{Kind: model.Returned, Node: e.Node, Op: e.Op, Value: e.Value}, e.causalPast, choose)
		if !w.failed {
			w.scheduleAfterReturn(e)
		}
	}
	if err != nil { // beyond a cut: undo
		copy(n.past, past)
		w.past = w.past[:delivered]
		w.disable(e)
		w.pending = slices.Insert(w.pending, index, e)
	}
	return err
}

// disable prevents an event that leads beyond a cut from firing again.
func (w *World) disable(e *Event) {
	if w.disabled == nil {
		w.disabled = map[*Event]bool{}
	}
	w.disabled[e] = true
}

// apply passes an invocation or a release to the node.
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
	err := w.run(e.Node, choose, call{handler: "Invoke", arg: e.Value, run: func(l model.Node, env model.Env, own *environment, op any) {
		own.observe(o)
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

// scheduleAfterReturn adds the next event of an application: the release of the section, or the next operation.
func (w *World) scheduleAfterReturn(e *Event) {
	script := w.System.Nodes[e.Node].Script
	if e.Op >= len(script) {
		return // an operation of Drive
	}
	if op := script[e.Op]; op.Release != nil {
		w.add(w.event(Event{Kind: model.Release, Node: e.Node, Op: e.Op, Value: op.Release, Window: op.Stay}))
		return
	}
	w.scheduleNext(e)
}

func (w *World) scheduleNext(e *Event) { w.invokes(e.Node, e.Op+1) }

// invokes adds the invocation of an operation, if the script has it.
func (w *World) invokes(id model.NodeID, op int) {
	if script := w.System.Nodes[id].Script; op < len(script) {
		w.add(w.event(Event{Kind: model.Invoke, Node: id, Op: op, Value: script[op].Call, Window: script[op].After}))
	}
}

func receive(from model.NodeID, m any) call {
	return call{handler: "Receive", from: from, arg: m, run: func(n model.Node, env model.Env, own *environment, m any) {
		if r, ok := n.(model.Receiver); ok {
			r.Receive(env, own.call.from, m)
		}
	}}
}

// expireOptional removes optional events whose windows have passed.
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
