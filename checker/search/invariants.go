package search

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/model"
	"contend/model/guard"
)

// invariants judges new states: invariants over the nodes, remembered by the nodes'
// local states, and the goals of Sometimes claims, of which each state is a witness.
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
	all    memo.Table
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
	i, ok := v.all.Get(key)
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
		v.all.Put(key, i)
	}
}

// goal is what a claim wants to be reached, with its verdict on each monitor state.
type goal struct {
	claim, monitor int // the monitor is -1 for a Done claim
	known          map[uint32]bool
}

// goalsOf lists the goals of claims.
func goalsOf(claims []model.Claim) []goal {
	var goals []goal
	monitor := 0
	for i, c := range claims {
		g := goal{claim: i, monitor: monitor, known: map[uint32]bool{}}
		if c.Monitor != nil {
			monitor++
		} else {
			g.monitor = -1
		}
		if c.Done || c.Monitor != nil {
			goals = append(goals, g)
		}
	}
	return goals
}

func newInvariants(s *searcher, claims []model.Claim) invariants {
	inv := invariants{s: s}
	for i, c := range claims {
		if c.Invariant != nil {
			inv.claims = append(inv.claims, i)
			inv.known = append(inv.known, rulings{hold: make([]uint64, lately), all: memo.New()})
		}
	}
	for _, g := range goalsOf(claims) {
		if claims[g.claim].Kind == model.Sometimes {
			inv.goals = append(inv.goals, g)
		}
	}
	return inv
}

// settledGoal reports whether nothing more is to be learned of a Sometimes claim: it was
// reached, or as many witnesses were spurious as are tried.
func (x *explorer) settledGoal(claim int) bool {
	return x.res.Reached[claim] || x.res.Spurious[claim] >= x.opt.MaxSpurious
}

func (inv *invariants) check(v []uint32, key fingerprint.Print) {
	s := inv.s
	for k, i := range inv.claims {
		s.witnessed[i] = true
		switch text, how := inv.judge(k, v); {
		case how != "":
			s.fails(how, key)
		case text != "":
			s.suspect(candidate{claim: i, text: text, key: key})
		}
	}
	for _, g := range inv.goals {
		// A goal reached in this layer, by whichever worker, is still asked: what is asked
		// must not depend on who was first.
		if !s.x.settledGoal(g.claim) && g.in(s, v) {
			s.suspect(candidate{claim: g.claim, key: key})
		}
	}
}

// judge asks an invariant about the nodes of a state; "" says that it holds. How says how it
// fails, and is empty when it does not.
func (inv *invariants) judge(k int, v []uint32) (text, how string) {
	s := inv.s
	key := uint64(1)
	for _, id := range v[:s.N] {
		key += s.LocalPrints[id].A
	}
	text, ok := inv.known[k].find(key, s.x.sym != nil)
	if ok {
		return text, ""
	}
	claim := s.x.claims[inv.claims[k]]
	nodes, fresh := inv.decoded(v)
	f, err := guard.Invariant(claim, nodes)
	if f != nil {
		return "", fmt.Sprintf("Invariant of claim %s: %v", claim.Name, f)
	}
	if err != nil {
		text = model.Printable(err.Error())
	}
	inv.mustBeAlone(nodes, v, fresh, claim.Name)
	inv.known[k].keep(key, text, s.x.sym != nil)
	if s.x.sym != nil {
		for _, swap := range s.x.sym.Swaps {
			renamed := make([]uint32, s.N)
			for i := range renamed {
				renamed[s.orbits.Renaming(swap.Perm)[i]] = s.orbits.RenamedLocal(v[i], swap.Perm)
			}
			there, failed := "", ""
			why := step.FailureOf(func() { there, failed = inv.judge(k, renamed) })
			if failed != "" {
				why = "fails: " + failed
			}
			s.refuseUnlike(swap, "the invariant "+claim.Name, why, (there == "") == (text == ""))
		}
	}
	return text, ""
}

// decoded returns the nodes of a state, each local state decoded once, and which are
// new, as bits.
func (inv *invariants) decoded(v []uint32) ([]model.Node, uint64) {
	s := inv.s
	nodes := make([]model.Node, s.N)
	fresh := uint64(0)
	for i, id := range v[:s.N] {
		if id == component.Down {
			continue
		}
		for int(id) >= len(inv.nodes) {
			inv.nodes = append(inv.nodes, nil)
		}
		if inv.nodes[id] == nil {
			s.Ask(func() { inv.nodes[id] = s.Codec.DecodeNode(s.Protos[i], []byte(s.Locals.Items[id].Bytes)) })
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
		s.Ask(func() {
			if string(s.Codec.Node(n, nil)) != s.Locals.Items[v[i]].Bytes {
				panic(component.Impure{Text: fmt.Sprintf("the invariant %s changes the state of %T", claim, n)})
			}
		})
	}
}

// in reports whether the goal is reached in a state.
func (g goal) in(s *searcher, v []uint32) bool {
	if g.monitor < 0 {
		return s.Done(v)
	}
	return g.met(s, v[s.MonitorAt+g.monitor])
}

// met reports whether the goal's monitor says that it is reached.
func (g goal) met(s *searcher, id uint32) bool {
	r, ok := g.known[id]
	if ok {
		return r
	}
	var m any
	s.Ask(func() { m = s.Codec.DecodeNode(s.Protos[s.N+g.monitor], []byte(s.Locals.Items[id].Bytes)) })
	r = guard.Reached(s.x.claims[g.claim].Name, m.(model.Goal))
	g.known[id] = r
	if s.x.sym != nil {
		for _, swap := range s.x.sym.Swaps {
			var renamed uint32
			s.Ask(func() { renamed = s.x.sym.Local(id, swap.Perm) })
			there := false
			why := step.FailureOf(func() { there = g.met(s, renamed) })
			s.refuseUnlike(swap, fmt.Sprintf("the goal %T", m), why, there == r)
		}
	}
	return r
}

// refuseUnlike refuses the group of a swap when what is named failed on the renamed state, or
// said something else there.
func (s *searcher) refuseUnlike(w symmetry.Swap, what, why string, same bool) {
	switch {
	case why != "":
		s.Ask(func() { s.x.sym.RefuseFailing(w, what, why) })
	case !same:
		s.Ask(func() { s.x.sym.Refuse(w, what) })
	}
}
