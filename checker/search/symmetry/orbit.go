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
// The print of the renamed state is summed up from prints of renamed components. Most
// mention one server, or none, and are found by where that one goes.
type Orbits struct {
	w       *step.Worker
	sym     *Groups
	Servers *side // never nil: without members, the group is not permuted
	Clients *side
	locals  kinds
	parts   kinds
	known   []value.Renaming // of the permutations
	packed  []uint64         // of permutations: where each server goes, 4 bits each
	codes   memo.Table       // of what a component mentions: where that goes → number
	nodes   []located
	scratch []uint32
	renamed []uint32
}

// kinds knows of components of one kind how they are renamed.
type kinds struct {
	about    uint32   // in the memo of renamings
	kin      []int8   // of components: the one server it mentions, or one of those below
	mentions []uint64 // of components: the servers that it mentions, 4 bits each
	single   []fingerprint.Print
	general  memo.Table // (component, where what it mentions goes) → one of prints
	prints   []fingerprint.Print
}

// What else a component may mention.
const (
	unknownKin int8 = -1 - iota
	nobody
	several
)

// NewOrbits names the states of a worker.
func NewOrbits(w *step.Worker, sym *Groups) *Orbits {
	o := &Orbits{w: w, sym: sym, known: sym.Perm, codes: memo.New(),
		locals: kinds{general: memo.New()}, parts: kinds{about: ofPart, general: memo.New()}}
	o.Servers, o.Clients = o.side(Servers), o.side(Clients)
	if len(o.Servers.ids) > 0 {
		for k := range o.Servers.order {
			o.Servers.order[k] = k
		}
		o.permutation(o.Servers, o.Servers.order) // number 0
	}
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
	return o.Clients.least(func(order []int) fingerprint.Print { return o.clientKey(v, sum, order) })
}

// clientKey is the least print when the clients are renamed by an order.
func (o *Orbits) clientKey(v []uint32, sum fingerprint.Print, order []int) fingerprint.Print {
	p := o.permutation(o.Clients, order)
	if p == 0 {
		return o.serverKey(v, sum)
	}
	o.rename(v, p)
	return o.serverKey(o.scratch, o.w.PrintOfState(o.scratch))
}

// rename renames the nodes of a state, into scratch. The parts keep their places.
func (o *Orbits) rename(v []uint32, p uint32) {
	w := o.w
	o.scratch = append(o.scratch[:0], v...)
	ren := o.Renaming(p)
	for i := range w.N {
		to := ren[i]
		o.scratch[to] = o.RenamedLocal(v[i], p)
		if at := w.AppOf[i]; at >= 0 {
			o.scratch[w.AppOf[to]] = v[at]
		}
	}
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		o.scratch[i] = o.RenamedLocal(v[i], p)
	}
	for i := w.Head; i < len(v); i++ {
		id := v[i]
		o.scratch[i] = w.Recall(id, step.AboutRenamedPart|p, func() uint32 { return o.sym.Part(id, p) })
	}
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
	if !s.tied() {
		return o.under(v, sum, o.permutation(s, s.order))
	}
	o.breakTies(v, sum)
	return s.least(func(order []int) fingerprint.Print { return o.under(v, sum, o.permutation(s, order)) })
}

// breakTies tells tied servers apart that can be exchanged without changing the state:
// any order of theirs gives the same print.
func (o *Orbits) breakTies(v []uint32, sum fingerprint.Print) {
	s := o.Servers
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
func (o *Orbits) transposition(a, b int) uint32 {
	order := make([]int, len(o.Servers.ids))
	for k := range order {
		order[k] = k
	}
	order[a], order[b] = b, a
	return o.permutation(o.Servers, order)
}

// under is the print of a state whose servers are renamed.
func (o *Orbits) under(v []uint32, sum fingerprint.Print, p uint32) fingerprint.Print {
	if p == 0 {
		return sum
	}
	w := o.w
	ren := o.Renaming(p)
	for i := range w.N {
		if v[i] != component.Down {
			sum = sum.Plus(o.change(&o.locals, v[i], w.LocalPrints[v[i]], p, ren))
		}
	}
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		sum = sum.Plus(o.change(&o.locals, v[i], w.LocalPrints[v[i]], p, ren))
	}
	for _, id := range v[w.Head:] {
		sum = sum.Plus(o.change(&o.parts, id, w.Flats[id].Print, p, ren))
	}
	return sum
}

// Renaming returns the permutation of a number.
func (o *Orbits) Renaming(p uint32) value.Renaming { return o.known[p] }

// change is by how much renaming changes the print of a component.
func (o *Orbits) change(k *kinds, id uint32, own fingerprint.Print, p uint32, ren value.Renaming) fingerprint.Print {
	if int(id) >= len(k.kin) || k.kin[id] == unknownKin {
		o.findKin(k, id)
	}
	switch at := k.kin[id]; at {
	case nobody:
		return fingerprint.Print{}
	case several:
		// Where those go that it does not mention makes no difference.
		there := o.packed[p] & k.mentions[id]
		if there == o.packed[0]&k.mentions[id] {
			return fingerprint.Print{}
		}
		key := memo.Pair(id, o.code(there))
		i, ok := k.general.Get(key)
		if !ok {
			i = uint32(len(k.prints))
			k.prints = append(k.prints, o.renamedPrint(k, id, p))
			k.general.Put(key, i)
		}
		return k.prints[i].Minus(own)
	default:
		to := o.Servers.of[ren[o.Servers.ids[at]]]
		if to == at {
			return fingerprint.Print{}
		}
		known := &k.single[int(id)*len(o.Servers.ids)+int(to)]
		if *known == (fingerprint.Print{}) {
			*known = o.renamedPrint(k, id, p)
		}
		return known.Minus(own)
	}
}

// code numbers where a component's servers go.
func (o *Orbits) code(there uint64) uint32 {
	i, ok := o.codes.Get(there)
	if !ok {
		i = uint32(o.codes.Used)
		o.codes.Put(there, i)
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

// findKin finds the servers that a component mentions, as its place or in its value.
func (o *Orbits) findKin(k *kinds, id uint32) {
	for len(k.kin) <= int(id) {
		k.kin = append(k.kin, unknownKin)
		k.mentions = append(k.mentions, 0)
		k.single = append(k.single, make([]fingerprint.Print, len(o.Servers.ids))...)
	}
	o.w.Ask(func() {
		k.kin[id] = nobody
		for at, u := range o.Servers.ids {
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
func (s *Groups) mentions(part bool, id uint32, u int) bool {
	ren := s.Identity()
	ren[u] = model.NodeID(s.e.N)
	if part {
		b := s.e.Bases.Items[s.e.Parts.Items[id].Base]
		return int(b.Slot) == u || b.Sent() && int(b.From) == u || string(s.e.Codec.Any(s.e.Decoded(b.Value), ren)) != s.e.Values.Items[b.Value]
	}
	l := s.e.Locals.Items[id]
	n := s.e.Codec.DecodeNode(s.e.Protos[l.Slot], []byte(l.Bytes))
	return int(l.Slot) == u || string(s.e.Codec.Node(n, ren)) != l.Bytes
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
	for len(o.packed) <= int(p) {
		o.packed = append(o.packed, 0)
	}
	if s == o.Servers {
		o.packed[p] = packed
	}
	s.perms.Put(packed, p)
	return p
}
