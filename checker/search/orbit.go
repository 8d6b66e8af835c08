package search

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/model"
	"contend/model/value"
)

// orbits names a state by the least print of the states in its orbit under the
// permutations of the groups. The states themselves stay concrete, so that every way
// through them is a run.
//
// The members of a group are sorted by what can be seen of each without naming the
// others. Where that leaves a tie, either its members can be exchanged without changing
// the state, or each of their orders is tried: no orbit counts twice. The clients'
// order is found first, and for each that is tried the servers'.
//
// The print of the renamed state is summed up from prints of renamed components. Most
// mention one server, or none, and are found by where that one goes.
type orbits struct {
	w       *worker
	sym     *symmetry
	servers *side
	clients *side
	locals  kinds
	parts   kinds
	perms   cache            // an order of servers, packed → permutation
	known   []value.Renaming // of the permutations
	packed  []uint64         // of permutations: where each server goes, 4 bits each
	codes   cache            // of what a component mentions: where that goes → number
	nodes   []located
	scratch []uint32
	renamed []uint32
}

// A side is a group with what was seen of its members.
type side struct {
	name   string
	ids    []int
	of     []int8   // of each node and monitor, its place in the group, or -1
	others []int    // places in a vector that are asked about each member, its own apart
	views  []uint64 // of locals and members: fingerprint of what the one says of the other; 0: unknown
	marks  []uint64 // of parts: fingerprint with the group masked; 0: unknown
	sight  []uint64 // of each member of the present state
	order  []int    // members, by rank
	tried  int      // most orders tried for one state
}

// kinds knows of components of one kind how they are renamed.
type kinds struct {
	about    uint32   // in the memo of renamings
	kin      []int8   // of components: the one server it mentions, or one of those below
	mentions []uint64 // of components: the servers that it mentions, 4 bits each
	single   []print
	general  cache // (component, where what it mentions goes) → one of prints
	prints   []print
}

// What else a component may mention.
const (
	unknownKin int8 = -1 - iota
	nobody
	several
)

func newOrbits(w *worker, sym *symmetry) *orbits {
	o := &orbits{w: w, sym: sym, known: sym.perm, perms: newCache(), codes: newCache(),
		locals: kinds{general: newCache()}, parts: kinds{about: ofPart, general: newCache()}}
	o.servers, o.clients = o.side(servers), o.side(clients)
	if len(o.servers.ids) > 0 {
		for k := range o.servers.order {
			o.servers.order[k] = k
		}
		o.permutation(o.servers, o.servers.order) // number 0
	}
	return o
}

func (o *orbits) side(name string) *side {
	s := &side{name: name, tried: 1, ids: o.sym.members(name), of: make([]int8, len(o.w.protos))}
	for i := range s.of {
		s.of[i] = -1
	}
	for k, id := range s.ids {
		s.of[id] = int8(k)
	}
	// Servers are not asked about each other: there are many, and ties are broken otherwise.
	for i := range o.w.n {
		if name == clients || s.of[i] < 0 {
			s.others = append(s.others, i)
		}
	}
	for i := o.w.monitorAt; i < o.w.budgetAt; i++ {
		s.others = append(s.others, i)
	}
	s.sight, s.order = make([]uint64, len(s.ids)), make([]int, len(s.ids))
	return s
}

// key returns the name of the orbit of a state whose print is known. The least of many
// prints is small, and the table wants them spread: so it is scrambled, which tells as
// many apart.
func (o *orbits) key(v []uint32, sum print) print {
	least := o.least(v, sum)
	return print{A: fingerprint.Scramble(least.A), B: fingerprint.Scramble(least.B)}
}

// keepsClients reports whether no client is renamed in a state. While operations are yet to
// begin at boot, none is: they begin in the order of the nodes, which a renaming changes.
func (o *orbits) keepsClients(v []uint32) bool {
	return len(o.clients.ids) == 0 || slices.ContainsFunc(o.w.atBoot, func(id model.NodeID) bool { return v[o.w.appOf[id]] == 0 })
}

func (o *orbits) least(v []uint32, sum print) print {
	if o.keepsClients(v) {
		return o.serverKey(v, sum)
	}
	o.look(o.clients, v)
	return o.clients.least(func(order []int) print { return o.clientKey(v, sum, order) })
}

// clientKey is the least print when the clients are renamed by an order.
func (o *orbits) clientKey(v []uint32, sum print, order []int) print {
	p := o.permutation(o.clients, order)
	if p == 0 {
		return o.serverKey(v, sum)
	}
	o.rename(v, p)
	return o.serverKey(o.scratch, o.w.printOfState(o.scratch))
}

// rename renames the nodes of a state, into scratch. The parts keep their places.
func (o *orbits) rename(v []uint32, p uint32) {
	w := o.w
	o.scratch = append(o.scratch[:0], v...)
	ren := o.renaming(p)
	for i := range w.n {
		to := ren[i]
		o.scratch[to] = o.renamedLocal(v[i], p)
		if at := w.appOf[i]; at >= 0 {
			o.scratch[w.appOf[to]] = v[at]
		}
	}
	for i := w.monitorAt; i < w.budgetAt; i++ {
		o.scratch[i] = o.renamedLocal(v[i], p)
	}
	for i := w.head; i < len(v); i++ {
		id := v[i]
		o.scratch[i] = w.recall(id, aboutRenamedPart|p, func() uint32 { return o.sym.part(id, p) })
	}
}

func (o *orbits) renamedLocal(id, p uint32) uint32 {
	if id == down {
		return down
	}
	return o.w.recall(id, aboutRenamedLocal|p, func() uint32 { return o.sym.local(id, p) })
}

// serverKey is the least print of a state when its servers are renamed.
func (o *orbits) serverKey(v []uint32, sum print) print {
	if len(o.servers.ids) == 0 {
		return sum
	}
	s := o.servers
	o.look(s, v)
	if !s.tied() {
		return o.under(v, sum, o.permutation(s, s.order))
	}
	o.breakTies(v, sum)
	return s.least(func(order []int) print { return o.under(v, sum, o.permutation(s, order)) })
}

// breakTies tells tied servers apart that can be exchanged without changing the state:
// any order of theirs gives the same print.
func (o *orbits) breakTies(v []uint32, sum print) {
	s := o.servers
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		same := true
		for k := from; k+1 < to && same; k++ {
			same = o.under(v, sum, o.transposition(s.order[k], s.order[k+1])) == sum
		}
		if same {
			for k := from + 1; k < to; k++ {
				s.sight[s.order[k]] = s.sight[s.order[k-1]] + 1
			}
		}
		from = to
	}
}

// transposition exchanges two servers.
func (o *orbits) transposition(a, b int) uint32 {
	order := make([]int, len(o.servers.ids))
	for k := range order {
		order[k] = k
	}
	order[a], order[b] = b, a
	return o.permutation(o.servers, order)
}

// under is the print of a state whose servers are renamed.
func (o *orbits) under(v []uint32, sum print, p uint32) print {
	if p == 0 {
		return sum
	}
	w := o.w
	ren := o.renaming(p)
	for i := range w.n {
		if v[i] != down {
			sum = sum.Plus(o.change(&o.locals, v[i], w.localPrints[v[i]], p, ren))
		}
	}
	for i := w.monitorAt; i < w.budgetAt; i++ {
		sum = sum.Plus(o.change(&o.locals, v[i], w.localPrints[v[i]], p, ren))
	}
	for _, id := range v[w.head:] {
		sum = sum.Plus(o.change(&o.parts, id, w.flats[id].print, p, ren))
	}
	return sum
}

func (o *orbits) renaming(p uint32) value.Renaming { return o.known[p] }

// change is by how much renaming changes the print of a component.
func (o *orbits) change(k *kinds, id uint32, own print, p uint32, ren value.Renaming) print {
	if int(id) >= len(k.kin) || k.kin[id] == unknownKin {
		o.findKin(k, id)
	}
	switch at := k.kin[id]; at {
	case nobody:
		return print{}
	case several:
		// Where those go that it does not mention makes no difference.
		there := o.packed[p] & k.mentions[id]
		if there == o.packed[0]&k.mentions[id] {
			return print{}
		}
		key := pair(id, o.code(there))
		i, ok := k.general.get(key)
		if !ok {
			i = uint32(len(k.prints))
			k.prints = append(k.prints, o.renamedPrint(k, id, p))
			k.general.put(key, i)
		}
		return k.prints[i].Minus(own)
	default:
		to := o.servers.of[ren[o.servers.ids[at]]]
		if to == at {
			return print{}
		}
		known := &k.single[int(id)*len(o.servers.ids)+int(to)]
		if *known == (print{}) {
			*known = o.renamedPrint(k, id, p)
		}
		return known.Minus(own)
	}
}

// code numbers where a component's servers go.
func (o *orbits) code(there uint64) uint32 {
	i, ok := o.codes.get(there)
	if !ok {
		i = uint32(o.codes.used)
		o.codes.put(there, i)
	}
	return i
}

func (o *orbits) renamedPrint(k *kinds, id, p uint32) (r print) {
	if k.about == ofPart {
		o.w.ask(func() { r = o.w.engine.flats[o.sym.part(id, p)].print })
		return r
	}
	n, slot := o.decoded(id)
	return localPrint(o.sym.slotUnder(slot, o.renaming(p)), o.w.codec.Node(n, o.renaming(p)))
}

// decoded returns a local state, which is decoded once, and whose it is.
func (o *orbits) decoded(id uint32) (any, int16) {
	for len(o.nodes) <= int(id) {
		o.nodes = append(o.nodes, located{})
	}
	if o.nodes[id].node == nil {
		o.w.ask(func() {
			l := o.w.engine.locals.items[id]
			o.nodes[id] = located{o.w.codec.DecodeNode(o.w.protos[l.slot], []byte(l.bytes)), l.slot}
		})
	}
	return o.nodes[id].node, o.nodes[id].slot
}

// located is a decoded local state with its node's or monitor's number.
type located struct {
	node any
	slot int16
}

// findKin finds the servers that a component mentions, as its place or in its value.
func (o *orbits) findKin(k *kinds, id uint32) {
	for len(k.kin) <= int(id) {
		k.kin = append(k.kin, unknownKin)
		k.mentions = append(k.mentions, 0)
		k.single = append(k.single, make([]print, len(o.servers.ids))...)
	}
	o.w.ask(func() {
		k.kin[id] = nobody
		for at, u := range o.servers.ids {
			if !o.sym.mentions(k.about == ofPart, id, u) {
				continue
			}
			k.mentions[id] |= 15 << (4 * at)
			if k.kin[id] != nobody {
				k.kin[id] = several
				continue
			}
			k.kin[id] = int8(at)
		}
	})
}

// mentions reports whether a part or a local state changes when a node gets a name that
// no other has.
func (s *symmetry) mentions(part bool, id uint32, u int) bool {
	ren := s.identity()
	ren[u] = model.NodeID(s.e.n)
	if part {
		b := s.e.bases.items[s.e.parts.items[id].base]
		return int(b.slot) == u || b.sent() && int(b.from) == u || string(s.e.codec.Any(s.e.decoded(b.value), ren)) != s.e.values.items[b.value]
	}
	l := s.e.locals.items[id]
	n := s.e.codec.DecodeNode(s.e.protos[l.slot], []byte(l.bytes))
	return int(l.slot) == u || string(s.e.codec.Node(n, ren)) != l.bytes
}

// permutation interns the renaming of a side that an order of its members asks for; 0
// is the identity.
func (o *orbits) permutation(s *side, order []int) uint32 {
	packed := uint64(0)
	for rank, k := range order {
		packed |= uint64(rank) << (4 * k)
	}
	if s == o.clients {
		packed = ^packed
	}
	if p, ok := o.perms.get(packed); ok {
		return p
	}
	ren := o.sym.identity()
	for rank, k := range order {
		ren[s.ids[k]] = model.NodeID(s.ids[rank])
	}
	var p uint32
	o.w.ask(func() {
		p = o.sym.intern(ren)
		o.known = o.sym.perm
	})
	for len(o.packed) <= int(p) {
		o.packed = append(o.packed, 0)
	}
	if s == o.servers {
		o.packed[p] = packed
	}
	o.perms.put(packed, p)
	return p
}

// look finds what a state shows of each member of a side, and sorts them by it.
func (o *orbits) look(s *side, v []uint32) {
	w := o.w
	for k, u := range s.ids {
		h := o.view(s, v[u], k)
		if at := w.appOf[u]; at >= 0 {
			h += fingerprint.Scramble(uint64(v[at]) + 2)
		}
		for _, i := range s.others {
			if i != u {
				h += o.view(s, v[i], k)
			}
		}
		s.sight[k], s.order[k] = h, k
	}
	for _, id := range v[w.head:] {
		f := &w.flats[id]
		if k := s.of[f.slot]; k >= 0 {
			s.sight[k] += o.mark(s, id)
		}
		if f.kind == kind(model.Deliver) {
			if k := s.of[f.from]; k >= 0 {
				s.sight[k] += bits.RotateLeft64(o.mark(s, id), 32)
			}
		}
	}
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.sight[a], s.sight[b]) })
}

// salt tells places apart when one looks at a member of a side: the member's own, the
// others by their number, or, where that may change, by their group.
func (o *orbits) salt(s *side, slot, k int) uint64 {
	switch {
	case slot == s.ids[k]:
		return 1
	case s == o.clients && o.servers.of[slot] >= 0:
		return 2
	case s.of[slot] >= 0:
		return 3
	}
	return uint64(4 + slot)
}

// mask renames the k-th member of a side to the first and its others to the second; for
// a client, all servers too.
func (o *orbits) mask(s *side, k int) value.Renaming {
	r := o.sym.identity()
	for _, u := range s.ids {
		r[u] = model.NodeID(s.ids[1])
	}
	if k >= 0 {
		r[s.ids[k]] = model.NodeID(s.ids[0])
	}
	if s == o.clients {
		for _, u := range o.servers.ids {
			r[u] = model.NodeID(o.servers.ids[0])
		}
	}
	return r
}

// view is what a local state says of a member: a fingerprint, scrambled with the place
// of the state, so that views can be added up. That of a node which is down is 0.
func (o *orbits) view(s *side, state uint32, k int) uint64 {
	if state == down {
		return 0
	}
	at := int(state)*len(s.ids) + k
	if at >= len(s.views) {
		s.views = append(s.views, make([]uint64, at+1-len(s.views)+len(s.views)/4)...)
	}
	if s.views[at] == 0 {
		n, slot := o.decoded(state)
		s.views[at] = fingerprint.Scramble(hashBytes(o.w.codec.Node(n, o.mask(s, k)))+o.salt(s, int(slot), k)) | 1
	}
	return s.views[at]
}

// mark is a fingerprint of a part that belongs to a member, the group masked.
func (o *orbits) mark(s *side, id uint32) uint64 {
	if int(id) >= len(s.marks) {
		s.marks = append(s.marks, make([]uint64, int(id)+1-len(s.marks)+len(s.marks)/4)...)
	}
	if s.marks[id] == 0 {
		o.w.ask(func() { s.marks[id] = fingerprint.Scramble(hashBytes(o.masked(s, id))) | 1 })
	}
	return s.marks[id]
}

func (o *orbits) masked(s *side, id uint32) []byte {
	e := o.w.engine
	p := e.parts.items[id]
	b := e.bases.items[p.base]
	return fmt.Appendf(nil, "%d %v %d %d %d %d %d %d %x", b.kind, b.optional, o.maskedSlot(s, b.slot), o.maskedSlot(s, b.from), b.op, b.pos,
		p.lo, p.hi, e.codec.Any(e.decoded(b.value), o.mask(s, -1)))
}

func (o *orbits) maskedSlot(s *side, slot int16) int16 {
	switch {
	case slot < 0 || int(slot) >= o.w.n:
		return slot
	case s.of[slot] >= 0:
		return -2
	case s == o.clients && o.servers.of[slot] >= 0:
		return -3
	}
	return slot
}

func hashBytes(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for len(b) >= 8 {
		h = fingerprint.Scramble(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return fingerprint.Scramble(h)
}
