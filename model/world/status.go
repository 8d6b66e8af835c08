package world

import (
	"cmp"
	"slices"

	"contend/model"
)

// A Status is the state of a node or of a claim's monitor.
type Status struct {
	State model.Node  // the present state, not to be changed; nil if the node is down or Byzantine
	Down  bool        // it crashed and has not restarted
	Begun int         // the number of operations of its script that were invoked
	Runs  bool        // the last operation has not returned, and the node is up
	Cut   bool        // the node crashed during the last operation, and may restart
	Holds []Countdown // the holds that may last, sorted by key
}

// A Countdown is a hold that was set and was not yet found to be over.
type Countdown struct {
	Key    any
	Since  Time
	Step   int // the step that set it, from 1; 0 for the initial state
	Length model.Bound
}

// Status returns the status of a node.
func (w *World) Status(id model.NodeID) Status {
	n := w.nodes[id]
	return Status{State: n.live, Down: n.down, Begun: n.op, Runs: n.busy && !n.down, Cut: n.busy && n.down, Holds: w.countdowns(n.holds)}
}

// MonitorStatus returns the status of a claim's monitor. It reports false if the claim has none or is not
// monitored.
func (w *World) MonitorStatus(claim string) (s Status, ok bool) {
	i := slices.IndexFunc(w.monitors, func(m *monitor) bool { return m.claim == claim })
	if i < 0 {
		return Status{}, false
	}
	return Status{State: w.monitors[i].live, Holds: w.countdowns(w.monitors[i].holds)}, true
}

// Claim returns a monitored claim by name. It reports false if the claim is not monitored.
func (w *World) Claim(name string) (c model.Claim, ok bool) {
	i := slices.IndexFunc(w.claims, func(c model.Claim) bool { return c.Name == name })
	if i < 0 {
		return model.Claim{}, false
	}
	return w.claims[i], true
}

// Budget returns the remaining faults.
func (w *World) Budget() model.Faults { return w.budget }

// countdowns returns holds sorted by key, without those that time has ended.
func (w *World) countdowns(holds map[string]*hold) (all []Countdown) {
	keys := make([]string, 0, len(holds))
	for k := range holds {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cmp.Compare[string])
	for _, k := range keys {
		h := holds[k]
		end := h.since + Time(int64(h.length.At)*w.opt.Parts)
		if w.opt.Timed && (w.Now > end || w.Now == end && h.length.Open) {
			continue
		}
		all = append(all, Countdown{w.Codec.DecodeAny([]byte(k)), h.since, h.step, h.length})
	}
	return all
}
