package ordering

import (
	"maps"
	"reflect"

	"contend/impl/ordering/object"
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
	Call  any // an [object.Call]
}

// A State is σ, the abstract data type of §6.1. It is a value: it is never changed
// in place, except the copy that apply works on.
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
	effects := o.Call.(object.Call).Do(s.Value)
	e := effects[0]
	if len(effects) > 1 {
		e = effects[draw(len(effects))]
	}
	s.Value = e.State
	s.Performed[o.Label] = true
	s.Responses[o.Label] = e.Result
}

// A Rank orders the passages of all ordering threads. "Each client's rank is formed
// with its identifier in the low-order bits" (§6.2), so no two clients ever have the
// same; 0 is the rank of σ⁰.
type Rank int64

// Absurd is the least rank that a client does not go above: a computer's integers
// end, the paper's do not. A server that reports as much lies, or has met a client
// that was lied to. A client that was told of a rank just below may still take it, and
// then outranks the others for good: see the option modest-ranks.
const Absurd Rank = 1 << 62

// above returns a client's least rank above r.
func (c *Config) above(r Rank, client model.NodeID) Rank {
	id := Rank(client - c.FirstClient)
	next := r>>c.RankBits<<c.RankBits | id
	if next <= r {
		next += 1 << c.RankBits
	}
	return next
}

// highest is "the maximum of all ranks reported" (§6.2), of those that there is room
// above.
func highest(reported []Rank) Rank {
	told := Rank(0)
	for _, r := range reported {
		if r < Absurd {
			told = max(told, r)
		}
	}
	return told
}
