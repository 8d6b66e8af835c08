package foreign

import (
	"encoding/binary"

	"contend/model"
	"contend/model/value"
)

// A search that is to go on in another process needs the histories of the objects that its states
// name. They are written one after another, each after the one that it goes on from.

// Histories writes the histories that are known.
func (n *Node[V]) Histories(codec *value.Codec) []byte {
	c := n.behind.core
	c.mu.Lock()
	defer c.mu.Unlock()
	s := saver{codec: codec, at: map[*trail]uint64{nil: 0}}
	for _, t := range c.known {
		s.trail(t)
	}
	for disk, with := range c.disks {
		s.disks = appendNames(s.disks, disk, with[0], with[1])
	}
	b := binary.AppendUvarint(nil, uint64(len(s.at)-1))
	b = append(b, s.trails...)
	b = binary.AppendUvarint(b, uint64(len(c.disks)))
	return append(b, s.disks...)
}

type saver struct {
	codec         *value.Codec
	at            map[*trail]uint64 // its place, from 1
	trails, disks []byte
}

func appendNames(b []byte, names ...Name) []byte {
	for _, n := range names {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, n[0]), n[1])
	}
	return b
}

// trail writes a history, after what it goes on from.
func (s *saver) trail(t *trail) {
	var missing []*trail
	for ; s.at[t] == 0 && t != nil; t = t.before {
		missing = append(missing, t)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		s.step(missing[i])
	}
}

func (s *saver) step(t *trail) {
	given := s.codec.Any(t.in.value, nil)
	s.trails = binary.AppendUvarint(s.trails, s.at[t.before])
	s.at[t] = uint64(len(s.at))
	for _, n := range []int{int(t.in.kind), int(t.in.self), int(t.in.from), len(given), len(t.answers)} {
		s.trails = binary.AppendUvarint(s.trails, uint64(n))
	}
	s.trails = append(s.trails, given...)
	for _, is := range t.answers {
		s.trails = binary.AppendUvarint(s.trails, uint64(is))
	}
	s.trails = appendNames(s.trails, t.is)
}

// Recall reads what [Node.Histories] wrote.
func (n *Node[V]) Recall(codec *value.Codec, histories []byte) {
	c, r := n.behind.core, reader{codec: codec, b: histories, trails: []*trail{nil}}
	c.mu.Lock()
	defer c.mu.Unlock()
	for range r.number() {
		t := r.step()
		r.trails = append(r.trails, t)
		if before := c.known[t.is]; before == nil || before.depth > t.depth {
			c.known[t.is] = t
		}
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

func (r *reader) name() (n Name) {
	for i := range n {
		n[i], r.b = binary.LittleEndian.Uint64(r.b), r.b[8:]
	}
	return n
}

func (r *reader) step() *trail {
	t := &trail{before: r.trails[r.number()]}
	if t.before != nil {
		t.depth = t.before.depth + 1
	}
	t.in.kind, t.in.self, t.in.from = kind(r.number()), model.NodeID(r.number()), model.NodeID(r.number())
	given, answers := r.number(), r.number()
	t.in.value, r.b = r.codec.DecodeAny(r.b[:given]), r.b[given:]
	for range answers {
		t.answers = append(t.answers, int32(r.number()))
	}
	t.is = r.name()
	return t
}
