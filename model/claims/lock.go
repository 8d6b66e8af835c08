package claims

import (
	"fmt"
	"slices"

	"contend/model"
)

// MutualExclusion claims that at most one node is in the critical section. A node is in the section from the
// return of an operation with a [model.Op.Release] until the release or a crash. Kind always, no assumptions.
func MutualExclusion() model.Claim {
	return model.Claim{Name: "mutual exclusion", Kind: model.Always, Monitor: func(s *model.System) model.Monitor {
		return &exclusion{sections: sections(s)}
	}}
}

// sections reports, for each operation of each node, whether it enters a critical section.
func sections(s *model.System) [][]bool {
	all := make([][]bool, len(s.Nodes))
	for i, n := range s.Nodes {
		for _, op := range n.Script {
			all[i] = append(all[i], op.Release != nil)
		}
	}
	return all
}

type exclusion struct {
	sections [][]bool
	Inside   map[model.NodeID]bool
}

func (e *exclusion) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Returned:
		if !e.sections[o.Node][o.Op] {
			return
		}
		w.Witness()
		if len(e.Inside) > 0 {
			w.Violate("it enters the critical section while another is inside")
		}
		e.Inside[o.Node] = true
	case model.Released, model.Crashed:
		delete(e.Inside, o.Node)
	}
}

// BoundedOvertaking claims that while a node waits for a critical section, no other node enters more than k
// times. A node waits from the observation for which waits returns it, or from its invocation if waits is nil,
// until its operation returns or it crashes. The function waits must be pure. A node enters when an operation
// with a [model.Op.Release] returns. Kind always, no assumptions. In an asynchronous network an invocation may
// be unknown to others for long. So most protocols bound overtaking only from a later moment, and note it.
func BoundedOvertaking(k int, waits func(o model.Observation) (who model.NodeID, ok bool)) model.Claim {
	return model.Claim{Name: "bounded overtaking", Kind: model.Always, Monitor: func(s *model.System) model.Monitor {
		b := &overtaking{most: k, waits: waits, sections: sections(s)}
		if b.waits == nil {
			b.waits = b.invoked
		}
		return b
	}}
}

type overtaking struct {
	most     int
	waits    func(o model.Observation) (model.NodeID, bool)
	sections [][]bool
	// Overtaken counts, for each waiting node, the entries of each other node since it waits.
	Overtaken map[model.NodeID]map[model.NodeID]int
}

func (b *overtaking) invoked(o model.Observation) (model.NodeID, bool) {
	return o.Node, o.Kind == model.Invoked && b.sections[o.Node][o.Op]
}

func (b *overtaking) Observe(w model.Watch, o model.Observation) {
	if who, ok := b.waits(o); ok {
		b.Overtaken[who] = map[model.NodeID]int{}
	}
	switch {
	case o.Kind == model.Crashed:
		delete(b.Overtaken, o.Node)
	case o.Kind == model.Returned && b.sections[o.Node][o.Op]:
		delete(b.Overtaken, o.Node)
		b.entered(w, o.Node)
	}
}

// entered counts an entry for every waiting node.
func (b *overtaking) entered(w model.Watch, id model.NodeID) {
	for _, waiting := range sorted(b.Overtaken) {
		overtaken := b.Overtaken[waiting]
		w.Witness()
		if overtaken[id] < b.most {
			overtaken[id]++
		} else { // the count stays finite
			w.Violate("it enters more than %s while another waits", times(b.most))
		}
	}
}

// times formats a number of times.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// CrashSurvived claims that in some run a node enters the critical section after another has crashed inside:
// the lock is not lost with its holder. Kind sometimes. It holds without a test if no node may crash for good.
func CrashSurvived() model.Claim {
	return model.Claim{Name: "a crash inside is survived", Kind: model.Sometimes, Monitor: func(s *model.System) model.Monitor {
		return &survived{sections: sections(s), Seen: s.Faults.Crashes == 0}
	}}
}

type survived struct {
	sections [][]bool
	Inside   map[model.NodeID]bool
	Lost     bool // a node has crashed inside
	Seen     bool
}

func (v *survived) Observe(w model.Watch, o model.Observation) {
	switch {
	case v.Seen:
	case o.Kind == model.Returned && v.sections[o.Node][o.Op]:
		if v.Seen = v.Lost; v.Seen {
			w.Witness()
		}
		v.Inside[o.Node] = true
	case o.Kind == model.Released:
		delete(v.Inside, o.Node)
	case o.Kind == model.Crashed:
		v.Lost = v.Lost || v.Inside[o.Node]
		delete(v.Inside, o.Node)
	}
}

// Reached reports whether a node has entered after a crash inside.
func (v *survived) Reached() bool { return v.Seen }

// RecoverySurvived claims that in some run a node enters the critical section whose operation began after
// another node restarted. So the restarted node serves again. Kind sometimes. It holds without a test if no
// node may restart.
func RecoverySurvived() model.Claim {
	return model.Claim{Name: "a recovery is survived", Kind: model.Sometimes, Monitor: func(s *model.System) model.Monitor {
		return &served{sections: sections(s), Seen: s.Faults.Restarts == 0}
	}}
}

type served struct {
	sections [][]bool
	Back     bool                  // a node has restarted
	Asked    map[model.NodeID]bool // nodes with an operation that began since
	Seen     bool
}

func (v *served) Observe(w model.Watch, o model.Observation) {
	switch {
	case v.Seen:
	case o.Kind == model.Recovered:
		v.Back = true
	case o.Kind == model.Crashed: // earlier requests may have been served before the crash
		v.Back = false
		clear(v.Asked)
	case o.Kind == model.Invoked && v.Back && v.sections[o.Node][o.Op]:
		v.Asked[o.Node] = true
	case o.Kind == model.Returned && v.Asked[o.Node]:
		v.Seen = true
		w.Witness()
	}
}

// Reached reports whether a node has entered that asked after a restart.
func (v *served) Reached() bool { return v.Seen }

// HappenedBefore claims that requests for a critical section are granted in happened-before order: a node does
// not enter before a request in the causal past of its own. Every operation of the scripts must be a request
// for the section. Kind always, causal, no assumptions.
func HappenedBefore() model.Claim {
	return Vacuous(model.Claim{
		Name: "happened-before order", Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &happenedBefore{} },
		Causal:  func(o model.Observation) bool { return o.Kind == model.Invoked },
	}, lonely, "fewer than two ask")
}

type happenedBefore struct {
	Behind  map[model.NodeID][]int32 // by waiting process: the number of requests of each process in the causal past
	Entered map[model.NodeID]int32
}

func (h *happenedBefore) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		h.Behind[o.Node] = slices.Clone(o.Past)
	case model.Returned:
		h.Entered[o.Node]++
		for p, requests := range h.Behind[o.Node] {
			if requests > 0 && model.NodeID(p) != o.Node {
				w.Witness()
			}
			if h.Entered[model.NodeID(p)] < requests {
				w.Violate("it enters before a request that happened before its own")
			}
		}
		delete(h.Behind, o.Node)
	}
}
