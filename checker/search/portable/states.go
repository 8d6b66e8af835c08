package portable

import (
	"encoding/binary"

	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/step"
)

// States writes the states of a chunk behind what out holds: of each the fingerprint by which it is known,
// the sum of its components' prints, and its components. The caller sees to it that nobody adds components
// meanwhile.
func (w *Writer) States(out []byte, c frontier.Chunk, sum func(v []uint32) fingerprint.Print) []byte {
	w.begin(out)
	for len(c) > 0 {
		var key fingerprint.Print
		var v []uint32
		key, v, c = c.Next()
		w.state(key, sum(v), v)
	}
	return w.out
}

func (w *Writer) state(key, sum fingerprint.Print, v []uint32) {
	for _, p := range []fingerprint.Print{key, sum} {
		w.out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(w.out, p.A), p.B)
	}
	e := w.e
	for i, id := range v[:e.Head] {
		switch {
		case i < e.N || i >= e.MonitorAt && i < e.BudgetAt:
			w.local(id)
		case i < e.PastsAt():
			w.out = binary.AppendUvarint(w.out, uint64(id))
		default:
			w.past(id)
		}
	}
	w.out = binary.AppendUvarint(w.out, uint64(len(v)-e.Head))
	for _, id := range v[e.Head:] {
		w.part(id)
	}
}

// ReadStates hands on the states of a message. It takes the components into the worker's store, and refuses
// a state whose components do not add up to the sum that was sent with it. The vector lasts until add returns.
func ReadStates(in []byte, w *step.Worker, add func(key fingerprint.Print, v []uint32)) (err error) {
	defer caught(&err)
	r := &reader{e: w.Engine, in: in}
	var v []uint32
	for len(r.in) > 0 {
		var key, sum fingerprint.Print
		w.Ask(func() { key, sum, v = r.state(v[:0]) })
		if w.PrintOfState(v) != sum {
			damaged("the components of a state do not have the fingerprint that it was sent with")
		}
		step.SortParts(v[w.Head:])
		add(key, v)
	}
	return nil
}

func (r *reader) print() fingerprint.Print {
	b := r.bytes(16)
	return fingerprint.Print{A: binary.LittleEndian.Uint64(b), B: binary.LittleEndian.Uint64(b[8:])}
}

func (r *reader) state(v []uint32) (key, sum fingerprint.Print, out []uint32) {
	key, sum = r.print(), r.print()
	e := r.e
	for i := range e.Head {
		switch {
		case i < e.N || i >= e.MonitorAt && i < e.BudgetAt:
			v = append(v, r.local())
		case i < e.PastsAt():
			n := r.number()
			if n > 1<<32-1 {
				damaged("%d is no number of an application", n)
			}
			v = append(v, uint32(n))
		default:
			v = append(v, r.past())
		}
	}
	n := r.number()
	if n > uint64(len(r.in)) { // a part takes a byte at least
		panic(errShort)
	}
	for range n {
		v = append(v, r.part())
	}
	return key, sum, v
}
