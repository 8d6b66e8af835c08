package ordering

import (
	"maps"
	"reflect"

	"contend/model"
)

// A Label names an operation: "each client labeling each of its operations with the
// client's identifier and a sequence number" (§6.1).
type Label struct {
	Client model.NodeID
	Seq    int // from 1
}

// An Op is an operation o that a client submits.
type Op struct {
	Label Label
	Call  any // a [Call]
}

// A State is σ, the abstract data type of §6.1. It is a value: what it holds is
// never changed in place, but for the copy that apply works on.
type State struct {
	// Version is σ.version, 0 for σ⁰; −1 says that there is no state: ⊥.
	Version int
	// Value is the replicated object's own state; nil is its first.
	Value any
	// Performed are the operations that were executed. To keep of each client only "the
	// highest operation sequence number already performed", as §6.1 suggests, is a
	// variant.
	Performed map[Label]bool
	// Responses is σ.response, of the operations that made this version; those of
	// earlier ones are "eliminated when σ.version is incremented".
	Responses map[Label]any
}

// Undefined is ⊥, no state.
var Undefined = State{Version: -1}

// Defined reports σ ≠ ⊥.
func (s State) Defined() bool { return s.Version >= 0 }

// Reflects is σ.reflects(o): whether σ.doOp(o) was executed.
func (s State) Reflects(o Label) bool { return s.Performed[o] }

// Equal reports σ = σ′.
func (s State) Equal(t State) bool {
	return s.Version == t.Version && maps.Equal(s.Performed, t.Performed) &&
		maps.Equal(s.Responses, t.Responses) && reflect.DeepEqual(s.Value, t.Value)
}

// successor copies σ into the state that apply turns into the next version.
func (s State) successor() State {
	next := State{s.Version, s.Value, maps.Clone(s.Performed), map[Label]any{}}
	if next.Performed == nil {
		next.Performed = map[Label]bool{}
	}
	return next
}

// doOp is σ.doOp(o), in place. Where the object allows several effects, one is drawn:
// "our protocol supports nondeterministic operations" (§6).
func (s *State) doOp(o Op, draw func(n int) int) {
	effects := o.Call.(Call).Do(s.Value)
	e := effects[0]
	if len(effects) > 1 {
		e = effects[draw(len(effects))]
	}
	s.Value = e.State
	s.Performed[o.Label] = true
	s.Responses[o.Label] = e.Result
}
