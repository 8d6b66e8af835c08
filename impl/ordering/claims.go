package ordering

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/impl/ordering/object"
	"contend/model"
)

const (
	source = "Chockler–Malkhi–Reiter §7"
	proofs = "docs/proofs/ordering.md#"
)

// remembering is the assumption of every claim of safety: a server that restarts without its memory is a liar. The
// paper allows crashes. A duplicate message is ignored, or answered as before.
var remembering = []model.Assumption{model.NoMemoryLoss}

var claims = slices.Concat(order, liveness, causal)

// order are the claims of Theorem 1.
var order = []model.Claim{
	{
		Name: "Theorem 1", Kind: model.Always, Source: source, Proof: proofs + "theorem-1",
		Assumes: remembering,
		Monitor: func(s *model.System) model.Monitor { return &sequence{States: begun(s)} },
	},
	{
		Name: "Theorem 1, linearizable", Kind: model.Linearizable, Source: source, Proof: proofs + "theorem-1",
		Assumes: remembering,
		Object:  object.Spec,
	},
	{
		Name: "Line 2.25", Kind: model.Always, Source: source, Proof: proofs + "line-225",
		Assumes: remembering,
		Monitor: func(*model.System) model.Monitor { return &stateful{} },
	},
}

// liveness are the claims of Theorem 2: "If a run is eventually stable, then every operation submitted by a correct
// client is performed with probability one, and if performed, its result is returned to the client." The theorem as
// printed allows losses before the run is stable. Claims named reliable exclude them.
var liveness = []model.Claim{
	{
		Name: "Theorem 2", Kind: model.PossibleFromEverywhere, Source: source, Proof: proofs + "theorem-2",
		Assumes: []model.Assumption{model.Stable, model.NoMemoryLoss},
		Done:    true, Apart: alone,
	},
	{
		Name: "Theorem 2, reliable", Kind: model.PossibleFromEverywhere, Source: source, Proof: proofs + "theorem-2",
		Assumes: []model.Assumption{model.Stable, model.NoMemoryLoss, model.NoLoss},
		Done:    true, Apart: alone,
	},
	{
		Name: "Theorem 2, bounded", Kind: model.Always, Source: source + ", proof of Theorem 2", Proof: proofs + "theorem-2",
		Assumes:   []model.Assumption{model.Stable, model.NoMemoryLoss, model.NoLoss},
		Invariant: bounded,
	},
	{
		Name: "Theorem 2, eventually", Kind: model.Eventually, Source: source, Proof: proofs + "theorem-2",
		Assumes: []model.Assumption{model.Stable, model.NoMemoryLoss, model.NoLoss},
		Done:    true, Apart: alone,
	},
	{
		Name: "Theorem 2, adaptive", Kind: model.AlmostSurely, Against: model.Adaptive, Source: source, Proof: proofs + "theorem-2",
		Assumes: []model.Assumption{model.Timed, model.Stable, model.NoMemoryLoss, model.NoLoss},
		Done:    true,
	},
}

// bounded checks the step in the proof of Theorem 2 that counts passages. After clients are kept apart, an operation
// takes only a few passages besides the spoilt ones. The claim is safety, so it needs no fairness.
func bounded(nodes []model.Node) error {
	for _, n := range nodes {
		if at, ok := n.(*stableClient); ok && passages(n) > at.most {
			return fmt.Errorf("an operation takes more than %d passages", at.most)
		}
	}
	return nil
}

// alone returns the same search, without the monitors of other claims.
func alone(c model.Check) model.Check { return c }

// sequence checks Theorem 1: "there is a well-defined sequence in which submitted operations are applied", and "the
// result of each operation that returns is consistent with that sequence". The sequence has the state of each version
// that correct servers commit. Each state is the result of submitted, not yet applied operations on the previous state.
type sequence struct {
	States    []State // by version
	Submitted map[Label]any
}

// begun returns the states that are committed at boot, by version.
func begun(s *model.System) []State {
	states := []State{{}}
	for _, id := range setup(s).Servers {
		srv, ok := s.Nodes[id].New().(interface{ server() *Server })
		if ok && srv.server().Committed.Version == len(states) {
			states = append(states, srv.server().Committed)
		}
	}
	return states
}

func (s *sequence) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		s.Submitted[Label{o.Node, o.Op + 1}] = o.Value
	case model.Noted:
		if n, ok := o.Value.(Completion); ok && n.Phase == Committing {
			s.committed(w, n.State)
		}
	case model.Returned:
		s.returned(w, Label{o.Node, o.Op + 1}, o.Value)
	}
}

func (s *sequence) committed(w model.Watch, σ State) {
	switch last := len(s.States) - 1; {
	case σ.Version <= last:
		if σ.Version > 0 {
			w.Witness()
		}
		if σ.Version < 0 || !s.States[σ.Version].Equal(σ) {
			w.Violate("two states of version %d are committed", σ.Version)
		}
	case σ.Version > last+1:
		w.Violate("a state of version %d is committed, but none of version %d", σ.Version, last+1)
	default:
		if err := extends(σ, s.States[last], s.Submitted, State.Reflects); err != nil {
			w.Violate("the state of version %d that is committed %v", σ.Version, err)
		}
		s.States = append(s.States, σ)
	}
}

func (s *sequence) returned(w model.Watch, o Label, result any) {
	w.Witness()
	for _, σ := range s.States {
		if is, applied := σ.Responses[o]; applied {
			if is != result {
				w.Violate("its operation returns %v, but the sequence gives %v", result, is)
			}
			return
		}
	}
	w.Violate("its operation returns %v, but no state that is committed has applied it", result)
}

// extends returns an error unless σ is the result of operations applied to a state in some order. The operations are
// those that only σ reflects. All of them must be submitted.
func extends(σ, from State, submitted map[Label]any, reflects func(State, Label) bool) error {
	unknown := func(o Label) bool { _, known := submitted[o]; return !known }
	all := true
	for o := range σ.Performed {
		if unknown(o) {
			all = false
		}
	}
	if !all {
		for _, o := range slices.SortedFunc(maps.Keys(σ.Performed), byLabel) {
			if unknown(o) {
				return fmt.Errorf("reflects operation %d of node %d, which was not submitted", o.Seq, o.Client)
			}
		}
	}
	var block []Op
	for o, call := range submitted {
		if reflects(σ, o) && !reflects(from, o) {
			block = append(block, Op{o, call})
		}
	}
	slices.SortFunc(block, func(a, b Op) int { return byLabel(a.Label, b.Label) })
	if σ.Version != from.Version+1 || !performs(σ, from, block) || !leads(from.Value, σ, block) {
		return fmt.Errorf("is not made from the one before by the operations it reflects")
	}
	return nil
}

// performs reports whether a state has performed the operations of another state and of a block, and no other
// operation.
func performs(σ, from State, block []Op) bool {
	more := 0
	for _, o := range block {
		if _, before := from.Performed[o.Label]; !before {
			more++
		}
		if !σ.Performed[o.Label] {
			return false
		}
	}
	for _, o := range slices.SortedFunc(maps.Keys(from.Performed), byLabel) {
		if σ.Performed[o] != from.Performed[o] && !slices.ContainsFunc(block, func(b Op) bool { return b.Label == o }) {
			return false
		}
	}
	return len(σ.Performed) == len(from.Performed)+more
}

// leads reports whether some order and effects of the operations lead from a value to a state's value and responses.
// The state may also have responses of earlier versions. It permutes the block. It does not follow effects with other
// responses, so mostly one order remains.
func leads(value any, to State, block []Op) bool {
	if len(block) == 0 {
		return reflect.DeepEqual(value, to.Value)
	}
	for i, o := range block {
		response, given := to.Responses[o.Label]
		if !given {
			return false
		}
		block[0], block[i] = block[i], block[0]
		for _, e := range o.Call.(object.Call).Do(value) {
			if e.Result == response && leads(e.State, to, block[1:]) {
				return true
			}
		}
		block[0], block[i] = block[i], block[0]
	}
	return false
}

// stateful checks an implicit assumption of line 2.25: σᶜ is not ⊥ where operations are applied to it.
type stateful struct{}

func (*stateful) Observe(w model.Watch, o model.Observation) {
	switch o.Value.(type) {
	case Invocation:
		w.Witness()
	case Stateless:
		w.Violate("no state is known to be committed, but operations are to be applied to one")
	}
}
