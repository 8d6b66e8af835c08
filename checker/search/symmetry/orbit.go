package symmetry

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// An Orbits computes a key for the orbit of a state under the permutations of the groups: the least fingerprint
// of the orbit's states. The states themselves stay concrete, so that every path of the search is a run.
//
// The members of a group are sorted by their sight: a hash of what a state contains about a member, without the
// identities of the other members. Members with equal sights are tied. Tied members that can be exchanged
// without changing the state need one order; the other orders of tied members are all tried. So no orbit counts
// twice. The order of clients is outermost: for each order of clients, all orders of servers are tried.
//
// The fingerprint of a renamed state is the sum of the fingerprints of its renamed components. A renamed
// component depends only on the images of the members that the component mentions, mostly one or none. So it is
// memoized by these images, and not by one of n! permutations.
type Orbits struct {
	w            *step.Worker
	Groups       *Groups
	Servers      *side // not nil; without members if the group is not permuted
	Clients      *side
	permutations []value.Renaming // by number
	codes        memo.Table       // packed images of the mentioned members → number
	nodes        []decodedLocal
	scratch      []uint32
	renamed      []uint32
}

// A componentMemo memoizes the renamings of components of one kind, for one side.
type componentMemo struct {
	about       uint32   // 0 for local states, or ofPart
	soleMention []int8   // by component: the only mentioned member, or a constant below
	mentions    []uint64 // by component: a mask of the mentioned members, 4 bits each
	single      []fingerprint.Print
	general     memo.Table // (component, code of images) → index in prints
	prints      []fingerprint.Print
	renamed     memo.Table // (component, code of images) → component
}

func newComponentMemo(about uint32) componentMemo {
	return componentMemo{about: about, general: memo.New(), renamed: memo.New()}
}

// Values of soleMention that are no member.
const (
	unknownMention int8 = -1 - iota
	noMember
	manyMembers
)

// NewOrbits returns the orbits of a worker's states.
func NewOrbits(w *step.Worker, sym *Groups) *Orbits {
	o := &Orbits{w: w, Groups: sym, permutations: sym.Perm, codes: memo.New()}
	o.Servers, o.Clients = o.side(Servers), o.side(Clients)
	return o
}

// Key returns the key of the orbit of a state with fingerprint sum. The least of many fingerprints is small,
// but the table needs uniform keys. So the key is scrambled by a bijection.
func (o *Orbits) Key(v []uint32, sum fingerprint.Print) fingerprint.Print {
	least := o.least(v, sum)
	return fingerprint.Print{A: fingerprint.Scramble(least.A), B: fingerprint.Scramble(least.B)}
}

// clientsFixed reports whether clients are not renamed in a state. They are not while operations are to begin
// at boot: these begin in the order of the nodes.
func (o *Orbits) clientsFixed(v []uint32) bool {
	return len(o.Clients.ids) == 0 || slices.ContainsFunc(o.w.BootClients, func(id model.NodeID) bool { return v[o.w.AppOf[id]] == 0 })
}

func (o *Orbits) least(v []uint32, sum fingerprint.Print) fingerprint.Print {
	if o.clientsFixed(v) {
		return o.serverKey(v, sum)
	}
	o.computeSights(o.Clients, v)
	o.findClasses(o.Clients, v, sum)
	return o.Clients.least(func(order []int) fingerprint.Print { return o.clientKey(v, sum, order) })
}

// clientKey returns the least fingerprint of a state whose clients are renamed by an order.
func (o *Orbits) clientKey(v []uint32, sum fingerprint.Print, order []int) fingerprint.Print {
	p := o.permutation(o.Clients, order)
	if p == 0 || len(o.Servers.ids) == 0 {
		return o.serverKey(v, o.printAfter(o.Clients, v, sum, p))
	}
	o.rename(o.Clients, v, p)
	return o.serverKey(o.scratch, o.w.PrintOfState(o.scratch))
}

// rename renames the members of a side in a state, into scratch. The parts keep their indexes.
func (o *Orbits) rename(s *side, v []uint32, p uint32) {
	w := o.w
	o.scratch = append(o.scratch[:0], v...)
	ren := o.Renaming(p)
	for i := range w.N {
		to := ren[i]
		o.scratch[to] = o.renamedLocal(s, v[i], p)
		if at := w.AppOf[i]; at >= 0 {
			o.scratch[w.AppOf[to]] = v[at]
		}
	}
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		o.scratch[i] = o.renamedLocal(s, v[i], p)
	}
	for i := w.Head; i < len(v); i++ {
		o.scratch[i] = o.renamedPart(s, v[i], p)
	}
}

func (o *Orbits) renamedLocal(s *side, id, p uint32) uint32 {
	if id == component.Down {
		return component.Down
	}
	return o.image(s, &s.locals, id, p, o.Groups.Local)
}

func (o *Orbits) renamedPart(s *side, id, p uint32) uint32 {
	return o.image(s, &s.parts, id, p, o.Groups.Part)
}

// image returns the image of a component under a permutation of a side. For a new image it calls compute, with
// the engine locked.
func (o *Orbits) image(s *side, k *componentMemo, id, p uint32, compute func(id, p uint32) uint32) (to uint32) {
	there, moves := o.memberImages(s, k, id, p)
	if !moves {
		return id
	}
	key := memo.Pair(id, o.imageCode(there))
	to, ok := k.renamed.Get(key)
	if !ok {
		o.w.Ask(func() { to = compute(id, p) })
		k.renamed.Put(key, to)
	}
	return to
}

// RenamedLocal returns the image of a local state under a permutation.
func (o *Orbits) RenamedLocal(id, p uint32) uint32 {
	if id == component.Down {
		return component.Down
	}
	return o.w.Recall(id, step.AboutRenamedLocal|p, func() uint32 { return o.Groups.Local(id, p) })
}

// serverKey returns the least fingerprint of a state over the permutations of servers.
func (o *Orbits) serverKey(v []uint32, sum fingerprint.Print) fingerprint.Print {
	if len(o.Servers.ids) == 0 {
		return sum
	}
	s := o.Servers
	o.computeSights(s, v)
	o.findClasses(s, v, sum)
	return s.least(func(order []int) fingerprint.Print { return o.printAfter(s, v, sum, o.permutation(s, order)) })
}

// findClasses groups the tied members that can be exchanged without changing the state. The exchanges that
// leave a state unchanged are closed under composition. So this is an equivalence, and each member is compared
// with one member of each class. Orders that differ only within classes give the same renamed state.
func (o *Orbits) findClasses(s *side, v []uint32, sum fingerprint.Print) {
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		for k := from + 1; k < to; k++ {
			for j := from; j < k; j++ {
				if b := s.order[j]; s.class[b] == b && o.printAfter(s, v, sum, o.transposition(s, s.order[k], b)) == sum {
					s.class[s.order[k]] = b
					break
				}
			}
		}
		from = to
	}
}

// transposition returns the permutation that exchanges two members.
func (o *Orbits) transposition(s *side, a, b int) uint32 {
	known := &s.swaps[a*len(s.ids)+b]
	if *known == 0 {
		order := make([]int, len(s.ids))
		for k := range order {
			order[k] = k
		}
		order[a], order[b] = b, a
		*known = o.permutation(s, order)
	}
	return *known
}

// printAfter returns the fingerprint of a state, with fingerprint sum, after a permutation of the members of a
// side.
func (o *Orbits) printAfter(s *side, v []uint32, sum fingerprint.Print, p uint32) fingerprint.Print {
	if p == 0 {
		return sum
	}
	w := o.w
	ren := o.Renaming(p)
	for i := range w.N {
		if v[i] != component.Down {
			sum = sum.Plus(o.printChange(s, &s.locals, v[i], w.LocalPrints[v[i]], p, ren))
		}
		if at, to := w.AppOf[i], w.AppOf[ren[i]]; at != to {
			sum = sum.Plus(fingerprint.Numbered(to, v[at])).Minus(fingerprint.Numbered(at, v[at]))
		}
	}
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		sum = sum.Plus(o.printChange(s, &s.locals, v[i], w.LocalPrints[v[i]], p, ren))
	}
	for _, id := range v[w.Head:] {
		sum = sum.Plus(o.printChange(s, &s.parts, id, w.Flats[id].Print, p, ren))
	}
	return sum
}

// Renaming returns a permutation by its number.
func (o *Orbits) Renaming(p uint32) value.Renaming { return o.permutations[p] }

// memberImages returns the images of the members that a component mentions, 4 bits each, and whether any image
// differs from its member.
func (o *Orbits) memberImages(s *side, k *componentMemo, id, p uint32) (there uint64, moves bool) {
	if int(id) >= len(k.soleMention) || k.soleMention[id] == unknownMention {
		o.findMentions(s, k, id)
	}
	there = s.packed[p] & k.mentions[id]
	return there, there != s.identity&k.mentions[id]
}

// printChange returns the change of a state's fingerprint when a component is renamed; own is the component's
// fingerprint.
func (o *Orbits) printChange(s *side, k *componentMemo, id uint32, own fingerprint.Print, p uint32, ren value.Renaming) fingerprint.Print {
	there, moves := o.memberImages(s, k, id, p)
	if !moves {
		return fingerprint.Print{}
	}
	if at := k.soleMention[id]; at != manyMembers {
		known := &k.single[int(id)*len(s.ids)+int(s.indexes[ren[s.ids[at]]])]
		if *known == (fingerprint.Print{}) {
			*known = o.renamedPrint(k, id, p)
		}
		return known.Minus(own)
	}
	key := memo.Pair(id, o.imageCode(there))
	i, ok := k.general.Get(key)
	if !ok {
		i = uint32(len(k.prints))
		k.prints = append(k.prints, o.renamedPrint(k, id, p))
		k.general.Put(key, i)
	}
	return k.prints[i].Minus(own)
}

// imageCode returns a number for packed images. The memo has no key 0, so it stores the images plus 1. The sum
// never overflows to 0, since no permutation maps all members to 15.
func (o *Orbits) imageCode(there uint64) uint32 {
	i, ok := o.codes.Get(there + 1)
	if !ok {
		i = uint32(o.codes.Used)
		o.codes.Put(there+1, i)
	}
	return i
}

func (o *Orbits) renamedPrint(k *componentMemo, id, p uint32) (r fingerprint.Print) {
	if k.about == ofPart {
		o.w.Ask(func() { r = o.w.Engine.Flats[o.Groups.Part(id, p)].Print })
		return r
	}
	n, slot := o.decoded(id)
	return component.LocalPrint(o.Groups.slotUnder(slot, o.Renaming(p)), o.w.Codec.Node(n, o.Renaming(p)))
}

// decoded returns a decoded local state and its slot. Each local state is decoded once.
func (o *Orbits) decoded(id uint32) (any, int16) {
	for len(o.nodes) <= int(id) {
		o.nodes = append(o.nodes, decodedLocal{})
	}
	if o.nodes[id].node == nil {
		o.w.Ask(func() {
			l := o.w.Engine.Locals.Items[id]
			o.nodes[id] = decodedLocal{o.w.Codec.DecodeNode(o.w.Protos[l.Slot], []byte(l.Bytes)), l.Slot}
		})
	}
	return o.nodes[id].node, o.nodes[id].slot
}

// A decodedLocal is a decoded local state with its slot.
type decodedLocal struct {
	node any
	slot int16
}

// findMentions computes the members that a component mentions: as its node, as a sender, or in its value.
func (o *Orbits) findMentions(s *side, k *componentMemo, id uint32) {
	for len(k.soleMention) <= int(id) {
		k.soleMention = append(k.soleMention, unknownMention)
		k.mentions = append(k.mentions, 0)
		k.single = append(k.single, make([]fingerprint.Print, len(s.ids))...)
	}
	o.w.Ask(func() {
		k.soleMention[id] = noMember
		for _, at := range o.Groups.mentions(k.about == ofPart, id, s.ids) {
			k.mentions[id] |= 15 << (4 * at)
			if k.soleMention[id] != noMember {
				k.soleMention[id] = manyMembers
				continue
			}
			k.soleMention[id] = int8(at)
		}
	})
}

// mentions returns the indexes in ids of the nodes that a part or a local state mentions. A component mentions
// a node if it changes when the node gets a new name. Most values mention no node; a single renaming of all
// nodes shows this.
func (s *Groups) mentions(part bool, id uint32, ids []int) (places []int) {
	var own func(u int) bool // whether node u is the component's node or sender
	var bytes string
	var under func(ren value.Renaming) []byte
	if part {
		b := s.e.Bases.Items[s.e.Parts.Items[id].Base]
		v := s.e.Decoded(b.Value)
		own = func(u int) bool { return int(b.Slot) == u || b.Sent() && int(b.From) == u }
		bytes, under = s.e.Values.Items[b.Value], func(ren value.Renaming) []byte { return s.e.Codec.Any(v, ren) }
	} else {
		l := s.e.Locals.Items[id]
		n := s.e.Codec.DecodeNode(s.e.Protos[l.Slot], []byte(l.Bytes))
		own = func(u int) bool { return int(l.Slot) == u }
		bytes, under = l.Bytes, func(ren value.Renaming) []byte { return s.e.Codec.Node(n, ren) }
	}
	ren := s.Identity()
	for _, u := range ids {
		ren[u] = model.NodeID(s.e.N)
	}
	named := string(under(ren)) != bytes
	ren = s.Identity()
	for at, u := range ids {
		ren[u] = model.NodeID(s.e.N)
		if own(u) || named && string(under(ren)) != bytes {
			places = append(places, at)
		}
		ren[u] = model.NodeID(u)
	}
	return places
}

// permutation returns the number of the permutation that sorts a side's members in an order; 0 for the
// identity.
func (o *Orbits) permutation(s *side, order []int) uint32 {
	packed := uint64(0)
	for rank, k := range order {
		packed |= uint64(rank) << (4 * k)
	}
	if p, ok := s.perms.Get(packed); ok {
		return p
	}
	ren := o.Groups.Identity()
	for rank, k := range order {
		ren[s.ids[k]] = model.NodeID(s.ids[rank])
	}
	var p uint32
	o.w.Ask(func() {
		p = o.Groups.Intern(ren)
		o.permutations = o.Groups.Perm
	})
	for len(s.packed) <= int(p) {
		s.packed = append(s.packed, 0)
	}
	s.packed[p] = packed
	s.perms.Put(packed, p)
	return p
}
