package foreign

import (
	"bytes"
	"encoding/binary"

	"contend/model"
	"contend/model/value"
)

// A search that continues in another process needs the histories of its states, and the observed reactions for
// the review. Histories are encoded step by step, each after its predecessor, and referred to by index.

// version is the prefix of the encoding.
const version = "histories 3"

// Histories encodes the histories and reactions, for a checkpoint.
func (n *Node[V]) Histories(codec *value.Codec) []byte {
	c := n.shared.core
	c.mu.Lock()
	defer c.mu.Unlock()
	s := saver{codec: codec, index: map[*trail]uint64{nil: 0}}
	var known, reactions []byte
	for _, name := range c.states {
		known = binary.AppendUvarint(known, uint64(len(c.histories[name].trails)))
		for _, t := range c.histories[name].trails {
			known = binary.AppendUvarint(known, s.place(t))
		}
	}
	for key, r := range c.reactions {
		reactions = appendNames(reactions, key, r.from, r.effects, r.next)
		reactions = binary.AppendUvarint(reactions, s.place(r.t))
		reactions = binary.AppendVarint(append(reactions, byte(b2i(r.failed))), int64(r.asks))
	}
	for disk, with := range c.disks {
		s.disks = appendNames(s.disks, disk, with[0], with[1])
	}
	b := binary.AppendUvarint([]byte(version), uint64(len(s.index)-1))
	b = append(b, s.trails...)
	b = append(binary.AppendUvarint(b, uint64(len(c.states))), known...)
	b = append(binary.AppendUvarint(b, uint64(len(c.reactions))), reactions...)
	return append(binary.AppendUvarint(b, uint64(len(c.disks))), s.disks...)
}

type saver struct {
	codec         *value.Codec
	index         map[*trail]uint64 // the index, from 1
	trails, disks []byte
}

func appendNames(b []byte, names ...Name) []byte {
	for _, n := range names {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, n[0]), n[1])
	}
	return b
}

// place returns the index of a history. It encodes the history and its predecessors, if that is not done.
func (s *saver) place(history *trail) uint64 {
	var missing []*trail
	for t := history; s.index[t] == 0 && t != nil; t = t.before {
		missing = append(missing, t)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		s.step(missing[i])
	}
	return s.index[history]
}

func (s *saver) step(t *trail) {
	given := s.codec.Any(t.in.value, nil)
	s.trails = binary.AppendUvarint(s.trails, s.index[t.before])
	s.index[t] = uint64(len(s.index))
	for _, n := range []int{int(t.in.kind), int(t.in.self), int(t.in.from), len(given), len(t.answers)} {
		s.trails = binary.AppendUvarint(s.trails, uint64(n))
	}
	s.trails = append(s.trails, given...)
	for _, answer := range t.answers {
		s.trails = binary.AppendUvarint(s.trails, uint64(answer))
	}
	s.trails = appendNames(s.trails, t.name)
}

// Recall decodes the result of [Node.Histories]. It refuses the data of another version of this package.
func (n *Node[V]) Recall(codec *value.Codec, histories []byte) {
	rest, fits := bytes.CutPrefix(histories, []byte(version))
	if !fits {
		model.Refuse("foreign: the checkpoint is of another version of this package; begin the search anew")
	}
	c, r := n.shared.core, reader{codec: codec, b: rest, trails: []*trail{nil}}
	c.mu.Lock()
	defer c.mu.Unlock()
	for range r.number() {
		r.trails = append(r.trails, r.step())
	}
	for range r.number() {
		for range r.number() {
			t := r.trails[r.number()]
			c.addTrail(t.name, t)
		}
	}
	for range r.number() {
		key, one := r.name(), reaction{from: r.name(), effects: r.name(), next: r.name()}
		one.t, one.failed = r.trails[r.number()], r.number() == 1
		one.asks = r.signed()
		c.reactions[key] = one
	}
	for range r.number() {
		disk := r.name()
		c.disks[disk] = [2]Name{r.name(), r.name()}
	}
}

type reader struct {
	codec  *value.Codec
	b      []byte
	trails []*trail
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.b)
	r.b = r.b[size:]
	return int(n)
}

func (r *reader) signed() int32 {
	n, size := binary.Varint(r.b)
	r.b = r.b[size:]
	return int32(n)
}

func (r *reader) name() (n Name) {
	for i := range n {
		n[i], r.b = binary.LittleEndian.Uint64(r.b), r.b[8:]
	}
	return n
}

func (r *reader) step() *trail {
	t := &trail{before: r.trails[r.number()]}
	t.in.kind, t.in.self, t.in.from = kind(r.number()), model.NodeID(r.number()), model.NodeID(r.number())
	given, answers := r.number(), r.number()
	t.in.value, r.b = r.codec.DecodeAny(r.b[:given]), r.b[given:]
	for range answers {
		t.answers = append(t.answers, int32(r.number()))
	}
	t.name = r.name()
	from := Name{}
	if t.before != nil {
		from = t.before.name
	}
	t.count(t.in.key(from, t.answers))
	return t
}
