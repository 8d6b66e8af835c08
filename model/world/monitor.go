package world

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/rules"
)

// A monitor is the monitor of a claim, with its holds.
type monitor struct {
	claim string
	def   model.Claim
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
			claim: c.Name, def: c, index: len(w.monitors), live: w.Codec.Fresh(proto).(model.Monitor),
		})
		if c.Causal != nil {
			w.causal = c.Causal
		}
		w.meter(c.Cost)
	}
}

// learn merges the causal past of a message into the past of its receiver.
func (w *World) learn(n *node, past []int32) {
	for i, x := range past {
		n.past[i] = max(n.past[i], x)
	}
}

// observe passes an observation to each monitor, in order.
func (w *World) observe(o model.Observation, choose Chooser) {
	w.observeAfter(o, w.nodes[o.Node].past, choose)
}

// observeAfter is observe for a given past. The observation's chains end at the end of this past.
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
		x := &watch{w: w, m: m, choose: choose, who: o.Node, handler: "Observe", arg: o.Value}
		if x.run(func() { m.live.Observe(w.System.Drift.Watch(x), o) }); w.failed {
			return
		}
	}
}

func (m *monitor) expire(w *World, key any, choose Chooser) {
	if e, ok := m.live.(model.Expirer); ok {
		x := &watch{w: w, m: m, choose: choose, who: -1, handler: "Expire", arg: key}
		x.run(func() { e.Expire(w.System.Drift.Watch(x), key) })
	}
}

// run calls a handler of the monitor, and copies its state as the search does: no two fields share a slice or a
// map.
func (x *watch) run(handler func()) {
	x.running.Who = x
	x.w.lend(&x.loan)
	configuration := x.w.opt.Purity.configuration(x.m.live)
	failed := x.w.callHandler(len(x.w.nodes)+x.m.index, x.m.live, x.handler, &x.running, handler)
	if x.loan.End(); failed != nil {
		x.w.fail(x.Describe(), failed)
		return
	}
	if x.w.opt.Purity.configuration(x.m.live) != configuration {
		panic(purity.Reconfigured(x.m.live, x.handler))
	}
	if x.w.opt.Live != nil {
		x.w.Codec.Tidy(x.m.live)
		return
	}
	x.m.live = x.w.Codec.Fresh(x.m.live).(model.Monitor)
}

// Describe describes the running handler.
func (x *watch) Describe() string {
	return describe.Call(x.handler, "claim "+x.m.claim, x.arg, "", nil, x.w.System.Name)
}

// A watch is the Watch of a monitor during one call.
type watch struct {
	w           *World
	m           *monitor
	choose      Chooser
	who         model.NodeID
	held        known
	loan        guard.Loan
	counts      bool // Measure was called
	effectCount int  // the number of effects
	queries     int  // the number of queries

	handler string
	arg     any
	running guard.Running
}

// countEffect counts an effect of the handler.
func (x *watch) countEffect() {
	x.mustRun()
	rules.MustEnd("claim "+x.m.claim, x.effectCount, x.queries)
	x.effectCount++
}

func (x *watch) mustRun() {
	if !x.loan.Holds() {
		x.loan.Refuse("claim " + x.m.claim)
	}
}

func (x *watch) Hold(key any, d model.Bound) {
	x.countEffect()
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
	rules.MustEnd("claim "+x.m.claim, x.effectCount, x.queries)
	x.queries++
	before := len(x.w.current.Held)
	held, over := x.w.queryHold(x.m.holds[k], x.choose)
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
	x.countEffect()
	rules.MustArm("claim "+x.m.claim, win)
	x.w.disarm(model.Expire, -1, x.m.index, key)
	x.w.add(x.w.event(Event{Kind: model.Expire, Node: -1, Monitor: x.m.index, Value: key, Window: win}))
}

func (x *watch) Cancel(key any) {
	x.countEffect()
	x.w.disarm(model.Expire, -1, x.m.index, key)
}

func (x *watch) Violate(format string, args ...any) {
	x.mustRun()
	x.m.def.MustNotBeGoal()
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

// fail records the failure of a call, and ends the run.
func (w *World) fail(who string, f *guard.Failure) {
	w.failed = true
	w.violate(model.NoHandlerFails, fmt.Sprintf("%s: %v", who, f))
}

// Failed reports whether a handler has failed. The run is over then.
func (w *World) Failed() bool { return w.failed }

// judge evaluates the invariants and the progress claims in the present state.
func (w *World) judge() {
	for _, c := range w.claims {
		switch {
		case c.Invariant != nil:
			w.Witnessed[c.Name] = true
			switch failed, err := guard.Invariant(c, w.states()); {
			case failed != nil: // the invariant has no result
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

// Stuck reports whether the run is quiescent, no node may restart, and some script is not done.
func (w *World) Stuck() bool { return !w.Done() && w.Quiescent() && !w.mayRestart() }

// Quiescent reports whether all pending events are optional or belong to monitors, so that only the environment
// can move. It is false if an event is pending that a cut disables.
func (w *World) Quiescent() bool {
	for _, e := range w.pending {
		if e.Kind != model.Expire && !e.Optional {
			return false // it fires at some time, perhaps after an alarm of a monitor
		}
	}
	return true
}

// Missed returns a violation for each Eventually claim whose goal is not reached, if the run is quiescent.
// A run that continues, or that a cut stops, has not missed a goal yet.
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

// mayRestart reports whether some node may restart.
func (w *World) mayRestart() bool {
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
		case w.opt.Live != nil || w.inPlace():
			states[i] = n.live
		default:
			states[i] = w.Codec.Fresh(n.live)
		}
	}
	return states
}

// Reached reports whether the current state is at the goal of a claim. The goal is the monitor's, or that all
// scripts are done.
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
