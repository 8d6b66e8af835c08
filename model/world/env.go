package world

import (
	"bytes"
	"slices"

	"contend/model"
)

// environment is what a running handler sees. What it does is kept until the handler has
// finished, so that a state beyond a cut is never entered.
type environment struct {
	w       *World
	id      model.NodeID
	choose  Chooser
	effects []func()
	// starting says that the handler is Start, which makes no choices.
	starting bool
	held     known // holds as this handler set or saw them
}

// known is what a handler or a monitor knows of holds, by key. Most know nothing,
// and need no map.
type known map[string]bool

func (k *known) set(key string, held bool) {
	if *k == nil {
		*k = known{}
	}
	(*k)[key] = held
}

// run runs a handler on a copy of the node's state and, unless that leads beyond a
// cut, makes it the node's state and lets the effects happen.
func (w *World) run(id model.NodeID, choose Chooser, handler func(n model.Node, env model.Env, own *environment)) error {
	n := w.nodes[id]
	e := &environment{w: w, id: id, choose: choose}
	next := w.Codec.Fresh(n.live)
	handler(next, w.System.Drift.Env(e), e)
	for _, c := range w.System.Cuts {
		if c.Beyond(next) {
			w.Cut[c.Name] = true
			return ErrCut{c.Name}
		}
	}
	if w.opt.Trace {
		w.current.Before, w.current.After = n.live, next
	}
	n.live = w.Codec.Fresh(next)
	for _, f := range e.effects {
		f()
	}
	return nil
}

func (e *environment) do(f func()) { e.effects = append(e.effects, f) }

func (e *environment) Self() model.NodeID { return e.id }

func (e *environment) Send(to model.NodeID, m any) {
	if to < 0 || int(to) >= len(e.w.nodes) {
		model.Misused("node %s sends to node %d, which does not exist", e.w.System.Name(e.id), to)
	}
	m = e.copied(m)
	e.do(func() { e.w.send(e.id, to, m) })
}

// copied keeps a handler from changing a value after it handed it out.
func (e *environment) copied(v any) any { return e.w.Codec.Copy(v) }

func (e *environment) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		e.Send(id, m)
	}
}

func (e *environment) After(key any, win model.Window) {
	if err := win.Validate(); err != nil {
		model.Misused("node %s arms an alarm: %v", e.w.System.Name(e.id), err)
	}
	key = e.copied(key)
	e.do(func() {
		e.w.disarm(model.Timeout, e.id, 0, key)
		alarm := &Event{Kind: model.Timeout, Node: e.id, Value: key, Window: win}
		e.w.add(alarm)
		e.w.current.Armed = append(e.w.current.Armed, alarm)
	})
}

func (e *environment) Cancel(key any) { e.do(func() { e.w.disarm(model.Timeout, e.id, 0, key) }) }

// disarm takes an alarm of a node or a monitor out of the bag.
func (w *World) disarm(kind model.EventKind, id model.NodeID, monitor int, key any) {
	k := w.Codec.Any(key, nil)
	w.pending = slices.DeleteFunc(w.pending, func(p *Event) bool {
		return p.Kind == kind && p.Node == id && p.Monitor == monitor && bytes.Equal(w.Codec.Any(p.Value, nil), k)
	})
}

func (e *environment) Hold(key any, d model.Bound) {
	checkHold(e.w.System.Name(e.id), d)
	k := string(e.w.Codec.Any(key, nil))
	e.held.set(k, lastsAtOnce(d))
	e.do(func() { e.w.setHold(e.w.nodes[e.id].holds, k, d) })
}

// setHold starts a countdown, unless it is over as it begins.
func (w *World) setHold(holds map[string]*hold, k string, d model.Bound) {
	delete(holds, k)
	if lastsAtOnce(d) {
		holds[k] = &hold{since: w.Now, step: w.Steps, length: d}
	}
}

func checkHold(who string, d model.Bound) {
	if d.At < 0 || d.At > model.MaxTicks {
		model.Misused("%s holds for %d ticks, but a hold lasts 0 to %d", who, d.At, model.MaxTicks)
	}
}

// lastsAtOnce reports whether a hold lasts at the instant it is set.
func lastsAtOnce(d model.Bound) bool { return d.At > 0 || !d.Open }

func (e *environment) Held(key any) bool {
	k := string(e.w.Codec.Any(key, nil))
	if known, ok := e.held[k]; ok {
		return known
	}
	h := e.w.nodes[e.id].holds[k]
	held, over := e.w.asks(h, e.choose)
	if over {
		e.do(func() { e.w.drop(e.w.nodes[e.id].holds, k, h) })
	}
	e.held.set(k, held)
	return held
}

// asks answers whether a hold lasts. When it does not, it is over for good.
func (w *World) asks(h *hold, choose Chooser) (held, over bool) {
	if w.opt.Asked != nil {
		w.opt.Asked(h != nil)
	}
	if h == nil {
		return false, false
	}
	switch {
	case w.opt.Timed:
		end := h.since + Time(int64(h.length.At)*w.opt.Parts)
		held = w.Now < end || w.Now == end && !h.length.Open
	case choose == nil: // as the run begins, and no time has passed
		held = lastsAtOnce(h.length)
	default:
		held = w.pick(choose, 2, "held") == 0
	}
	w.current.Held = append(w.current.Held, HeldAnswer{Since: h.step, Length: h.length, Held: held})
	return held, !held
}

// drop forgets a hold that was seen to be over, unless it was set again.
func (w *World) drop(holds map[string]*hold, k string, h *hold) {
	if holds[k] == h {
		delete(holds, k)
	}
}

// pick asks for a choice and keeps the answer.
func (w *World) pick(choose Chooser, n int, what string) int {
	if n < 1 {
		model.Misused("a handler chooses among %d", n)
	}
	is := choose(n, what)
	if is < 0 || is >= n {
		model.Misused("choice %d is not in [0, %d)", is, n)
	}
	w.current.Choices = append(w.current.Choices, Choice{n, is, what})
	return is
}

func (e *environment) Choose(n int) int { return e.chosen(n, "choose") }

func (e *environment) Draw(n int) int { return e.chosen(n, "draw") }

func (e *environment) chosen(n int, what string) int {
	if e.starting {
		model.Misused("node %s: a choice is made where none can be: in Start", e.w.System.Name(e.id))
	}
	return e.w.pick(e.choose, n, what)
}

func (e *environment) Return(result any) {
	result = e.copied(result)
	e.do(func() {
		n := e.w.nodes[e.id]
		pending := slices.ContainsFunc(e.w.pending, func(p *Event) bool { return p.Kind == model.Return && p.Node == e.id })
		if !n.busy || pending {
			model.Misused("node %s returns, but no invocation runs", e.w.System.Name(e.id))
		}
		e.w.add(&Event{Kind: model.Return, Node: e.id, Op: n.op - 1, Value: result, Window: e.w.System.Returned})
	})
}

func (e *environment) Note(label any) {
	label = e.copied(label)
	e.observed(model.Observation{Kind: model.Noted, Node: e.id, Op: -1, Value: label})
}

func (e *environment) observed(o model.Observation) { e.do(func() { e.w.observe(o, e.choose) }) }
