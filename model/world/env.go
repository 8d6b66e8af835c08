package world

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/rules"
)

// An environment is the Env of a running handler. Its effects take place after the handler, so that a state
// beyond a cut is never entered.
type environment struct {
	w           *World
	id          model.NodeID
	choose      Chooser
	effects     []func()
	loan        guard.Loan
	returned    bool  // Return was called
	effectCount int   // the number of effects
	held        known // the holds that this handler set or queried
	call        call
	running     guard.Running
	transcript  // for the second run, if there is one
}

// known has the results of holds by key. It is nil for most handlers.
type known map[string]bool

func (k *known) set(key string, held bool) {
	if *k == nil {
		*k = known{}
	}
	(*k)[key] = held
}

// A call is a handler with its arguments.
type call struct {
	handler string
	from    model.NodeID // the sender of a message
	arg     any
	run     func(n model.Node, env model.Env, own *environment, given any)
}

// run calls a handler on a copy of the node's state. Unless the result is beyond a cut, it becomes the node's
// state, and the effects take place.
func (w *World) run(id model.NodeID, choose Chooser, c call) error {
	if w.opt.Live != nil {
		return w.runLive(id, choose, c)
	}
	if w.inPlace() {
		return w.runInPlace(id, choose, c)
	}
	n := w.nodes[id]
	before := w.opt.Purity.encodeInput(w, n, c)
	e := &environment{w: w, id: id, choose: choose, call: c}
	next := w.Codec.Fresh(n.live)
	failed := e.run(next, c, c.arg)
	w.opt.Purity.check(e, next, c, before, failed)
	if failed != nil {
		w.fail(e.describe(nil), failed)
		if w.opt.Trace {
			w.current.Before, w.current.After = n.live, n.live
		}
		return nil
	}
	for _, c := range w.System.Cuts {
		if guard.Beyond(c, next) {
			w.Cut[c.Name] = true
			return ErrCut{c.Name}
		}
	}
	if w.opt.Trace {
		w.current.Before, w.current.After = n.live, next
	}
	n.live = w.Codec.Fresh(next)
	for _, f := range e.effects {
		if f(); w.failed {
			break
		}
	}
	return nil
}

// run calls a handler and returns its failure. The environment cannot be used again.
func (e *environment) run(n model.Node, c call, given any) *guard.Failure {
	e.running.Who = e
	e.w.lend(&e.loan)
	failed := e.w.callHandler(int(e.id), n, c.handler, &e.running, func() { c.run(n, e.w.System.Drift.Env(e), e, given) })
	e.loan.End()
	return failed
}

// Describe describes the running handler with the state before it. The handler works on a copy of that state,
// or in a live world on the node itself.
func (e *environment) Describe() string {
	if e.w.opt.Live != nil {
		return e.describe(e.w.rebuilt(e.id))
	}
	return e.describe(e.w.nodes[e.id].live)
}

func (e *environment) describe(state model.Node) string {
	from := ""
	if e.call.handler == "Receive" {
		from = e.w.System.Name(e.call.from)
	}
	return describe.Call(e.call.handler, e.w.System.Name(e.id), e.call.arg, from, state, e.w.System.Name)
}

func (e *environment) name() string { return e.w.setting.names[e.id] }

func (e *environment) mustRun() {
	if !e.loan.Holds() {
		e.loan.Refuse(e.name())
	}
}

// countEffect counts an effect of the handler.
func (e *environment) countEffect() {
	e.mustRun()
	rules.MustEnd(e.name(), e.effectCount, 0)
	e.effectCount++
}

func (e *environment) do(f func()) { e.effects = append(e.effects, f) }

func (e *environment) Self() model.NodeID {
	e.mustRun()
	return e.id
}

func (e *environment) Send(to model.NodeID, m any) { e.sends(to, m, false) }

// sends sends a message. Copied reports that the message is a copy already.
func (e *environment) sends(to model.NodeID, m any, copied bool) {
	e.countEffect()
	rules.MustExist(e.w.System, e.id, to)
	if !copied {
		m = e.copyValue(m)
	}
	e.logEffect("send", to, m)
	if e.w.System.Nodes[to].Byzantine {
		e.do(func() { e.w.sending(e.id, to, m); e.w.recordForByzantine(e.id, to, m) })
		e.observeSend(to, m) // a Byzantine node runs no code
		return
	}
	flight := rules.Flight(e.w.System, e.id, to, m)
	e.do(func() { e.w.sending(e.id, to, m); e.w.send(e.id, to, m, flight) })
	e.observeSend(to, m)
}

// sending shows a message to the caller, before it gets into flight.
func (w *World) sending(from, to model.NodeID, m any) {
	if w.opt.Sending != nil {
		w.opt.Sending(from, to, m)
	}
}

// copyValue copies a value, so that the handler cannot change it later.
func (e *environment) copyValue(v any) any { return e.w.Codec.Copy(v) }

func (e *environment) Broadcast(to []model.NodeID, m any) {
	once := e.w.opt.Live != nil && len(to) > 0
	if once {
		m = e.copyValue(m)
	}
	for _, id := range to {
		e.sends(id, m, once)
	}
}

func (e *environment) After(key any, win model.Window) {
	e.countEffect()
	rules.MustArm(e.name(), win)
	key = e.copyValue(key)
	e.logEffect("arm", win, key)
	e.do(func() {
		e.w.disarm(model.Timeout, e.id, 0, key)
		alarm := e.w.event(Event{Kind: model.Timeout, Node: e.id, Value: key, Window: win})
		e.w.add(alarm)
		e.w.current.Armed = append(e.w.current.Armed, alarm)
	})
}

func (e *environment) Cancel(key any) {
	e.countEffect()
	key = e.copyValue(key)
	e.logEffect("cancel", nil, key)
	e.do(func() { e.w.disarm(model.Timeout, e.id, 0, key) })
}

// disarm removes an alarm of a node or a monitor.
func (w *World) disarm(kind model.EventKind, id model.NodeID, monitor int, key any) {
	k := w.Codec.Any(key, nil)
	w.pending = slices.DeleteFunc(w.pending, func(p *Event) bool {
		gone := p.Kind == kind && p.Node == id && p.Monitor == monitor && bytes.Equal(w.Codec.Any(p.Value, nil), k)
		if gone && w.opt.Disarmed != nil {
			w.opt.Disarmed(p)
		}
		return gone
	})
}

func (e *environment) Hold(key any, d model.Bound) {
	e.countEffect()
	rules.MustHold(e.name(), d)
	e.logEffect("hold", d, key)
	k := string(e.w.Codec.Any(key, nil))
	e.held.set(k, lastsAtOnce(d))
	e.do(func() {
		e.w.setHold(&e.w.nodes[e.id].holds, k, d)
		if e.w.opt.Trace && lastsAtOnce(d) {
			e.w.current.Holds = append(e.w.current.Holds, Countdown{e.w.Codec.DecodeAny([]byte(k)), e.w.Now, e.w.Steps, d})
		}
	})
}

// recordForByzantine records, for people, a message to a Byzantine node.
func (w *World) recordForByzantine(from, to model.NodeID, m any) {
	if (w.opt.Trace || w.opt.Live != nil) && !w.separated(from, to) {
		w.ToByzantine = append(w.ToByzantine, &Event{Kind: model.Deliver, Node: to, From: from, Value: m, Born: w.Now, BornStep: w.Steps})
	}
}

// setHold starts a countdown, unless it is over at once.
func (w *World) setHold(holds *map[string]*hold, k string, d model.Bound) {
	delete(*holds, k)
	if lastsAtOnce(d) {
		if *holds == nil {
			*holds = map[string]*hold{}
		}
		(*holds)[k] = &hold{key: k, since: w.Now, step: w.Steps, length: d}
	}
}

// lastsAtOnce reports whether a hold lasts at the instant of its setting.
func lastsAtOnce(d model.Bound) bool { return d.At > 0 || !d.Open }

func (e *environment) Held(key any) bool {
	e.mustRun()
	k := string(e.w.Codec.Any(key, nil))
	if known, ok := e.held[k]; ok {
		return known
	}
	held := e.answered("held "+k, 2, func() int {
		h := e.w.nodes[e.id].holds[k]
		held, over := e.w.queryHold(h, e.choose)
		if over { // deferred: the handler may set the hold again later
			e.do(func() { delete(e.w.nodes[e.id].holds, k) })
		}
		if held {
			return 0
		}
		return 1
	}) == 0
	e.held.set(k, held)
	return held
}

// Clock implements [wrapped.Clock].
func (e *environment) Clock() (now, parts int64, ok bool) {
	e.mustRun()
	if !e.w.opt.Timed || !e.w.opt.Clocks {
		return 0, 0, false
	}
	e.w.clocked = true
	parts = e.w.opt.Parts
	now = int64(e.answered("the time", int(parts), func() int { return int(e.w.Now) }))
	return now, parts, true
}

// Clocked reports whether a program has read the time of the run.
func (w *World) Clocked() bool { return w.clocked }

// queryHold reports whether a hold lasts, and whether it is now over for good.
func (w *World) queryHold(h *hold, choose Chooser) (held, over bool) {
	if w.opt.HoldQueried != nil {
		w.opt.HoldQueried(h != nil)
	}
	if h == nil {
		return false, false
	}
	switch {
	case w.opt.Timed:
		end := h.since + Time(int64(h.length.At)*w.opt.Parts)
		held = w.Now < end || w.Now == end && !h.length.Open
	case w.booting: // in the initial state no time has passed
		held = lastsAtOnce(h.length)
	default:
		held = w.pick(choose, 2, "held") == 0
	}
	answer := HeldAnswer{Since: h.step, Length: h.length, Held: held}
	if w.opt.Trace {
		answer.Key = w.Codec.DecodeAny([]byte(h.key))
	}
	w.current.Held = append(w.current.Held, answer)
	return held, !held
}

// pick makes a choice and records it.
func (w *World) pick(choose Chooser, n int, what string) int {
	result := choose(n, what)
	if result < 0 || result >= n {
		model.Refuse("choice %d is not in [0, %d)", result, n)
	}
	w.current.Choices = append(w.current.Choices, Choice{n, result, what})
	return result
}

func (e *environment) Choose(n int) int { return e.chooseNumber(n, "choose") }

func (e *environment) Draw(n int) int { return e.chooseNumber(n, "draw") }

func (e *environment) chooseNumber(n int, what string) int {
	e.mustRun()
	rules.MustChoose(n)
	return e.answered(what, n, func() int { return e.w.pick(e.choose, n, what) })
}

func (e *environment) Return(result any) {
	e.countEffect()
	n := e.w.nodes[e.id]
	pending := slices.ContainsFunc(e.w.pending, func(p *Event) bool { return p.Kind == model.Return && p.Node == e.id })
	rules.MustReturn(e.w.System, e.id, n.busy && !pending && !e.returned)
	e.returned = true
	result = e.copyValue(result)
	e.logEffect("return", nil, result)
	e.do(func() {
		r := e.w.event(Event{Kind: model.Return, Node: e.id, Op: n.op - 1, Value: result, Window: e.w.System.Returned})
		if e.w.chains != nil {
			r.causalPast = slices.Clone(n.past)
		}
		e.w.add(r)
	})
}

func (e *environment) Deliver(value any) { e.show(model.Delivered, value) }

func (e *environment) Note(label any) { e.show(model.Noted, label) }

// show creates an observation of a value.
func (e *environment) show(kind model.ObservationKind, v any) {
	e.countEffect()
	v = e.copyValue(v)
	e.logEffect(kind.String(), nil, v)
	e.observe(model.Observation{Kind: kind, Node: e.id, Op: -1, Value: v})
}

func (e *environment) observe(o model.Observation) { e.do(func() { e.w.observe(o, e.choose) }) }

// send adds a message in flight.
func (w *World) send(from, to model.NodeID, m any, flight model.Window) {
	n := w.nodes[to]
	if !n.mayRun() || w.separated(from, to) {
		return // the receiver is down for good, or the network is partitioned
	}
	if w.System.Network.Channel == model.Set && w.merge(from, to, m) {
		return
	}
	e := w.event(Event{Kind: model.Deliver, Node: to, From: from, Value: m, Window: flight})
	if w.causal != nil || w.chains != nil {
		e.causalPast = w.longer(slices.Clone(w.nodes[from].past))
	}
	w.add(e)
	if w.opt.Unwanted != nil && w.opt.Unwanted(e) {
		w.pending = w.pending[:len(w.pending)-1]
		return
	}
	w.current.Sent = append(w.current.Sent, e)
}

// merge reports whether an equal message is in flight, so that a new message is merged into it.
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
