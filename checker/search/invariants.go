package search

import (
	"fmt"
	"slices"

	"contend/model"
)

// invariants judges new states: invariants over the nodes, remembered by the nodes'
// local states, and the goals of Sometimes claims.
type invariants struct {
	claims []int
	known  []map[uint64]string
	goals  []goal
}

// goal is a Sometimes claim, with its verdict on each monitor state.
type goal struct {
	claim, monitor int
	reached        map[uint32]bool
}

func newInvariants(e *engine, claims []model.Claim) *invariants {
	inv := &invariants{}
	monitor := 0
	for i, c := range claims {
		if c.Invariant != nil {
			inv.claims = append(inv.claims, i)
			inv.known = append(inv.known, map[uint64]string{})
		}
		if c.Kind == model.Sometimes && c.Monitor != nil {
			inv.goals = append(inv.goals, goal{i, monitor, map[uint32]bool{}})
		}
		if c.Monitor != nil {
			monitor++
		}
	}
	return inv
}

func (inv *invariants) check(x *explorer, v []uint32, n uint32) {
	for k, i := range inv.claims {
		x.res.Witnessed[i] = true
		if text := inv.judge(x, k, v); text != "" {
			x.pending = append(x.pending, candidate{i, text, n, none})
		}
	}
	for _, g := range inv.goals {
		if !x.res.Reached[g.claim] && g.met(x.engine, v[x.monitorAt+g.monitor]) {
			x.res.Reached[g.claim], x.res.Witnessed[g.claim] = true, true
		}
	}
}

func (inv *invariants) judge(x *explorer, k int, v []uint32) string {
	key := fingerprint(v[:x.n])
	text, ok := inv.known[k][key]
	if !ok {
		if err := x.claims[inv.claims[k]].Invariant(x.decodedNodes(v)); err != nil {
			text = err.Error()
		}
		inv.known[k][key] = text
		if x.sym != nil {
			for i, p := range x.sym.swaps {
				if (inv.judge(x, k, slices.Clone(x.sym.rename(v, p))) == "") != (text == "") {
					x.sym.refuse(i, "the invariant "+x.claims[inv.claims[k]].Name)
				}
			}
		}
	}
	return text
}

func (e *engine) decodedNodes(v []uint32) []model.Node {
	nodes := make([]model.Node, e.n)
	for i := range nodes {
		if v[i] != down {
			nodes[i] = e.codec.DecodeNode(e.protos[i], []byte(e.locals.items[v[i]].bytes))
		}
	}
	return nodes
}

// met reports whether the goal's monitor says that it is reached.
func (g goal) met(e *engine, id uint32) bool {
	r, ok := g.reached[id]
	if !ok {
		m := e.codec.DecodeNode(e.protos[e.n+g.monitor], []byte(e.locals.items[id].bytes))
		r = m.(model.Goal).Reached()
		g.reached[id] = r
		if e.sym != nil {
			for i, p := range e.sym.swaps {
				if g.met(e, e.sym.local(id, p)) != r {
					e.sym.refuse(i, fmt.Sprintf("the goal %T", m))
				}
			}
		}
	}
	return r
}
