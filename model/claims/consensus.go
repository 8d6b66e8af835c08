package claims

import (
	"reflect"

	"contend/model"
)

// A Reading finds in an observation what a claim speaks of: a decision, or a proposal, of the
// node that is observed. It is a pure function.
type Reading func(o model.Observation) (value any, ok bool)

// Returns reads the result of every operation.
func Returns(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Returned }

// Delivers reads every value that is delivered.
func Delivers(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Delivered }

// Invokes reads the call of every operation.
func Invokes(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Invoked }

// Agreement says that no two correct nodes decide differently, that is, no two nodes that have
// decided and have not crashed. Kind always; it assumes that no node loses its memory.
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

// UniformAgreement says that no two nodes decide differently, whether they crash later or not.
// Kind always; it assumes nothing.
func UniformAgreement(decides Reading) model.Claim {
	return model.Claim{Name: "uniform agreement", Kind: model.Always, Monitor: func(*model.System) model.Monitor {
		return &uniform{decides: decides}
	}}
}

type uniform struct {
	decides Reading
	First   []any // the first decision, once there is one
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

// Validity says that what a node decides was proposed before by some node. Kind always; it assumes
// nothing, but a node that lies can break it.
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
		for _, is := range all {
			if reflect.DeepEqual(is, value) {
				return true
			}
		}
	}
	return false
}

// DecidesOnce says that no node decides twice, the integrity of consensus. Kind always; it assumes
// that no node loses its memory.
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

// EventualAgreement says that all live nodes agree in the end: each node that has a script and has
// not crashed has decided, all on the same value. Of a node that decides more than once the last
// decision counts. Kind eventually; it assumes that no node loses its memory.
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
	nodes   int // that have a script
	Crashed int // of these
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

// Reached reports whether every live node has decided, and all alike.
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
