package world

import (
	"cmp"
	"slices"

	"contend/model"
)

// A Standing is what a node, or a claim's monitor, has reached, for people to read.
type Standing struct {
	State model.Node  // as it is now, not to be changed; nil of a node that is down or Byzantine
	Down  bool        // it crashed, and has not come back
	Begun int         // operations of its script that were invoked
	Runs  bool        // the last of them has not returned, and the node is up
	Cut   bool        // the node went down before the last of them ended, and may come back
	Holds []Countdown // that may last, by key
}

// A Countdown is a hold that was set and was not yet seen to be over.
type Countdown struct {
	Key    any
	Since  Time
	Step   int // the one that set it, from 1; 0 before the first
	Length model.Bound
}

// Standing says where a node is.
func (w *World) Standing(id model.NodeID) Standing {
	n := w.nodes[id]
	return Standing{State: n.live, Down: n.down, Begun: n.op, Runs: n.busy && !n.down, Cut: n.busy && n.down, Holds: w.countdowns(n.holds)}
}

// Watching says where the monitor of a claim is, and whether the claim has one that watches.
func (w *World) Watching(claim string) (s Standing, ok bool) {
	i := slices.IndexFunc(w.monitors, func(m *monitor) bool { return m.claim == claim })
	if i < 0 {
		return Standing{}, false
	}
	return Standing{State: w.monitors[i].live, Holds: w.countdowns(w.monitors[i].holds)}, true
}

// Claim is the claim of a name, and whether it is watched.
func (w *World) Claim(name string) (c model.Claim, ok bool) {
	i := slices.IndexFunc(w.claims, func(c model.Claim) bool { return c.Name == name })
	if i < 0 {
		return model.Claim{}, false
	}
	return w.claims[i], true
}

// Budget is what the environment may still do.
func (w *World) Budget() model.Faults { return w.budget }

// countdowns lists holds by key, without those that time has ended.
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
