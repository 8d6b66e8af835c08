package world

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/wrapped"
)

// A Setting is a system with monitored claims, prepared for any number of runs, also concurrent ones.
type Setting struct {
	system    *model.System
	codec     *value.Codec
	claims    []model.Claim
	names     []string        // of nodes, for texts
	nodes     []model.Node    // initial; nil for Byzantine ones
	monitors  []model.Monitor // initial
	atBoot    []model.NodeID
	informs   []model.NodeID
	leftovers *leftovers
	apart     bool // the nodes have their own objects
}

// Prepare returns a Setting. It makes the nodes and the monitors once.
func Prepare(s *model.System, codec *value.Codec, claims []model.Claim) (x *Setting, err error) {
	defer guard.Caught(&err)
	x = &Setting{system: s, codec: codec, claims: claims, atBoot: s.AtBoot(), informs: s.Informs()}
	for _, c := range claims {
		if c.Monitor == nil {
			continue
		}
		var m model.Monitor
		guard.Must("Monitor of claim "+c.Name, func() { m = c.Monitor(s) })
		if err := value.CheckNode(m); err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.Name, err)
		}
		x.monitors = append(x.monitors, codec.Fresh(m).(model.Monitor))
	}
	for _, spec := range s.Nodes {
		var n model.Node
		if !spec.Byzantine {
			guard.Must("New of node "+spec.Name, func() { n = codec.Fresh(spec.New()) })
		}
		x.names, x.nodes = append(x.names, "node "+spec.Name), append(x.nodes, n)
	}
	x.leftovers = &leftovers{counts: make([]guard.Census, len(x.nodes)+len(x.monitors))}
	return x, nil
}

// Apart returns the setting for one run with its own objects, and a function that frees the objects.
func (x *Setting) Apart() (own *Setting, release func()) {
	objects := wrapped.Apart(x.system)
	return x.with(objects), objects.Release
}

// with returns the setting for runs with the given objects.
func (x *Setting) with(objects *wrapped.Objects) *Setting {
	own := *x
	own.system, own.nodes, own.apart = objects.System, nil, true
	for _, n := range x.nodes {
		own.nodes = append(own.nodes, objects.Node(n))
	}
	return &own
}

// Start begins a run like [Start].
func (x *Setting) Start(opt Options) (w *World, err error) {
	opt.Parts = max(opt.Parts, 1)
	s := x.system
	w = &World{System: s, Codec: x.codec, opt: opt, claims: x.claims, setting: x, budget: s.Faults,
		Witnessed: map[string]bool{}, Cut: map[string]bool{}, names: map[name]int{}, current: &Record{}, atBoot: slices.Clone(x.atBoot), informs: x.informs}
	if opt.Live != nil {
		opt.Live.begin(len(s.Nodes))
	}
	defer guard.Caught(&err)
	w.addMonitors()
	for i, spec := range s.Nodes {
		n := &node{past: make([]int32, len(s.Nodes))}
		w.nodes = append(w.nodes, n)
		if spec.Byzantine {
			continue
		}
		if opt.Live != nil {
			n.runs = opt.Live.runs[i]
		}
		n.become(x.nodes[i], x.codec)
		w.invokes(model.NodeID(i), 0)
	}
	w.booting = true
	for i := range s.Nodes {
		if w.boot(model.NodeID(i)); w.failed {
			w.booting = false
			return w, nil
		}
	}
	w.booting = false
	w.Began = w.current.Observations
	w.judge()
	return w, nil
}
