// Package invariants evaluates claims on single states: invariants of nodes, goals of monitors and totals of
// meters. Results are memoized by the local states that they depend on. Under symmetry each result is compared
// with the results for the renamed states.
package invariants

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/model"
	"contend/model/guard"
)

// An Asker evaluates claims on states, for one worker.
type Asker struct {
	*step.Worker
	orbits   *symmetry.Orbits // nil without symmetry
	claims   []model.Claim
	Claims   []int  // indexes of the claims with an invariant
	Goals    []Goal // of Sometimes claims
	memos    []verdictMemo
	nodes    []model.Node // by local state, decoded
	monitors []int        // by monitor: the index of its claim
}

// A verdictMemo is a memo of an invariant's results, by a hash of the nodes' local states. Without symmetry,
// only results that hold are stored, in a direct-mapped cache: to evaluate again is cheap. Under symmetry all
// results are stored, since each evaluation also evaluates the renamed nodes.
type verdictMemo struct {
	hold    []uint64   // nil under symmetry
	all     memo.Table // hash → index in texts
	texts   []string   // texts[0] is "": the invariant holds
	checked []bool     // by local state: the invariant was checked not to change it
}

const cacheSize = 1 << 14

func (v *verdictMemo) find(key uint64) (text string, ok bool) {
	if v.hold != nil {
		return "", v.hold[key%cacheSize] == key
	}
	i, ok := v.all.Get(key)
	return v.texts[i], ok
}

func (v *verdictMemo) store(key uint64, text string) {
	switch {
	case v.hold != nil && text == "":
		v.hold[key%cacheSize] = key
	case text == "":
		v.all.Put(key, 0)
	default:
		v.all.Put(key, uint32(len(v.texts)))
		v.texts = append(v.texts, text)
	}
}

// New returns an asker; orbits is nil without symmetry.
func New(w *step.Worker, orbits *symmetry.Orbits, claims []model.Claim) *Asker {
	a := &Asker{Worker: w, orbits: orbits, claims: claims}
	for i, c := range claims {
		if c.Invariant != nil {
			a.Claims = append(a.Claims, i)
			r := verdictMemo{all: memo.New(), texts: []string{""}}
			if orbits == nil {
				r.hold = make([]uint64, cacheSize)
			}
			a.memos = append(a.memos, r)
		}
		if c.Monitor != nil {
			a.monitors = append(a.monitors, i)
		}
	}
	for _, g := range GoalsOf(claims) {
		if claims[g.Claim].Kind == model.Sometimes {
			a.Goals = append(a.Goals, g)
		}
	}
	return a
}

// Judge evaluates the k-th invariant of Claims on the nodes of a state. It returns the text of a violation, or
// "" if the invariant holds. If the invariant's function fails, how is the failure.
func (a *Asker) Judge(k int, v []uint32) (text, how string) {
	key := uint64(1)
	for _, id := range v[:a.N] {
		key += a.LocalPrints[id].A
	}
	text, ok := a.memos[k].find(key)
	if ok {
		return text, ""
	}
	claim := a.claims[a.Claims[k]]
	nodes := a.Nodes(v)
	f, err := guard.Invariant(claim, nodes)
	if f != nil {
		return "", fmt.Sprintf("Invariant of claim %s: %v", claim.Name, f)
	}
	if err != nil {
		text = model.Printable(err.Error())
	}
	a.mustLeaveNodes(nodes, v, &a.memos[k], claim.Name)
	a.memos[k].store(key, text)
	if a.orbits != nil {
		for _, swap := range a.orbits.Groups.Swaps {
			renamed := make([]uint32, a.N)
			for i := range renamed {
				renamed[a.orbits.Renaming(swap.Perm)[i]] = a.orbits.RenamedLocal(v[i], swap.Perm)
			}
			there, failed := "", ""
			why := step.FailureOf(func() { there, failed = a.Judge(k, renamed) })
			if failed != "" {
				why = "fails: " + failed
			}
			a.refuseUnlike(swap, "the invariant "+claim.Name, why, (there == "") == (text == ""))
		}
	}
	return text, ""
}

// Nodes returns the nodes of a state, nil for nodes that are down or Byzantine. Each local state is decoded
// once; callers must not change the nodes.
func (a *Asker) Nodes(v []uint32) []model.Node {
	nodes := make([]model.Node, a.N)
	for i, id := range v[:a.N] {
		if id == component.Down {
			continue
		}
		for int(id) >= len(a.nodes) {
			a.nodes = append(a.nodes, nil)
		}
		if a.nodes[id] == nil {
			a.Ask(func() { a.nodes[id] = a.Codec.DecodeNode(a.Protos[i], []byte(a.Store.Locals.Items[id].Bytes)) })
		}
		nodes[i] = a.nodes[id]
	}
	return nodes
}

// mustLeaveNodes panics if an invariant changed a node: nodes are shared between states and invariants. For
// each invariant a local state is checked once.
func (a *Asker) mustLeaveNodes(nodes []model.Node, v []uint32, of *verdictMemo, claim string) {
	for i, n := range nodes {
		id := v[i]
		if n == nil || int(id) < len(of.checked) && of.checked[id] {
			continue
		}
		for int(id) >= len(of.checked) {
			of.checked = append(of.checked, false)
		}
		of.checked[id] = true
		a.mustEqual(n, id, "the invariant "+claim)
	}
}

// MustBeUnchanged panics if an invariant has changed some shared node. An invariant may change a node only
// beside certain other nodes, so mustLeaveNodes does not suffice.
func (a *Asker) MustBeUnchanged() {
	for id, n := range a.nodes {
		if n != nil {
			a.mustEqual(n, uint32(id), "an invariant")
		}
	}
}

// mustEqual panics if a node differs from its local state.
func (a *Asker) mustEqual(n model.Node, id uint32, who string) {
	a.Ask(func() {
		if string(a.Codec.Node(n, nil)) != a.Store.Locals.Items[id].Bytes {
			panic(component.Impure{Text: fmt.Sprintf("%s changes the state of %T", who, n)})
		}
	})
}

// refuseUnlike refuses the group of a swap if what failed on the renamed state, for the reason why, or differed
// there.
func (a *Asker) refuseUnlike(w symmetry.Swap, what, why string, same bool) {
	switch {
	case why != "":
		a.Ask(func() { a.orbits.Groups.RefuseFailing(w, what, why) })
	case !same:
		a.Ask(func() { a.orbits.Groups.Refuse(w, what) })
	}
}
