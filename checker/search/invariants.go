package search

import (
	"fmt"

	"contend/model"
)

// invariants judges new states: invariants over the nodes, remembered by the nodes'
// local states, and the goals of Sometimes claims.
type invariants struct {
	s      *searcher
	claims []int
	known  []rulings
	goals  []goal
	nodes  []model.Node // decoded local states, by id
}

// rulings are an invariant's, by the print of the nodes. Those that hold are kept in
// few places, each for the last that fell there: asking again costs little. Under
// symmetry all are kept, since each is compared with that on the renamed nodes.
type rulings struct {
	hold   []uint64
	all    cache
	broken []string
}

const lately = 1 << 14

func (v *rulings) find(key uint64, all bool) (text string, ok bool) {
	if v.hold[key%lately] == key {
		return "", true
	}
	if !all {
		return "", false
	}
	i, ok := v.all.get(key)
	if ok && i > 0 {
		text = v.broken[i-1]
	}
	return text, ok
}

func (v *rulings) keep(key uint64, text string, all bool) {
	i := uint32(0)
	if text == "" {
		v.hold[key%lately] = key
	} else if all {
		v.broken = append(v.broken, text)
		i = uint32(len(v.broken))
	}
	if all {
		v.all.put(key, i)
	}
}

// goal is a Sometimes claim, with its verdict on each monitor state.
type goal struct {
	claim, monitor int // the monitor is -1 for a Done claim
	reached        map[uint32]bool
}

func newInvariants(s *searcher, claims []model.Claim) invariants {
	inv := invariants{s: s}
	monitor := 0
	for i, c := range claims {
		if c.Invariant != nil {
			inv.claims = append(inv.claims, i)
			inv.known = append(inv.known, rulings{hold: make([]uint64, lately), all: newCache()})
		}
		if c.Kind == model.Sometimes {
			g := goal{i, monitor, map[uint32]bool{}}
			if c.Done {
				g.monitor = -1
			}
			inv.goals = append(inv.goals, g)
		}
		if c.Monitor != nil {
			monitor++
		}
	}
	return inv
}

func (inv *invariants) check(v []uint32, key print) {
	s := inv.s
	for k, i := range inv.claims {
		s.witnessed[i] = true
		if text := inv.judge(k, v); text != "" {
			s.suspect(candidate{claim: i, text: text, key: key})
		}
	}
	for _, g := range inv.goals {
		// A goal reached in this layer, by whichever worker, is still asked: what is asked
		// must not depend on who was first.
		if !s.x.res.Reached[g.claim] && g.in(s, v) {
			s.reached[g.claim], s.witnessed[g.claim] = true, true
		}
	}
}

// judge asks an invariant about the nodes of a state; "" says that it holds.
func (inv *invariants) judge(k int, v []uint32) string {
	s := inv.s
	key := uint64(1)
	for _, id := range v[:s.n] {
		key += s.localPrints[id].A
	}
	text, ok := inv.known[k].find(key, s.x.sym != nil)
	if ok {
		return text
	}
	claim := s.x.claims[inv.claims[k]]
	nodes, fresh := inv.decoded(v)
	if err := claim.Invariant(nodes); err != nil {
		text = err.Error()
	}
	inv.mustBeAlone(nodes, v, fresh, claim.Name)
	inv.known[k].keep(key, text, s.x.sym != nil)
	if s.x.sym != nil {
		for _, swap := range s.x.sym.swaps {
			renamed := make([]uint32, s.n)
			for i := range renamed {
				renamed[s.orbits.renaming(swap.perm)[i]] = s.orbits.renamedLocal(v[i], swap.perm)
			}
			there, why := "", ""
			why = failureOf(func() { there = inv.judge(k, renamed) })
			s.refuseUnlike(swap, "the invariant "+claim.Name, why, (there == "") == (text == ""))
		}
	}
	return text
}

// decoded returns the nodes of a state, each local state decoded once, and which are
// new, as bits.
func (inv *invariants) decoded(v []uint32) ([]model.Node, uint64) {
	s := inv.s
	nodes := make([]model.Node, s.n)
	fresh := uint64(0)
	for i, id := range v[:s.n] {
		if id == down {
			continue
		}
		for int(id) >= len(inv.nodes) {
			inv.nodes = append(inv.nodes, nil)
		}
		if inv.nodes[id] == nil {
			s.ask(func() { inv.nodes[id] = s.codec.DecodeNode(s.protos[i], []byte(s.locals.items[id].bytes)) })
			fresh |= 1 << i
		}
		nodes[i] = inv.nodes[id]
	}
	return nodes, fresh
}

// mustBeAlone panics if an invariant changed a node. New ones are looked at: the nodes
// are kept for other states.
func (inv *invariants) mustBeAlone(nodes []model.Node, v []uint32, fresh uint64, claim string) {
	s := inv.s
	for i, n := range nodes {
		if fresh == 0 {
			return
		}
		if fresh>>i&1 == 0 {
			continue
		}
		s.ask(func() {
			if string(s.codec.Node(n, nil)) != s.locals.items[v[i]].bytes {
				panic(Impure{Text: fmt.Sprintf("the invariant %s changes the state of %T", claim, n)})
			}
		})
	}
}

// in reports whether the goal is reached in a state.
func (g goal) in(s *searcher, v []uint32) bool {
	if g.monitor < 0 {
		return s.done(v)
	}
	return g.met(s, v[s.monitorAt+g.monitor])
}

// met reports whether the goal's monitor says that it is reached.
func (g goal) met(s *searcher, id uint32) bool {
	r, ok := g.reached[id]
	if ok {
		return r
	}
	var m any
	s.ask(func() { m = s.codec.DecodeNode(s.protos[s.n+g.monitor], []byte(s.locals.items[id].bytes)) })
	r = m.(model.Goal).Reached()
	g.reached[id] = r
	if s.x.sym != nil {
		for _, swap := range s.x.sym.swaps {
			var renamed uint32
			s.ask(func() { renamed = s.x.sym.local(id, swap.perm) })
			there := false
			why := failureOf(func() { there = g.met(s, renamed) })
			s.refuseUnlike(swap, fmt.Sprintf("the goal %T", m), why, there == r)
		}
	}
	return r
}

// refuseUnlike refuses the group of a swap when what is named failed on the renamed state, or
// said something else there.
func (s *searcher) refuseUnlike(w swap, what, why string, same bool) {
	switch {
	case why != "":
		s.ask(func() { s.x.sym.refuseFailing(w, what, why) })
	case !same:
		s.ask(func() { s.x.sym.refuse(w, what) })
	}
}
