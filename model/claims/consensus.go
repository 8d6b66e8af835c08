package claims

import (
	"reflect"

	"contend/model"
)

// A Reading returns the decision or the proposal of the observed node from an observation. It reports false if
// there is none. The monitor calls it for each observation, and it must be a pure function.
type Reading func(o model.Observation) (value any, ok bool)

// Returns is a [Reading] of the result of every operation, other than [model.NoResult].
func Returns(o model.Observation) (any, bool) {
	return o.Value, o.Kind == model.Returned && o.Value != any(model.NoResult{})
}

// Delivers is a [Reading] of every delivered value.
func Delivers(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Delivered }

// Invokes is a [Reading] of the call of every operation.
func Invokes(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Invoked }

// Agreement claims that no two correct nodes decide differently. A node is correct if it has not crashed.
// Kind always. It assumes that no node loses its memory.
func Agreement(decides Reading) model.Claim {
	return model.Claim{
		Name: "agreement", Kind: model.Always, Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &agreement{decides: decides} },
	}
}

type agreement struct {
	decides Reading
	Decided map[model.NodeID]any
}

func (a *agreement) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		delete(a.Decided, o.Node)
		return
	}
	value, ok := a.decides(o)
	if !ok {
		return
	}
	for _, id := range sorted(a.Decided) {
		if id == o.Node {
			continue
		}
		w.Witness()
		if !reflect.DeepEqual(a.Decided[id], value) {
			w.Violate("it decides %v, but another node has decided %v", value, a.Decided[id])
		}
	}
	a.Decided[o.Node] = value
}

// UniformAgreement claims that no two nodes decide differently, whether they crash later or not. Kind always,
// no assumptions.
func UniformAgreement(decides Reading) model.Claim {
	return model.Claim{Name: "uniform agreement", Kind: model.Always, Monitor: func(*model.System) model.Monitor {
		return &uniform{decides: decides}
	}}
}

type uniform struct {
	decides Reading
	First   []any // the first decision, if any
}

func (u *uniform) Observe(w model.Watch, o model.Observation) {
	value, ok := u.decides(o)
	switch {
	case !ok:
	case len(u.First) == 0:
		u.First = []any{value}
	default:
		w.Witness()
		if !reflect.DeepEqual(u.First[0], value) {
			w.Violate("it decides %v, but %v was decided before", value, u.First[0])
		}
	}
}

// Validity claims that a node decides only values that some node proposed before. Kind always, no assumptions,
// but a Byzantine node can violate it.
func Validity(proposes, decides Reading) model.Claim {
	return model.Claim{Name: "validity", Kind: model.Always, Monitor: func(*model.System) model.Monitor {
		return &validity{proposes: proposes, decides: decides}
	}}
}

type validity struct {
	proposes, decides Reading
	Proposed          map[model.NodeID][]any
}

func (v *validity) Observe(w model.Watch, o model.Observation) {
	if value, ok := v.proposes(o); ok && !v.proposed(value) {
		v.Proposed[o.Node] = append(v.Proposed[o.Node], value)
	}
	if value, ok := v.decides(o); ok {
		w.Witness()
		if !v.proposed(value) {
			w.Violate("it decides %v, which nobody has proposed", value)
		}
	}
}

func (v *validity) proposed(value any) bool {
	for _, all := range v.Proposed {
		for _, proposal := range all {
			if reflect.DeepEqual(proposal, value) {
				return true
			}
		}
	}
	return false
}

// DecidesOnce claims that no node decides twice: the integrity of consensus. Kind always. It assumes that no
// node loses its memory.
func DecidesOnce(decides Reading) model.Claim {
	return model.Claim{
		Name: "integrity", Kind: model.Always, Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &once{decides: decides} },
	}
}

type once struct {
	decides Reading
	Decided map[model.NodeID]bool
}

func (d *once) Observe(w model.Watch, o model.Observation) {
	value, ok := d.decides(o)
	if !ok {
		return
	}
	w.Witness()
	if d.Decided[o.Node] {
		w.Violate("it decides %v, and has decided before", value)
	}
	d.Decided[o.Node] = true
}

// EventualAgreement claims that finally every node with a script that has not crashed has decided, all on the
// same value. Only the last decision of a node counts. Kind eventually. It assumes that no node loses its
// memory.
func EventualAgreement(decides Reading) model.Claim {
	return model.Claim{
		Name: "all live nodes come to agree", Kind: model.Eventually, Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(s *model.System) model.Monitor {
			nodes := s.IDs(func(n model.NodeSpec) bool { return len(n.Script) > 0 })
			return &agreed{decides: decides, nodes: len(nodes)}
		},
	}
}

type agreed struct {
	decides Reading
	nodes   int // the number of nodes with a script
	Crashed int // the number of these nodes that crashed
	Decided map[model.NodeID]any
}

func (a *agreed) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		a.Crashed++
		delete(a.Decided, o.Node)
	}
	if value, ok := a.decides(o); ok {
		w.Witness()
		a.Decided[o.Node] = value
	}
}

// Reached reports whether every live node has decided, and on the same value.
func (a *agreed) Reached() bool {
	if len(a.Decided) < a.nodes-a.Crashed {
		return false
	}
	var first []any
	for _, id := range sorted(a.Decided) {
		first = append(first, a.Decided[id])
		if !reflect.DeepEqual(first[0], a.Decided[id]) {
			return false
		}
	}
	return true
}
