// Package invariants asks claims about single states: invariants about the nodes, goals of
// monitors whether they are reached, and meters what they come to. Answers are remembered by the
// local states that they are about. Under symmetry each is compared with that on the renamed states.
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

// An Asker asks claims about states, for one worker.
type Asker struct {
	*step.Worker
	groups   *symmetry.Groups // nil when symmetry is off
	orbits   *symmetry.Orbits
	claims   []model.Claim
	Claims   []int  // those that have an invariant, by place
	Goals    []Goal // of Sometimes claims
	known    []rulings
	nodes    []model.Node // decoded local states, by id
	monitors []int        // the claim, by place, of each monitor
}

// rulings are an invariant's, by the print of the nodes. Those that hold are kept in
// few places, each for the last that fell there: asking again costs little. Under
// symmetry all are kept instead, since each is compared with that on the renamed nodes.
type rulings struct {
	hold   []uint64   // nil under symmetry
	all    memo.Table // of places in texts
	texts  []string   // the first is "": it holds
	looked []bool     // of local states, by id: the invariant was seen to leave them as they are
}

const lately = 1 << 14

func (v *rulings) find(key uint64) (text string, ok bool) {
	if v.hold != nil {
		return "", v.hold[key%lately] == key
	}
	i, ok := v.all.Get(key)
	return v.texts[i], ok
}

func (v *rulings) keep(key uint64, text string) {
	switch {
	case v.hold != nil && text == "":
		v.hold[key%lately] = key
	case text == "":
		v.all.Put(key, 0)
	default:
		v.all.Put(key, uint32(len(v.texts)))
		v.texts = append(v.texts, text)
	}
}

// New makes an asker; groups and orbits are nil when symmetry is off.
func New(w *step.Worker, groups *symmetry.Groups, orbits *symmetry.Orbits, claims []model.Claim) *Asker {
	a := &Asker{Worker: w, groups: groups, orbits: orbits, claims: claims}
	for i, c := range claims {
		if c.Invariant != nil {
			a.Claims = append(a.Claims, i)
			r := rulings{all: memo.New(), texts: []string{""}}
			if groups == nil {
				r.hold = make([]uint64, lately)
			}
			a.known = append(a.known, r)
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

// Judge asks the k-th invariant of Claims about the nodes of a state; "" says that it holds. How says how it
// fails, and is empty when it does not.
func (a *Asker) Judge(k int, v []uint32) (text, how string) {
	key := uint64(1)
	for _, id := range v[:a.N] {
		key += a.LocalPrints[id].A
	}
	text, ok := a.known[k].find(key)
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
	a.mustBeAlone(nodes, v, &a.known[k], claim.Name)
	a.known[k].keep(key, text)
	if a.groups != nil {
		for _, swap := range a.groups.Swaps {
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

// Nodes returns the nodes of a state, each local state decoded once; nil when down, or Byzantine.
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
			a.Ask(func() { a.nodes[id] = a.Codec.DecodeNode(a.Protos[i], []byte(a.Locals.Items[id].Bytes)) })
		}
		nodes[i] = a.nodes[id]
	}
	return nodes
}

// mustBeAlone panics if an invariant changed a node: the nodes are kept for other states, and for other
// invariants. For each invariant a local state is looked at once.
func (a *Asker) mustBeAlone(nodes []model.Node, v []uint32, of *rulings, claim string) {
	for i, n := range nodes {
		id := v[i]
		if n == nil || int(id) < len(of.looked) && of.looked[id] {
			continue
		}
		for int(id) >= len(of.looked) {
			of.looked = append(of.looked, false)
		}
		of.looked[id] = true
		a.mustBe(n, id, "the invariant "+claim)
	}
}

// MustBeUnchanged panics if an invariant has changed some node that was kept, as one may that does so only beside certain
// other nodes.
func (a *Asker) MustBeUnchanged() {
	for id, n := range a.nodes {
		if n != nil {
			a.mustBe(n, uint32(id), "an invariant")
		}
	}
}

// mustBe panics if a node is in another state than one with the number of a local state.
func (a *Asker) mustBe(n model.Node, id uint32, who string) {
	a.Ask(func() {
		if string(a.Codec.Node(n, nil)) != a.Locals.Items[id].Bytes {
			panic(component.Impure{Text: fmt.Sprintf("%s changes the state of %T", who, n)})
		}
	})
}

// refuseUnlike refuses the group of a swap when what is named failed on the renamed state, or
// said something else there.
func (a *Asker) refuseUnlike(w symmetry.Swap, what, why string, same bool) {
	switch {
	case why != "":
		a.Ask(func() { a.groups.RefuseFailing(w, what, why) })
	case !same:
		a.Ask(func() { a.groups.Refuse(w, what) })
	}
}
