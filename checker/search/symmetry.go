package search

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/value"
)

// symmetry permutes what is interchangeable: servers that run the same code, and
// clients that do with the same script. That they are interchangeable is not assumed: on
// every new pair of local state and event it is checked that renaming commutes with
// the handler, and so for first states, forgeries, invariants and goals. A group of
// which it is not true is refused. What a renaming makes of a component is remembered.
type symmetry struct {
	e       *engine
	groups  []group
	renamed cache // (local or part or observation, permutation) → renamed
	perms   intern[string]
	perm    []value.Renaming
	swaps   []swap
	unlike  map[string][]string // why the members of a group are not interchangeable
}

// A group is a set of nodes that may stand for each other.
type group struct {
	name string
	ids  []int
}

// A swap is the transposition of two neighbours of a group. Closure under these covers
// every permutation.
type swap struct {
	perm  uint32
	group string
	a, b  model.NodeID
}

// Names of groups, as refusals and notes have them.
const (
	servers = "servers"
	clients = "clients"
)

// reduction is what a verdict calls the symmetry of a group.
func (g group) reduction() string {
	if g.name == clients {
		return "client symmetry"
	}
	return "symmetry"
}

// most is how many members of a group are permuted.
const most = 16

// newSymmetry returns nil when there are no two nodes to permute.
func newSymmetry(e *engine, permute map[string]bool) *symmetry {
	s := &symmetry{e: e, renamed: newCache(), perms: newIntern[string](), unlike: map[string][]string{}}
	s.intern(s.identity())
	for _, name := range []string{servers, clients} {
		if g := s.group(name); len(g.ids) > 1 && len(g.ids) <= most && permute[name] {
			s.groups = append(s.groups, g)
			for i := range g.ids[1:] {
				s.swaps = append(s.swaps, s.swap(g, i))
			}
		}
	}
	if len(s.groups) == 0 {
		return nil
	}
	return s
}

// group returns the nodes that look alike: servers without an application, or nodes
// that have one.
func (s *symmetry) group(name string) group {
	g := group{name: name}
	for i, spec := range s.e.sys.Nodes {
		if spec.Byzantine || (name == servers) != (spec.Role == model.Server) || (name == servers) != (len(spec.Script) == 0) {
			continue
		}
		first := i
		if len(g.ids) > 0 {
			first = g.ids[0]
		}
		alike := reflect.TypeOf(s.e.protos[i]) == reflect.TypeOf(s.e.protos[first])
		if alike && len(spec.Script) == len(s.e.sys.Nodes[first].Script) {
			g.ids = append(g.ids, i)
		}
	}
	return g
}

func (s *symmetry) swap(g group, i int) swap {
	a, b := model.NodeID(g.ids[i]), model.NodeID(g.ids[i+1])
	r := s.identity()
	r[a], r[b] = b, a
	return swap{s.intern(r), g.name, a, b}
}

// members returns the nodes of a group, if it is permuted.
func (s *symmetry) members(name string) []int {
	for _, g := range s.groups {
		if g.name == name {
			return g.ids
		}
	}
	return nil
}

func (s *symmetry) identity() value.Renaming {
	r := make(value.Renaming, s.e.n)
	for i := range r {
		r[i] = model.NodeID(i)
	}
	return r
}

func (s *symmetry) intern(ren value.Renaming) uint32 {
	b := make([]byte, len(ren))
	for i, id := range ren {
		b[i] = byte(id)
	}
	id := s.perms.id(string(b))
	if int(id) == len(s.perm) {
		s.perm = append(s.perm, ren)
	}
	return id
}

// The memo of renamings tells kinds of ids apart by the top bits of the
// permutation.
const (
	ofPart  = 1 << 28
	ofBase  = 2 << 28
	ofSeen  = 3 << 28
	ofValue = 4 << 28
)

func (s *symmetry) memo(id, tag uint32, compute func() uint32) uint32 {
	key := pair(id+1, tag)
	if i, ok := s.renamed.get(key); ok {
		return i
	}
	r := compute()
	s.renamed.put(key, r)
	return r
}

func (s *symmetry) local(id, p uint32) uint32 {
	if id == down {
		return down
	}
	return s.memo(id, p, func() uint32 {
		l := s.e.locals.items[id]
		n := s.e.codec.DecodeNode(s.e.protos[l.slot], []byte(l.bytes))
		return s.e.store.local(s.slot(l.slot, p), s.e.codec.Node(n, s.perm[p]))
	})
}

func (s *symmetry) slot(slot int16, p uint32) int16 { return s.slotUnder(slot, s.perm[p]) }

// slotUnder renames a node; monitors keep their numbers.
func (s *symmetry) slotUnder(slot int16, ren value.Renaming) int16 {
	if slot < 0 || int(slot) >= s.e.n {
		return slot
	}
	return int16(ren[slot])
}

func (s *symmetry) part(id, p uint32) uint32 {
	return s.memo(id, p|ofPart, func() uint32 {
		q := s.e.parts.items[id]
		q.base = s.base(q.base, p)
		return s.e.part(q)
	})
}

func (s *symmetry) base(id, p uint32) uint32 {
	if id == 0 {
		return 0
	}
	return s.memo(id, p|ofBase, func() uint32 {
		b := s.e.bases.items[id]
		b.slot, b.value = s.slot(b.slot, p), s.value(b.value, p)
		if b.sent() {
			b.from = s.slot(b.from, p)
		}
		return s.e.store.base(b)
	})
}

func (s *symmetry) value(id, p uint32) uint32 {
	return s.memo(id, p|ofValue, func() uint32 {
		return s.e.values.id(string(s.e.codec.Any(s.e.decoded(id), s.perm[p])))
	})
}

// images are what the swaps make of a local state.
func (s *symmetry) images() []func(local uint32) uint32 {
	var all []func(uint32) uint32
	for _, swap := range s.swaps {
		all = append(all, func(id uint32) uint32 { return s.local(id, swap.perm) })
	}
	return all
}

// Computed checks what a node does on a trigger.
func (s *symmetry) Computed(from, trigger uint32, r []outcome) { s.check(from, trigger, r, false) }

// Watched checks what a monitor makes of an observation.
func (s *symmetry) Watched(from, seen uint32, r []outcome) { s.check(from, seen, r, true) }

// check refuses a group unless renaming commutes with what was computed for a local
// state and a trigger. It is called on every new pair, those that it looks up itself
// included, so that closure under the swaps covers every permutation.
func (s *symmetry) check(from, trigger uint32, here []outcome, watch bool) {
	for _, swap := range s.swaps {
		var there uint32
		var why string
		if watch {
			there, why = s.e.probeWatch(s.local(from, swap.perm), s.observed(trigger, swap.perm))
		} else {
			there, why = s.e.probe(s.local(from, swap.perm), s.base(trigger, swap.perm))
		}
		switch what := fmt.Sprintf("%T", s.e.protos[s.e.locals.items[from].slot]); {
		case why != "":
			s.refuseFailing(swap, what, why)
		case !s.same(here, s.e.allResults[there], swap.perm):
			s.refuse(swap, what)
		}
	}
}

// refuse notes that a swap changes what is named.
func (s *symmetry) refuse(w swap, what string) {
	s.unlike[w.group] = append(s.unlike[w.group],
		fmt.Sprintf("%s does not treat %s %s and %s alike", what, w.group, s.e.sys.Name(w.a), s.e.sys.Name(w.b)))
}

// refuseFailing notes that what is named fails where a swap leads, and perhaps no run.
func (s *symmetry) refuseFailing(w swap, what, why string) {
	s.unlike[w.group] = append(s.unlike[w.group],
		fmt.Sprintf("with %s %s and %s exchanged %s %s", w.group, s.e.sys.Name(w.a), s.e.sys.Name(w.b), what, why))
}

// checkInitial refuses a group unless its nodes, their scripts and every monitor start
// alike under renaming.
func (s *symmetry) checkInitial() {
	for _, swap := range s.swaps {
		for slot, id := range s.e.made {
			if id != down && s.local(id, swap.perm) != s.e.made[s.slot(int16(slot), swap.perm)] {
				s.refuse(swap, fmt.Sprintf("the first state of %T", s.e.protos[slot]))
			}
		}
		for slot := range s.e.n {
			to := s.slot(int16(slot), swap.perm)
			if !slices.Equal(s.parts(s.e.invocations[slot], swap.perm), s.e.invocations[to]) ||
				!slices.Equal(s.parts(s.e.releases[slot], swap.perm), s.e.releases[to]) {
				s.refuse(swap, "the script")
			}
		}
	}
}

func (s *symmetry) parts(ids []uint32, p uint32) []uint32 {
	var out []uint32
	for _, id := range ids {
		out = append(out, s.part(id, p))
	}
	return out
}

// Forged refuses a group unless what may be forged to a renamed receiver is the
// same, renamed.
func (s *symmetry) Forged(state uint32, list []uint32) {
	for _, swap := range s.swaps {
		there := slices.Sorted(slices.Values(s.e.allForges[s.e.alphabet(s.local(state, swap.perm))]))
		renamed := make([]uint32, len(list))
		for k, trigger := range list {
			renamed[k] = s.base(trigger, swap.perm)
		}
		if slices.Sort(renamed); !slices.Equal(renamed, there) {
			s.refuse(swap, "Forge")
		}
	}
}

func (s *symmetry) observed(id, p uint32) uint32 {
	return s.memo(id, p|ofSeen, func() uint32 {
		o := s.e.seen.items[id]
		o.node, o.value = s.slot(o.node, p), s.value(o.value, p)
		return s.e.seen.id(o)
	})
}

// same reports whether renaming the outcomes here gives those there. What a choice
// is numbered does not matter: a handler that chooses among sets of servers numbers
// them in an order that no renaming keeps.
func (s *symmetry) same(here, there []outcome, p uint32) bool {
	if len(here) != len(there) {
		return false
	}
	if s.sameInOrder(here, there, p) {
		return true
	}
	mine, theirs := make([]string, len(here)), make([]string, len(here))
	for i := range here {
		mine[i], theirs[i] = s.text(&here[i], p), s.text(&there[i], 0)
	}
	slices.Sort(mine)
	slices.Sort(theirs)
	return slices.Equal(mine, theirs)
}

// sameInOrder reports whether the outcomes are the same one by one, with their effects in
// order, as they mostly are.
func (s *symmetry) sameInOrder(here, there []outcome, p uint32) bool {
	for i := range here {
		a, b := &here[i], &there[i]
		if s.local(a.next, p) != b.next || a.cut != b.cut || (a.violation != "") != (b.violation != "") || a.witness != b.witness ||
			len(a.picks) != len(b.picks) || len(a.effects) != len(b.effects) {
			return false
		}
		for k, x := range a.picks {
			if y := b.picks[k]; (x.held != 0 || y.held != 0) && (s.base(x.held, p) != y.held || x.is != y.is) {
				return false
			}
		}
		for k, f := range a.effects {
			if s.effect(f, p) != b.effects[k] {
				return false
			}
		}
	}
	return true
}

func (s *symmetry) effect(f effect, p uint32) effect {
	f.base = s.base(f.base, p)
	if f.do == send || f.do == arm {
		f.part = s.part(f.part, p)
	}
	if f.do == note || f.do == finish {
		f.arg = s.value(f.arg, p)
	}
	return f
}

// text writes a renamed outcome.
func (s *symmetry) text(o *outcome, p uint32) string {
	var held []pick
	for _, pick := range o.picks {
		if pick.held != 0 {
			pick.held = s.base(pick.held, p)
			held = append(held, pick)
		}
	}
	slices.SortFunc(held, func(a, b pick) int { return cmp.Compare(a.held, b.held) }) // whichever was asked about first
	return fmt.Sprint(s.local(o.next, p), o.cut, o.violation != "", o.witness, len(o.picks), held, string(s.effectBytes(o.effects, p)))
}

// effectBytes writes renamed effects, sends and timers apart from the rest. Sends commute,
// except those to one receiver over a FIFO channel; so do timers of different keys.
func (s *symmetry) effectBytes(effects []effect, p uint32) []byte {
	type sent struct {
		to   int16
		text string
	}
	var sends []sent
	var timers []effect
	var rest []string
	for _, f := range effects {
		f = s.effect(f, p)
		switch text := fmt.Sprint(f); f.do {
		case send:
			sends = append(sends, sent{s.e.bases.items[f.base].slot, text})
		case arm, disarm:
			timers = append(timers, f)
		default:
			rest = append(rest, text)
		}
	}
	slices.SortStableFunc(timers, func(a, b effect) int { return cmp.Compare(a.base, b.base) })
	ordered := s.e.sys.Network.Channel == model.FIFO
	slices.SortStableFunc(sends, func(a, b sent) int {
		if c := cmp.Compare(a.to, b.to); c != 0 || ordered {
			return c
		}
		return cmp.Compare(a.text, b.text)
	})
	return fmt.Append(nil, sends, timers, rest)
}
