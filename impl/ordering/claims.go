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

// remembering is what every claim of safety rests on: a server that came back
// without its memory is one that lies. A message delivered twice is ignored or
// answered as before, and crashes are the paper's own.
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

// liveness are the claims of Theorem 2: "If a run is eventually stable, then every
// operation submitted by a correct client is performed with probability one, and if
// performed, its result is returned to the client." As printed it lets messages be
// lost before the run is stable; reliable is that none is.
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

// bounded is the step in the proof of Theorem 2 that counts passages: once clients are
// kept apart, an operation takes no more than a few besides those that were spoilt.
// It is a claim of safety, so it needs no fairness.
func bounded(nodes []model.Node) error {
	for _, n := range nodes {
		if at, ok := n.(*stableClient); ok && passages(n) > at.most {
			return fmt.Errorf("an operation takes more than %d passages", at.most)
		}
	}
	return nil
}

// alone is the same search, without the monitors of other claims.
func alone(c model.Check) model.Check { return c }

// sequence is the first half of Theorem 1, "there is a well-defined sequence in which
// submitted operations are applied", and the second, "the result of each operation
// that returns is consistent with that sequence". The sequence is that of the states
// committed at correct servers, one for each version, each made from the one before
// by operations that were submitted and not yet applied.
type sequence struct {
	States    []State // by version
	Submitted map[Label]any
}

// begun are the states that are committed at boot, by version.
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

// extends says how σ is not the result of applying the operations that it reflects
// and another state does not, all of them submitted, to that state in some order.
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

// performs reports whether what was performed in a state is what was performed in another one, and a block.
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

// leads reports whether some order of the operations, with some of the effects they may have, leads from a value to that of a
// state, with its responses; those of earlier versions may still be there. It permutes the block. An effect with another response is not
// followed, so that mostly one order is left of all.
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

// stateful is what line 2.25 takes for granted: where operations are to be applied
// to σᶜ, it is not ⊥.
type stateful struct{}

func (*stateful) Observe(w model.Watch, o model.Observation) {
	switch o.Value.(type) {
	case Invocation:
		w.Witness()
	case Stateless:
		w.Violate("no state is known to be committed, but operations are to be applied to one")
	}
}
