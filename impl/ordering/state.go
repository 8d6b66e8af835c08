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

// A State is σ, the abstract data type of §6.1. It is a value. Only apply changes a State in place, on its own copy.
type State struct {
	// Version is σ.version, 0 for σ⁰. −1 means no state: ⊥.
	Version int
	// Value is the state of the replicated object. nil is its initial state.
	Value any
	// Performed are the executed operations. A variant stores only "the highest operation sequence number already
	// performed" for each client, as §6.1 suggests.
	Performed map[Label]bool
	// Responses is σ.response, the responses of the operations of this version. Responses of earlier versions are
	// "eliminated when σ.version is incremented".
	Responses map[Label]any
}

// Undefined is ⊥, no state.
var Undefined = State{Version: -1}

// Defined reports whether σ ≠ ⊥.
func (s State) Defined() bool { return s.Version >= 0 }

// Reflects implements σ.reflects(o). It reports whether σ.doOp(o) was executed.
func (s State) Reflects(o Label) bool { return s.Performed[o] }

// Equal reports whether σ = σ′.
func (s State) Equal(t State) bool {
	return s.Version == t.Version && maps.Equal(s.Performed, t.Performed) &&
		maps.Equal(s.Responses, t.Responses) && reflect.DeepEqual(s.Value, t.Value)
}

// successor returns a copy of σ that apply changes into the next version.
func (s State) successor() State {
	next := State{s.Version, s.Value, maps.Clone(s.Performed), map[Label]any{}}
	if next.Performed == nil {
		next.Performed = map[Label]bool{}
	}
	return next
}

// doOp implements σ.doOp(o), in place. If the object allows several effects, it calls draw to choose one: "our protocol
// supports nondeterministic operations" (§6).
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

// A Rank orders the passages of all ordering threads. "Each client's rank is formed with its identifier in the
// low-order bits" (§6.2). So no two clients have the same rank. 0 is the rank of σ⁰.
type Rank int64

// Absurd is the smallest rank that a client does not exceed, because integers of a computer are bounded. A server that
// reports this rank lies, or a client that was misled has used it. A client that receives a rank just below may take
// it, and then outranks all other clients forever: see the option modest-ranks.
const Absurd Rank = 1 << 62

// above returns a client's smallest rank above r.
func (c *Config) above(r Rank, client model.NodeID) Rank {
	id := Rank(client - c.FirstClient)
	next := r>>c.RankBits<<c.RankBits | id
	if next <= r {
		next += 1 << c.RankBits
	}
	return next
}

// highest returns "the maximum of all ranks reported" (§6.2) that are below [Absurd].
func highest(reported []Rank) Rank {
	told := Rank(0)
	for _, r := range reported {
		if r < Absurd {
			told = max(told, r)
		}
	}
	return told
}
