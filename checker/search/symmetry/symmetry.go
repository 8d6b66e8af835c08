// Package symmetry reduces a search to one state of each orbit under renamings of interchangeable nodes.
//
// [Groups] finds the nodes that may be interchangeable, renames components, and checks that renaming commutes
// with all computed results. [Orbits] computes the key of a state's orbit: the least fingerprint. A [Framer]
// computes a canonical form of states in dense time, so that their zones can be compared. The proofs are in
// docs/proofs/search.md.
package symmetry

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A Groups is the groups of interchangeable nodes: servers that run the same code, and clients with the same
// code and the same script. That they are interchangeable is checked, not assumed. On every new pair of local
// state and event, renaming must commute with the handler (see [Groups.Settle]); likewise for initial states,
// forgeries, invariants and goals. A group that fails a check is refused. Renamed components are memoized. The
// methods that return or compute components need the engine's lock.
type Groups struct {
	e       *step.Engine
	Groups  []group    // the permuted groups
	renamed memo.Table // (local or part or observation, permutation) → renamed
	perms   component.Intern[string]
	Perm    []value.Renaming    // the permutations used so far, by number
	Swaps   []Swap              // transpositions of all groups
	Unlike  map[string][]string // refused group → reasons
	queue   []result            // results to be checked
}

// A group is a set of nodes that may be interchangeable.
type group struct {
	name string
	Ids  []int // node numbers, ascending
}

// A Swap is the transposition of two neighbours in a group. The swaps of a group generate all its permutations.
type Swap struct {
	Perm  uint32 // number of the permutation
	group string
	a, b  model.NodeID
}

// Names of groups, in refusals and notes.
const (
	Servers = "servers"
	Clients = "clients"
)

// Reduction returns the name of the group's symmetry in verdicts.
func (g group) Reduction() string {
	if g.name == Clients {
		return "client symmetry"
	}
	return "symmetry"
}

// maxMembers is the maximum number of members of a permuted group.
const maxMembers = 16

// New returns the groups of a system whose names are in permute; nil if there are no two nodes to permute.
func New(e *step.Engine, permute map[string]bool) *Groups {
	s := &Groups{e: e, renamed: memo.New(), perms: component.NewIntern[string](), Unlike: map[string][]string{}}
	s.Intern(s.Identity())
	for _, name := range []string{Servers, Clients} {
		if g := groupOf(e, name); g.permutable() && permute[name] {
			s.Groups = append(s.Groups, g)
			for i := range g.Ids[1:] {
				s.Swaps = append(s.Swaps, s.swap(g, i))
			}
		}
	}
	if len(s.Groups) == 0 {
		return nil
	}
	return s
}

// Alike reports whether a system has at least two and at most 16 nodes that look interchangeable: servers or
// clients, by name.
func Alike(e *step.Engine, name string) bool { return groupOf(e, name).permutable() }

func (g group) permutable() bool { return len(g.Ids) > 1 && len(g.Ids) <= maxMembers }

// groupOf returns the nodes that look interchangeable: servers without an application, or nodes with one.
func groupOf(e *step.Engine, name string) group {
	g := group{name: name}
	for i, spec := range e.Sys.Nodes {
		if spec.Byzantine || (name == Servers) != (spec.Role == model.Server) || (name == Servers) != (len(spec.Script) == 0) {
			continue
		}
		first := i
		if len(g.Ids) > 0 {
			first = g.Ids[0]
		}
		alike := reflect.TypeOf(e.Protos[i]) == reflect.TypeOf(e.Protos[first])
		to := e.Sys.Nodes[first]
		if alike && len(spec.Script) == len(to.Script) && spec.MayStop() == to.MayStop() && spec.MayRecover() == to.MayRecover() {
			g.Ids = append(g.Ids, i)
		}
	}
	return g
}

func (s *Groups) swap(g group, i int) Swap {
	a, b := model.NodeID(g.Ids[i]), model.NodeID(g.Ids[i+1])
	r := s.Identity()
	r[a], r[b] = b, a
	return Swap{s.Intern(r), g.name, a, b}
}

// Members returns the nodes of a group; nil if the group is not permuted.
func (s *Groups) Members(name string) []int {
	for _, g := range s.Groups {
		if g.name == name {
			return g.Ids
		}
	}
	return nil
}

// Identity returns a fresh identity permutation.
func (s *Groups) Identity() value.Renaming {
	r := make(value.Renaming, s.e.N)
	for i := range r {
		r[i] = model.NodeID(i)
	}
	return r
}

// Intern returns the number of a permutation. It keeps ren.
func (s *Groups) Intern(ren value.Renaming) uint32 {
	b := make([]byte, len(ren))
	for i, id := range ren {
		b[i] = byte(id)
	}
	id := s.perms.Id(string(b))
	if int(id) == len(s.Perm) {
		s.Perm = append(s.Perm, ren)
	}
	return id
}

// Kinds of components in the memo of renamings, as top bits of the permutation.
const (
	ofPart  = 1 << 28
	ofBase  = 2 << 28
	ofSeen  = 3 << 28
	ofValue = 4 << 28
)

func (s *Groups) memo(id, tag uint32, compute func() uint32) uint32 {
	key := memo.Pair(id+1, tag)
	if i, ok := s.renamed.Get(key); ok {
		return i
	}
	r := compute()
	s.renamed.Put(key, r)
	return r
}

// Local returns the image of a local state under a permutation.
func (s *Groups) Local(id, p uint32) uint32 {
	if id == component.Down {
		return component.Down
	}
	return s.memo(id, p, func() uint32 {
		l := s.e.Locals.Items[id]
		n := s.e.Codec.DecodeNode(s.e.Protos[l.Slot], []byte(l.Bytes))
		return s.e.Store.Local(s.slot(l.Slot, p), s.e.Codec.Node(n, s.Perm[p]))
	})
}

func (s *Groups) slot(slot int16, p uint32) int16 { return s.slotUnder(slot, s.Perm[p]) }

// slotUnder returns the image of a slot. Monitors keep their slots.
func (s *Groups) slotUnder(slot int16, ren value.Renaming) int16 {
	if slot < 0 || int(slot) >= s.e.N {
		return slot
	}
	return int16(ren[slot])
}

// Part returns the image of a part under a permutation.
func (s *Groups) Part(id, p uint32) uint32 {
	return s.memo(id, p|ofPart, func() uint32 {
		q := s.e.Parts.Items[id]
		q.Base = s.base(q.Base, p)
		return s.e.Part(q)
	})
}

func (s *Groups) base(id, p uint32) uint32 {
	if id == 0 {
		return 0
	}
	return s.memo(id, p|ofBase, func() uint32 {
		b := s.e.Bases.Items[id]
		b.Slot, b.Value = s.slot(b.Slot, p), s.value(b.Value, p)
		if b.Sent() {
			b.From = s.slot(b.From, p)
		}
		return s.e.Store.Base(b)
	})
}

func (s *Groups) value(id, p uint32) uint32 {
	return s.memo(id, p|ofValue, func() uint32 {
		return s.e.Values.Id(string(s.e.Codec.Any(s.e.Decoded(id), s.Perm[p])))
	})
}

// Images returns the swaps as functions on local states.
func (s *Groups) Images() []func(local uint32) uint32 {
	var all []func(uint32) uint32
	for _, swap := range s.Swaps {
		all = append(all, func(id uint32) uint32 { return s.Local(id, swap.Perm) })
	}
	return all
}

// Refuse refuses the group of a swap because renaming changes what.
func (s *Groups) Refuse(w Swap, what string) {
	s.Unlike[w.group] = append(s.Unlike[w.group],
		fmt.Sprintf("%s does not treat %s %s and %s alike", what, w.group, s.e.Sys.Name(w.a), s.e.Sys.Name(w.b)))
}

// RefuseFailing refuses the group of a swap because what fails after the swap, perhaps in an unreachable state;
// why is the failure.
func (s *Groups) RefuseFailing(w Swap, what, why string) {
	s.Unlike[w.group] = append(s.Unlike[w.group],
		fmt.Sprintf("with %s %s and %s exchanged %s %s", w.group, s.e.Sys.Name(w.a), s.e.Sys.Name(w.b), what, why))
}

// CheckInitial refuses a group unless the first states, the scripts and the monitors are symmetric.
func (s *Groups) CheckInitial() {
	for _, swap := range s.Swaps {
		for slot, id := range s.e.Made {
			if s.Local(id, swap.Perm) != s.e.Made[s.slot(int16(slot), swap.Perm)] {
				s.Refuse(swap, fmt.Sprintf("the first state of %T", s.e.Protos[slot]))
			}
		}
		for slot := range s.e.N {
			to := s.slot(int16(slot), swap.Perm)
			if !slices.Equal(s.parts(s.e.Invocations[slot], swap.Perm), s.e.Invocations[to]) ||
				!slices.Equal(s.parts(s.e.Releases[slot], swap.Perm), s.e.Releases[to]) {
				s.Refuse(swap, "the script")
			}
		}
	}
}

func (s *Groups) parts(ids []uint32, p uint32) []uint32 {
	var out []uint32
	for _, id := range ids {
		out = append(out, s.Part(id, p))
	}
	return out
}

func (s *Groups) observation(id, p uint32) uint32 {
	return s.memo(id, p|ofSeen, func() uint32 {
		o := s.e.Seen.Items[id]
		o.Node, o.Value = s.slot(o.Node, p), s.value(o.Value, p)
		if o.Kind == model.Sent {
			o.To = s.slot(o.To, p)
		}
		return s.e.Seen.Id(o)
	})
}

// equivalent reports whether renaming maps the outcomes here to the outcomes there. The numbers of choices do
// not matter: a handler that chooses among sets of servers numbers them in an order that renaming does not
// preserve.
func (s *Groups) equivalent(here, there []component.Outcome, p uint32) bool {
	if len(here) != len(there) {
		return false
	}
	if s.equalInOrder(here, there, p) {
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

// equalInOrder reports whether renaming maps the outcomes one by one, with their effects in order. Mostly it
// does.
func (s *Groups) equalInOrder(here, there []component.Outcome, p uint32) bool {
	for i := range here {
		a, b := &here[i], &there[i]
		if s.Local(a.Next, p) != b.Next || a.Cut != b.Cut || (a.Failed != nil) != (b.Failed != nil) || (a.Violation != "") != (b.Violation != "") || a.Witness != b.Witness || a.Measured != b.Measured ||
			len(a.Picks) != len(b.Picks) || len(a.Effects) != len(b.Effects) {
			return false
		}
		for k, x := range a.Picks {
			if y := b.Picks[k]; (x.Held != 0 || y.Held != 0) && (s.base(x.Held, p) != y.Held || x.Is != y.Is) {
				return false
			}
		}
		for k, f := range a.Effects {
			if s.effect(f, p) != b.Effects[k] {
				return false
			}
		}
	}
	return true
}

func (s *Groups) effect(f component.Effect, p uint32) component.Effect {
	f.Base = s.base(f.Base, p)
	if f.Do == component.Send || f.Do == component.Arm {
		f.Part = s.Part(f.Part, p)
	}
	if f.Do == component.Note || f.Do == component.Deliver || f.Do == component.Finish {
		f.Arg = s.value(f.Arg, p)
	}
	return f
}

// text returns a text of a renamed outcome, for comparisons.
func (s *Groups) text(o *component.Outcome, p uint32) string {
	var held []component.Pick
	for _, pick := range o.Picks {
		if pick.Held != 0 {
			pick.Held = s.base(pick.Held, p)
			held = append(held, pick)
		}
	}
	slices.SortFunc(held, func(a, b component.Pick) int { return cmp.Compare(a.Held, b.Held) }) // the order of the questions does not matter
	return fmt.Sprint(s.Local(o.Next, p), o.Cut, o.Failed != nil, o.Violation != "", o.Witness, o.Measured, len(o.Picks), held, string(s.effectBytes(o.Effects, p)))
}

// effectBytes returns a text of renamed effects, with sends and timers apart from the rest. Sends commute,
// except sends to one receiver over a FIFO channel. Timers with different keys commute.
func (s *Groups) effectBytes(effects []component.Effect, p uint32) []byte {
	type sent struct {
		to   int16
		text string
	}
	var sends []sent
	var timers []component.Effect
	var rest []string
	for _, f := range effects {
		f = s.effect(f, p)
		switch text := fmt.Sprint(f); f.Do {
		case component.Send:
			sends = append(sends, sent{s.e.Bases.Items[f.Base].Slot, text})
		case component.Arm, component.Disarm:
			timers = append(timers, f)
		default:
			rest = append(rest, text)
		}
	}
	slices.SortStableFunc(timers, func(a, b component.Effect) int { return cmp.Compare(a.Base, b.Base) })
	ordered := s.e.Sys.Network.Channel == model.FIFO
	slices.SortStableFunc(sends, func(a, b sent) int {
		if c := cmp.Compare(a.to, b.to); c != 0 || ordered {
			return c
		}
		return cmp.Compare(a.text, b.text)
	})
	return fmt.Append(nil, sends, timers, rest)
}
