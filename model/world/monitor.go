package world

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/rules"
)

// monitor is a claim's watcher with its own holds.
type monitor struct {
	claim string
	of    model.Claim
	index int
	live  model.Monitor
	holds map[string]*hold
}

// addMonitors makes the monitors of a run.
func (w *World) addMonitors() {
	for _, c := range w.claims {
		if c.Monitor == nil {
			continue
		}
		proto := w.setting.monitors[len(w.monitors)]
		w.monitors = append(w.monitors, &monitor{
			claim: c.Name, of: c, index: len(w.monitors), live: w.Codec.Fresh(proto).(model.Monitor),
		})
		if c.Causal != nil {
			w.causal = c.Causal
		}
		w.meter(c.Cost)
	}
}

// learn merges a message's causal past into a node's.
func (w *World) learn(n *node, past []int32) {
	for i, x := range past {
		n.past[i] = max(n.past[i], x)
	}
}

// observe tells every monitor, in order, of what happens at a node now.
func (w *World) observe(o model.Observation, choose Chooser) {
	w.observeAfter(o, w.nodes[o.Node].past, choose)
}

// observeAfter is observe for what ends the chains of an earlier past of the node.
func (w *World) observeAfter(o model.Observation, past []int32, choose Chooser) {
	if w.causal != nil {
		n := w.nodes[o.Node]
		if guard.Counts(w.causal, o) {
			n.past[o.Node]++
		}
		o.Past = slices.Clone(n.past)
	}
	w.chain(&o, past)
	w.current.Observations = append(w.current.Observations, o)
	for _, m := range w.monitors {
		x := &watch{w: w, m: m, choose: choose, who: o.Node, handler: "Observe", given: o.Value}
		if x.run(func() { m.live.Observe(w.System.Drift.Watch(x), o) }); w.failed {
			return
		}
	}
}

func (m *monitor) expire(w *World, key any, choose Chooser) {
	if e, ok := m.live.(model.Expirer); ok {
		x := &watch{w: w, m: m, choose: choose, who: -1, handler: "Expire", given: key}
		x.run(func() { e.Expire(w.System.Drift.Watch(x), key) })
	}
}

// run runs a handler of the monitor. What it leaves is copied, as the search keeps it: maps are made again,
// and no two fields share a slice.
func (x *watch) run(handler func()) {
	x.running.Who = x
	x.loan = x.w.lend()
	failed := x.w.called(len(x.w.nodes)+x.m.index, x.m.live, x.handler, &x.running, handler)
	if x.loan.End(); failed != nil {
		x.w.fail(x.Describe(), failed)
		return
	}
	if x.w.opt.Live != nil {
		x.w.Codec.Tidy(x.m.live)
		return
	}
	x.m.live = x.w.Codec.Fresh(x.m.live).(model.Monitor)
}

// Describe names the handler that runs.
func (x *watch) Describe() string {
	return describe.Call(x.handler, "claim "+x.m.claim, x.given, "", nil, x.w.System.Name)
}

// watch is what a monitor sees during one observation.
type watch struct {
	w      *World
	m      *monitor
	choose Chooser
	who    model.NodeID
	held   known
	loan   *guard.Loan
	counts bool // it has measured
	done   int  // things that it did
	asked  int  // answers that it was given

	handler string
	given   any
	running guard.Running
}

// acts counts what the handler does.
func (x *watch) acts() {
	x.mustRun()
	rules.MustEnd("claim "+x.m.claim, x.done, x.asked)
	x.done++
}

func (x *watch) mustRun() {
	if !x.loan.Holds() {
		x.loan.Refuse("claim " + x.m.claim)
	}
}

func (x *watch) Hold(key any, d model.Bound) {
	x.acts()
	rules.MustHold("claim "+x.m.claim, d)
	k := string(x.w.Codec.Any(key, nil))
	x.held.set(k, lastsAtOnce(d))
	x.w.setHold(&x.m.holds, k, d)
}

func (x *watch) Held(key any) bool {
	x.mustRun()
	k := string(x.w.Codec.Any(key, nil))
	if known, ok := x.held[k]; ok {
		return known
	}
	rules.MustEnd("claim "+x.m.claim, x.done, x.asked)
	x.asked++
	before := len(x.w.current.Held)
	held, over := x.w.asks(x.m.holds[k], x.choose)
	if answers := x.w.current.Held; len(answers) > before {
		answers[before].Watch = true
	}
	if over {
		delete(x.m.holds, k)
	}
	x.held.set(k, held)
	return held
}

func (x *watch) After(key any, win model.Window) {
	x.acts()
	rules.MustArm("claim "+x.m.claim, win)
	x.w.disarm(model.Expire, -1, x.m.index, key)
	x.w.add(x.w.event(Event{Kind: model.Expire, Node: -1, Monitor: x.m.index, Value: key, Window: win}))
}

func (x *watch) Cancel(key any) {
	x.acts()
	x.w.disarm(model.Expire, -1, x.m.index, key)
}

func (x *watch) Violate(format string, args ...any) {
	x.mustRun()
	x.m.of.MustNotBeGoal()
	text := fmt.Sprintf(format, args...)
	if x.who >= 0 {
		text = x.w.System.Name(x.who) + ": " + text
	}
	x.w.violate(x.m.claim, text)
}

func (x *watch) Witness() {
	x.mustRun()
	x.w.Witnessed[x.m.claim] = true
}

func (w *World) violate(claim, text string) {
	w.Violations = append(w.Violations, Violation{claim, model.Printable(text), w.Steps})
}

// fail notes that what is named failed: the run ends there.
func (w *World) fail(who string, f *guard.Failure) {
	w.failed = true
	w.violate(model.NoHandlerFails, fmt.Sprintf("%s: %v", who, f))
}

// Failed reports whether a handler failed. The run is over then.
func (w *World) Failed() bool { return w.failed }

// judge evaluates the invariants on the present state, and says of progress claims
// when the run has stopped short.
func (w *World) judge() {
	for _, c := range w.claims {
		switch {
		case c.Invariant != nil:
			w.Witnessed[c.Name] = true
			switch failed, err := guard.Invariant(c, w.states()); {
			case failed != nil: // of the run it says nothing
				w.violate(model.NoHandlerFails, fmt.Sprintf("Invariant of claim %s: %v", c.Name, failed))
			case err != nil:
				w.violate(c.Name, err.Error())
			}
		case c.Done && c.Kind == model.Always:
			w.Witnessed[c.Name] = true
			if w.Stuck() {
				w.violate(c.Name, "nothing can happen any more, but a script is not done")
			}
		}
	}
}

// Stuck reports whether the run is quiescent, nobody may come back, and some script is not done.
func (w *World) Stuck() bool { return !w.Done() && w.Quiescent() && !w.returns() }

// Quiescent reports whether nothing but the environment can move, and no cut is to blame. What may
// come once more after a restart need not.
func (w *World) Quiescent() bool {
	for _, e := range w.pending {
		if e.Kind != model.Expire && !e.Optional {
			return false // it fires, if only after the alarm of a monitor
		}
	}
	return true
}

// Missed lists a violation for each Eventually claim whose goal is not reached, if the run has ended: nothing can happen
// any more but what the environment need not do. A run that goes on, or that a cut stops, misses no goal yet.
func (w *World) Missed() (missed []Violation) {
	if w.failed || !w.Quiescent() {
		return nil
	}
	for _, c := range w.claims {
		if c.Kind == model.Eventually && !w.Reached(c) {
			missed = append(missed, Violation{Claim: c.Name, Text: "nothing more can happen, and the goal is not reached", Step: w.Steps})
		}
	}
	return missed
}

// returns reports whether some node may come back.
func (w *World) returns() bool {
	for i := range w.nodes {
		if w.mayStrike(model.Restart, model.NodeID(i)) {
			return true
		}
	}
	return false
}

func (w *World) states() []model.Node {
	states := make([]model.Node, len(w.nodes))
	for i, n := range w.nodes {
		switch {
		case n.live == nil:
		case w.opt.Live != nil:
			states[i] = n.live
		default:
			states[i] = w.Codec.Fresh(n.live)
		}
	}
	return states
}

// Reached reports whether the goal of a claim is reached in the present state: its
// monitor's, or that all scripts are done.
func (w *World) Reached(c model.Claim) bool {
	if c.Done {
		return w.Done()
	}
	for _, m := range w.monitors {
		if m.claim == c.Name {
			g, ok := m.live.(model.Goal)
			return ok && guard.Reached(c.Name, g)
		}
	}
	return false
}
