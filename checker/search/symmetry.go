package search

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/value"
)

// symmetry names a state by a representative of its orbit under permutations of
// interchangeable servers. The states themselves stay concrete, so that every way
// through them is a run.
//
// The representative is found by sorting the servers by what can be seen of each
// without naming the others; where that leaves ties the first order serves, which
// is sound and may only count an orbit more than once. That servers are
// interchangeable is not assumed: on every new pair of local state and event it is
// checked that renaming commutes with the handler.
type symmetry struct {
	e       *engine
	servers []int // the interchangeable ones
	renamed cache // (local or part or observation, permutation) → renamed
	perms   intern[string]
	perm    []value.Renaming
	swaps   []uint32 // the adjacent transpositions
	bytes   []byte
	views   cache // (local, server) → fingerprint of what it says of the server
	seen    []uint64
	marks   []uint64 // of parts, by id: fingerprint with the server masked; 0: unknown
	order   []ranked
	scratch []uint32
}

type ranked struct {
	server int
	sight  uint64
}

// asymmetry is the panic of a search that found servers not to be interchangeable.
type asymmetry struct{ text string }

func (a asymmetry) Error() string { return a.text }

// newSymmetry returns nil when there are no two servers to permute.
func newSymmetry(e *engine) *symmetry {
	s := &symmetry{e: e, renamed: newCache(), views: newCache(), perms: newIntern[string]()}
	var kind reflect.Type
	for i, spec := range e.sys.Nodes {
		if spec.Role != model.Server || spec.Byzantine || len(spec.Script) > 0 {
			continue
		}
		t := reflect.TypeOf(e.protos[i])
		if kind == nil {
			kind = t
		}
		if t == kind {
			s.servers = append(s.servers, i)
		}
	}
	if len(s.servers) < 2 {
		return nil
	}
	s.intern(s.identity())
	for i := 0; i+1 < len(s.servers); i++ {
		swap := s.identity()
		a, b := s.servers[i], s.servers[i+1]
		swap[a], swap[b] = model.NodeID(b), model.NodeID(a)
		s.swaps = append(s.swaps, s.intern(swap))
	}
	return s
}

// key returns the fingerprint of the representative of a state's orbit.
func (s *symmetry) key(v []uint32) uint64 {
	s.order = s.order[:0]
	for _, u := range s.servers {
		s.order = append(s.order, ranked{u, s.sight(v, u)})
	}
	slices.SortStableFunc(s.order, func(a, b ranked) int { return cmp.Compare(a.sight, b.sight) })
	p := s.permutation()
	if p == 0 {
		return fingerprint(v)
	}
	return fingerprint(s.rename(v, p))
}

// sight is a fingerprint of what a state shows of one server.
func (s *symmetry) sight(v []uint32, u int) uint64 {
	e := s.e
	h := s.view(v[u], u)
	for i := range e.n {
		if v[i] != down && e.sys.Nodes[i].Role != model.Server {
			h = scramble(h ^ s.view(v[i], u))
		}
	}
	for m := range e.monitors {
		h = scramble(h ^ s.view(v[e.monitorAt+m], u))
	}
	sum := uint64(0)
	for _, id := range v[e.head:] {
		if b := &e.bases.items[e.flat[id].base]; int(b.slot) == u || int(b.from) == u && b.kind == kind(model.Deliver) {
			sum += s.mark(id, b)
		}
	}
	return scramble(h + sum)
}

// mask renames one server to the first and all others to the second.
func (s *symmetry) mask(u int) value.Renaming {
	r := s.identity()
	for _, w := range s.servers {
		r[w] = model.NodeID(s.servers[1])
	}
	if u >= 0 {
		r[u] = model.NodeID(s.servers[0])
	}
	return r
}

func (s *symmetry) identity() value.Renaming {
	r := make(value.Renaming, s.e.n)
	for i := range r {
		r[i] = model.NodeID(i)
	}
	return r
}

// view is what a local state says of one server.
func (s *symmetry) view(state uint32, u int) uint64 {
	key := pair(state, uint32(u)+1)
	if i, ok := s.views.get(key); ok {
		return s.seen[i]
	}
	l := s.e.locals.items[state]
	h := uint64(0)
	if l.slot >= 0 {
		h = hashBytes(s.e.codec.Node(s.e.codec.DecodeNode(s.e.protos[l.slot], []byte(l.bytes)), s.mask(u)))
	}
	s.views.put(key, uint32(len(s.seen)))
	s.seen = append(s.seen, h)
	return h
}

// mark is a fingerprint of a part that belongs to one server, all servers masked.
func (s *symmetry) mark(id uint32, b *base) uint64 {
	for len(s.marks) <= int(id) {
		s.marks = append(s.marks, 0)
	}
	if s.marks[id] == 0 {
		p := s.e.parts.items[id]
		m := *b
		at := hashBytes(s.e.codec.Any(s.e.decoded(b.value), s.mask(-1)))
		for _, u := range s.servers {
			if int(m.slot) == u {
				m.slot = -2
			}
			if int(m.from) == u {
				m.from = -2
			}
		}
		text := fmt.Sprint(m.kind, m.optional, m.slot, m.from, m.op, m.pos, at, p.lo, p.hi)
		s.marks[id] = hashBytes([]byte(text)) | 1
	}
	return s.marks[id]
}

func hashBytes(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for len(b) >= 8 {
		h = scramble(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return scramble(h)
}

// permutation interns the renaming that the order of the servers asks for; 0 is the
// identity.
func (s *symmetry) permutation() uint32 {
	r := s.bytes[:0]
	for i := range s.e.n {
		r = append(r, byte(i))
	}
	s.bytes = r
	for rank, o := range s.order {
		r[o.server] = byte(s.servers[rank])
	}
	if id, ok := s.perms.ids[string(r)]; ok {
		return id
	}
	ren := s.identity()
	for rank, o := range s.order {
		ren[o.server] = model.NodeID(s.servers[rank])
	}
	return s.intern(ren)
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

// rename renames a state into the scratch vector.
func (s *symmetry) rename(v []uint32, p uint32) []uint32 {
	e := s.e
	s.scratch = append(s.scratch[:0], v...)
	for i := range e.n {
		to := int(s.perm[p][i])
		s.scratch[to], s.scratch[e.appAt+to] = s.local(v[i], p), v[e.appAt+i]
	}
	for m := range e.monitors {
		s.scratch[e.monitorAt+m] = s.local(v[e.monitorAt+m], p)
	}
	for i := e.head; i < len(v); i++ {
		s.scratch[i] = s.part(v[i], p)
	}
	sortParts(s.scratch[e.head:])
	return s.scratch
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
		return s.e.locals.id(local{s.slot(l.slot, p), string(s.e.codec.Node(n, s.perm[p]))})
	})
}

func (s *symmetry) slot(slot int16, p uint32) int16 {
	if slot < 0 || int(slot) >= s.e.n {
		return slot
	}
	return int16(s.perm[p][slot])
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
		if b.kind == kind(model.Deliver) || b.kind == delivered || b.kind == kind(model.Forge) {
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

// check panics unless renaming commutes with what was computed for a local state
// and a trigger. It is called on every new pair, those that it looks up itself
// included, so that closure under the adjacent transpositions covers every
// permutation.
func (s *symmetry) check(from, trigger uint32, here []outcome, watch bool) {
	for i, p := range s.swaps {
		var there []outcome
		if watch {
			there = s.e.lookupWatch(s.local(from, p), s.observed(trigger, p))
		} else {
			there = s.e.lookup(s.local(from, p), s.base(trigger, p))
		}
		if !s.same(here, there, p) {
			s.refuse(i, fmt.Sprintf("%T", s.e.protos[s.e.locals.items[from].slot]))
		}
	}
}

// refuse panics: the i-th adjacent transposition changes what is named.
func (s *symmetry) refuse(i int, what string) {
	a, b := model.NodeID(s.servers[i]), model.NodeID(s.servers[i+1])
	panic(asymmetry{fmt.Sprintf("%s does not treat servers %s and %s alike", what, s.e.sys.Name(a), s.e.sys.Name(b))})
}

// checkInitial panics unless every node and monitor starts alike under renaming.
func (s *symmetry) checkInitial() {
	for i, p := range s.swaps {
		for slot, proto := range s.e.protos {
			if proto != nil && s.local(s.e.fresh(slot), p) != s.e.fresh(int(s.slot(int16(slot), p))) {
				s.refuse(i, fmt.Sprintf("the first state of %T", proto))
			}
		}
	}
}

// checkAlphabet panics unless what may be forged to a renamed receiver is the same,
// renamed.
func (s *symmetry) checkAlphabet(state uint32, list []uint32) {
	for i, p := range s.swaps {
		there := s.e.alphabet(s.local(state, p))
		renamed := make([]uint32, len(list))
		for k, trigger := range list {
			renamed[k] = s.base(trigger, p)
		}
		if there = slices.Sorted(slices.Values(there)); !slices.Equal(slices.Sorted(slices.Values(renamed)), there) {
			s.refuse(i, "Forge")
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
	mine, theirs := make([]string, len(here)), make([]string, len(here))
	for i := range here {
		mine[i], theirs[i] = s.text(&here[i], p), s.text(&there[i], 0)
	}
	slices.Sort(mine)
	slices.Sort(theirs)
	return slices.Equal(mine, theirs)
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
	return fmt.Sprint(s.local(o.next, p), o.cut, o.violation != "", o.witness, len(o.picks), held, string(s.effectBytes(o.effects, p)))
}

// effectBytes writes renamed effects, sends apart from the rest. Sends commute,
// except those to one receiver over a FIFO channel.
func (s *symmetry) effectBytes(effects []effect, p uint32) []byte {
	type sent struct {
		to   int16
		text string
	}
	var sends []sent
	var rest []string
	for _, f := range effects {
		f.base = s.base(f.base, p)
		if f.do == send || f.do == arm {
			f.part = s.part(f.part, p)
		}
		if f.do == note || f.do == finish {
			f.arg = s.value(f.arg, p)
		}
		if text := fmt.Sprint(f); f.do == send {
			sends = append(sends, sent{s.e.bases.items[f.base].slot, text})
		} else {
			rest = append(rest, text)
		}
	}
	ordered := s.e.sys.Network.Channel == model.FIFO
	slices.SortStableFunc(sends, func(a, b sent) int {
		if c := cmp.Compare(a.to, b.to); c != 0 || ordered {
			return c
		}
		return cmp.Compare(a.text, b.text)
	})
	return fmt.Append(nil, sends, rest)
}
