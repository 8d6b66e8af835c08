// Package portable writes states, and what is known of components, so that another process can read them.
//
// Within a search a component is known by a number that only its own store gives it. Here it is written by
// its content, in the canonical encoding that its fingerprint is a hash of: in full where a message names it
// first, and from then on by its place among the components of that message. Two processes that search the
// same system thus agree about every state, whatever numbers each of them gives.
package portable

import (
	"encoding/binary"
	"errors"
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/step"
)

// The sorts of components, each with places of its own in a message.
const (
	locals = iota
	values
	pasts
	bases
	parts
	sorts
)

// A Writer writes messages. It belongs to one worker.
type Writer struct {
	e    *step.Engine
	out  []byte
	seen [sorts]places
}

// places are the places, in the present message, of the components of a sort, by number.
type places struct {
	at    []uint32 // what is below the first of this message was another's
	first uint32
	next  uint32
}

// NewWriter makes a writer of what the store of an engine holds.
func NewWriter(e *step.Engine) *Writer { return &Writer{e: e} }

// begin begins a message behind what out holds.
func (w *Writer) begin(out []byte) {
	w.out = out
	for i := range w.seen {
		p := &w.seen[i]
		if p.next > 1<<31 {
			*p = places{}
		}
		p.first = p.next + 1
		p.next = p.first
	}
}

// ref writes the place of a component; true if it was not named before and its content is to follow.
func (w *Writer) ref(sort int, id uint32) bool {
	p := &w.seen[sort]
	if int(id) >= len(p.at) {
		p.at = append(p.at, make([]uint32, max(64, len(p.at), int(id)-len(p.at)+1))...)
	}
	if at := p.at[id]; at >= p.first {
		w.out = binary.AppendUvarint(w.out, uint64(at-p.first)+1)
		return false
	}
	p.at[id] = p.next
	p.next++
	w.out = append(w.out, 0)
	return true
}

func (w *Writer) text(s string) {
	w.out = append(binary.AppendUvarint(w.out, uint64(len(s))), s...)
}

func (w *Writer) local(id uint32) {
	if w.ref(locals, id) {
		l := &w.e.Locals.Items[id]
		w.out = binary.AppendVarint(w.out, int64(l.Slot))
		w.text(l.Bytes)
	}
}

func (w *Writer) value(id uint32) {
	if w.ref(values, id) {
		if int(id) >= len(w.e.Values.Items) { // nothing has a value yet
			w.text("")
			return
		}
		w.text(w.e.Values.Items[id])
	}
}

func (w *Writer) past(id uint32) {
	if w.ref(pasts, id) {
		p := w.e.Past(id)
		w.out = binary.AppendUvarint(w.out, uint64(len(p)))
		for _, x := range p {
			w.out = binary.AppendVarint(w.out, int64(x))
		}
	}
}

func (w *Writer) base(id uint32) {
	if !w.ref(bases, id) {
		return
	}
	b := &w.e.Store.Bases.Items[id]
	w.out = append(w.out, b.Kind, flag(b.Optional))
	for _, n := range []int16{b.Slot, b.From, b.Op, b.Pos} {
		w.out = binary.AppendVarint(w.out, int64(n))
	}
	w.value(b.Value)
	w.past(b.Past)
}

func (w *Writer) part(id uint32) {
	if !w.ref(parts, id) {
		return
	}
	p := &w.e.Parts.Items[id]
	w.base(p.Base)
	w.out = append(binary.AppendVarint(binary.AppendVarint(w.out, int64(p.Lo)), int64(p.Hi)), flag(p.Coin))
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// A Damaged error says that a message is not one that a [Writer] wrote.
type Damaged struct{ What string }

func (d Damaged) Error() string {
	return "a message from another part of the search is damaged: " + d.What
}

var errShort = Damaged{"it ends too soon"}

func damaged(format string, args ...any) { panic(Damaged{fmt.Sprintf(format, args...)}) }

// A reader reads one message. What is not as it has to be is a panic with [Damaged].
type reader struct {
	e    *step.Engine
	in   []byte
	seen [sorts][]uint32 // numbers, by place
}

// caught makes an error of the panic of a reader.
func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case Damaged:
		*err = errors.Join(*err, p)
	default:
		panic(p)
	}
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.in)) {
		panic(errShort)
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.in)
	if size <= 0 {
		panic(errShort)
	}
	r.in = r.in[size:]
	return n
}

// within reads a number of so many bits, with a sign.
func (r *reader) within(bits int) int64 {
	n, size := binary.Varint(r.in)
	if size <= 0 {
		panic(errShort)
	}
	r.in = r.in[size:]
	if n < -1<<(bits-1) || n >= 1<<(bits-1) {
		damaged("%d is no number of %d bits", n, bits)
	}
	return n
}

func (r *reader) flag() bool {
	b := r.bytes(1)[0]
	if b > 1 {
		damaged("%d stands where 0 or 1 has to", b)
	}
	return b == 1
}

// known reads the place of a component, and returns its number if it was named before.
func (r *reader) known(sort int) (id uint32, ok bool) {
	n := r.number()
	if n == 0 {
		return 0, false
	}
	if n > uint64(len(r.seen[sort])) {
		damaged("it names a component that it does not hold")
	}
	return r.seen[sort][n-1], true
}

// named gives a component the next place. None is within another of its sort.
func (r *reader) named(sort int, id uint32) uint32 {
	r.seen[sort] = append(r.seen[sort], id)
	return id
}

func (r *reader) local() uint32 {
	if id, ok := r.known(locals); ok {
		return id
	}
	slot := r.slot()
	return r.named(locals, r.e.Store.Local(slot, r.bytes(r.number())))
}

// slot reads the number of a node or monitor, or that of none.
func (r *reader) slot() int16 {
	slot := r.within(16)
	if slot < -1 || slot >= int64(len(r.e.Protos)) {
		damaged("there is no node %d", slot)
	}
	return int16(slot)
}

func (r *reader) value() uint32 {
	if id, ok := r.known(values); ok {
		return id
	}
	return r.named(values, r.e.Values.Id(string(r.bytes(r.number()))))
}

func (r *reader) past() uint32 {
	if id, ok := r.known(pasts); ok {
		return id
	}
	n := r.number()
	if n > uint64(len(r.in)) {
		panic(errShort)
	}
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(r.within(32))
	}
	return r.named(pasts, r.e.PastID(p))
}

func (r *reader) base() uint32 {
	if id, ok := r.known(bases); ok {
		return id
	}
	b := component.Base{Kind: r.bytes(1)[0], Optional: r.flag()}
	b.Slot, b.From, b.Op, b.Pos = r.slot(), int16(r.within(16)), int16(r.within(16)), int16(r.within(16))
	b.Value, b.Past = r.value(), r.past()
	return r.named(bases, r.e.Store.Base(b))
}

func (r *reader) part() uint32 {
	if id, ok := r.known(parts); ok {
		return id
	}
	return r.named(parts, r.e.Store.Part(component.Part{Base: r.base(), Lo: int32(r.within(32)), Hi: int32(r.within(32)), Coin: r.flag()}))
}
