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

// Orbits names a state by the least print of the states in its orbit under the
// permutations of the groups. The states themselves stay concrete, so that every way
// through them is a run.
//
// The members of a group are sorted by what can be seen of each without naming the
// others. Where that leaves a tie, either its members can be exchanged without changing
// the state, or each of their orders is tried: no orbit counts twice. The clients'
// order is found first, and for each that is tried the servers'.
//
// The print of the renamed state is summed up from prints of renamed components. What a
// component is renamed to depends on where those members go that it mentions, which are one
// or none for most: so it is remembered by that, and not by one of n! permutations.
type Orbits struct {
	w       *step.Worker
	sym     *Groups
	Servers *side // never nil: without members, the group is not permuted
	Clients *side
	known   []value.Renaming // of the permutations
	codes   memo.Table       // of what a component mentions: where that goes → number
	nodes   []located
	scratch []uint32
	renamed []uint32
}

// kinds knows of components of one kind how renaming the members of a side renames them.
type kinds struct {
	about    uint32   // in the memo of renamings
	kin      []int8   // of components: the one member it mentions, or one of those below
	mentions []uint64 // of components: the members that it mentions, 4 bits each
	single   []fingerprint.Print
	general  memo.Table // (component, where what it mentions goes) → one of prints
	prints   []fingerprint.Print
	renamed  memo.Table // (component, where what it mentions goes) → component
}

func newKinds(about uint32) kinds {
	return kinds{about: about, general: memo.New(), renamed: memo.New()}
}

// What else a component may mention.
const (
	unknownKin int8 = -1 - iota
	nobody
	several
)

// NewOrbits names the states of a worker.
func NewOrbits(w *step.Worker, sym *Groups) *Orbits {
	o := &Orbits{w: w, sym: sym, known: sym.Perm, codes: memo.New()}
	o.Servers, o.Clients = o.side(Servers), o.side(Clients)
	return o
}

// Key returns the name of the orbit of a state whose print is known. The least of many
// prints is small, and the table wants them spread: so it is scrambled, which tells as
// many apart.
func (o *Orbits) Key(v []uint32, sum fingerprint.Print) fingerprint.Print {
	least := o.least(v, sum)
	return fingerprint.Print{A: fingerprint.Scramble(least.A), B: fingerprint.Scramble(least.B)}
}

// keepsClients reports whether no client is renamed in a state. While operations are yet to
// begin at boot, none is: they begin in the order of the nodes, which a renaming changes.
func (o *Orbits) keepsClients(v []uint32) bool {
	return len(o.Clients.ids) == 0 || slices.ContainsFunc(o.w.AtBoot, func(id model.NodeID) bool { return v[o.w.AppOf[id]] == 0 })
}

func (o *Orbits) least(v []uint32, sum fingerprint.Print) fingerprint.Print {
	if o.keepsClients(v) {
		return o.serverKey(v, sum)
	}
	o.look(o.Clients, v)
	o.findClasses(o.Clients, v, sum)
	return o.Clients.least(func(order []int) fingerprint.Print { return o.clientKey(v, sum, order) })
}

// clientKey is the least print when the clients are renamed by an order.
func (o *Orbits) clientKey(v []uint32, sum fingerprint.Print, order []int) fingerprint.Print {
	p := o.permutation(o.Clients, order)
	if p == 0 || len(o.Servers.ids) == 0 {
		return o.serverKey(v, o.under(o.Clients, v, sum, p))
	}
	o.rename(o.Clients, v, p)
	return o.serverKey(o.scratch, o.w.PrintOfState(o.scratch))
}

// rename renames the members of a side in a state, into scratch. The parts keep their places.
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
	return o.renamedTo(s, &s.locals, id, p, o.sym.Local)
}

func (o *Orbits) renamedPart(s *side, id, p uint32) uint32 {
	return o.renamedTo(s, &s.parts, id, p, o.sym.Part)
}

// renamedTo returns a component under a permutation of a side.
func (o *Orbits) renamedTo(s *side, k *kinds, id, p uint32, compute func(id, p uint32) uint32) (to uint32) {
	there, moves := o.goes(s, k, id, p)
	if !moves {
		return id
	}
	key := memo.Pair(id, o.code(there))
	to, ok := k.renamed.Get(key)
	if !ok {
		o.w.Ask(func() { to = compute(id, p) })
		k.renamed.Put(key, to)
	}
	return to
}

// RenamedLocal returns a local state under a permutation.
func (o *Orbits) RenamedLocal(id, p uint32) uint32 {
	if id == component.Down {
		return component.Down
	}
	return o.w.Recall(id, step.AboutRenamedLocal|p, func() uint32 { return o.sym.Local(id, p) })
}

// serverKey is the least print of a state when its servers are renamed.
func (o *Orbits) serverKey(v []uint32, sum fingerprint.Print) fingerprint.Print {
	if len(o.Servers.ids) == 0 {
		return sum
	}
	s := o.Servers
	o.look(s, v)
	o.findClasses(s, v, sum)
	return s.least(func(order []int) fingerprint.Print { return o.under(s, v, sum, o.permutation(s, order)) })
}

// findClasses finds which tied members can be exchanged without changing the state. The
// exchanges that keep a state are closed under composition, so this is an equivalence, and
// one member of each class is asked. Orders in which members of a class change places give
// one and the same renamed state.
func (o *Orbits) findClasses(s *side, v []uint32, sum fingerprint.Print) {
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		for k := from + 1; k < to; k++ {
			for j := from; j < k; j++ {
				if b := s.order[j]; s.class[b] == b && o.under(s, v, sum, o.transposition(s, s.order[k], b)) == sum {
					s.class[s.order[k]] = b
					break
				}
			}
		}
		from = to
	}
}

// transposition exchanges two members.
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

// under is the print of a state in which the members of a side are renamed.
func (o *Orbits) under(s *side, v []uint32, sum fingerprint.Print, p uint32) fingerprint.Print {
	if p == 0 {
		return sum
	}
	w := o.w
	ren := o.Renaming(p)
	for i := range w.N {
		if v[i] != component.Down {
			sum = sum.Plus(o.change(s, &s.locals, v[i], w.LocalPrints[v[i]], p, ren))
		}
		if at, to := w.AppOf[i], w.AppOf[ren[i]]; at != to {
			sum = sum.Plus(fingerprint.Numbered(to, v[at])).Minus(fingerprint.Numbered(at, v[at]))
		}
	}
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		sum = sum.Plus(o.change(s, &s.locals, v[i], w.LocalPrints[v[i]], p, ren))
	}
	for _, id := range v[w.Head:] {
		sum = sum.Plus(o.change(s, &s.parts, id, w.Flats[id].Print, p, ren))
	}
	return sum
}

// Renaming returns the permutation of a number.
func (o *Orbits) Renaming(p uint32) value.Renaming { return o.known[p] }

// goes returns where the members go that a component mentions, 4 bits each, and whether any
// of them goes elsewhere.
func (o *Orbits) goes(s *side, k *kinds, id, p uint32) (there uint64, moves bool) {
	if int(id) >= len(k.kin) || k.kin[id] == unknownKin {
		o.findKin(s, k, id)
	}
	there = s.packed[p] & k.mentions[id]
	return there, there != s.straight&k.mentions[id]
}

// change is by how much renaming changes the print of a component.
func (o *Orbits) change(s *side, k *kinds, id uint32, own fingerprint.Print, p uint32, ren value.Renaming) fingerprint.Print {
	there, moves := o.goes(s, k, id, p)
	if !moves {
		return fingerprint.Print{}
	}
	if at := k.kin[id]; at != several {
		known := &k.single[int(id)*len(s.ids)+int(s.of[ren[s.ids[at]]])]
		if *known == (fingerprint.Print{}) {
			*known = o.renamedPrint(k, id, p)
		}
		return known.Minus(own)
	}
	key := memo.Pair(id, o.code(there))
	i, ok := k.general.Get(key)
	if !ok {
		i = uint32(len(k.prints))
		k.prints = append(k.prints, o.renamedPrint(k, id, p))
		k.general.Put(key, i)
	}
	return k.prints[i].Minus(own)
}

// code numbers where the members go that a component mentions. A table holds no 0: no member
// goes to 15 with all others, so one more is never 0 either.
func (o *Orbits) code(there uint64) uint32 {
	i, ok := o.codes.Get(there + 1)
	if !ok {
		i = uint32(o.codes.Used)
		o.codes.Put(there+1, i)
	}
	return i
}

func (o *Orbits) renamedPrint(k *kinds, id, p uint32) (r fingerprint.Print) {
	if k.about == ofPart {
		o.w.Ask(func() { r = o.w.Engine.Flats[o.sym.Part(id, p)].Print })
		return r
	}
	n, slot := o.decoded(id)
	return component.LocalPrint(o.sym.slotUnder(slot, o.Renaming(p)), o.w.Codec.Node(n, o.Renaming(p)))
}

// decoded returns a local state, which is decoded once, and whose it is.
func (o *Orbits) decoded(id uint32) (any, int16) {
	for len(o.nodes) <= int(id) {
		o.nodes = append(o.nodes, located{})
	}
	if o.nodes[id].node == nil {
		o.w.Ask(func() {
			l := o.w.Engine.Locals.Items[id]
			o.nodes[id] = located{o.w.Codec.DecodeNode(o.w.Protos[l.Slot], []byte(l.Bytes)), l.Slot}
		})
	}
	return o.nodes[id].node, o.nodes[id].slot
}

// located is a decoded local state with its node's or monitor's number.
type located struct {
	node any
	slot int16
}

// findKin finds the members that a component mentions, as its place or in its value.
func (o *Orbits) findKin(s *side, k *kinds, id uint32) {
	for len(k.kin) <= int(id) {
		k.kin = append(k.kin, unknownKin)
		k.mentions = append(k.mentions, 0)
		k.single = append(k.single, make([]fingerprint.Print, len(s.ids))...)
	}
	o.w.Ask(func() {
		k.kin[id] = nobody
		for _, at := range o.sym.mentioned(k.about == ofPart, id, s.ids) {
			k.mentions[id] |= 15 << (4 * at)
			if k.kin[id] != nobody {
				k.kin[id] = several
				continue
			}
			k.kin[id] = int8(at)
		}
	})
}

// mentioned returns the places in a list of those nodes that a part or a local state mentions: it
// changes when a node gets a name that no other has. Most name nobody in their values, which
// renaming all at once shows.
func (s *Groups) mentioned(part bool, id uint32, ids []int) (places []int) {
	var own func(u int) bool // mentions a node by its place, or as the sender
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

// permutation interns the renaming of a side that an order of its members asks for; 0
// is the identity.
func (o *Orbits) permutation(s *side, order []int) uint32 {
	packed := uint64(0)
	for rank, k := range order {
		packed |= uint64(rank) << (4 * k)
	}
	if p, ok := s.perms.Get(packed); ok {
		return p
	}
	ren := o.sym.Identity()
	for rank, k := range order {
		ren[s.ids[k]] = model.NodeID(s.ids[rank])
	}
	var p uint32
	o.w.Ask(func() {
		p = o.sym.Intern(ren)
		o.known = o.sym.Perm
	})
	for len(s.packed) <= int(p) {
		s.packed = append(s.packed, 0)
	}
	s.packed[p] = packed
	s.perms.Put(packed, p)
	return p
}
