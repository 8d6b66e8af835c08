package foreign

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// An encoder writes one dump.
type encoder struct {
	out     []byte
	seen    map[met]uint64 // what pointers lead to, by number in the order of the first visits
	refused bool           // something is there that no dump can name
	depth   int
	kept    []any // what was made for the dump, so that no other thing comes to lie there
}

// met is what a pointer points to. A struct and its first field are two.
type met struct {
	at   unsafe.Pointer
	what uint64
}

// deepest is how many pointers may follow each other. An object that is deeper is a list, and a
// slice that holds itself has no end.
const deepest = 1000

var encoders = sync.Pool{New: func() any { return &encoder{seen: map[met]uint64{}} }}

// encoded gives the dump of an object to use. It is false if the object cannot be dumped.
func (c *core) encoded(object any, use func(dump []byte)) bool {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	clear(e.seen)
	clear(e.kept)
	e.kept = e.kept[:0]
	e.out, e.refused, e.depth = e.out[:0], false, 0
	c.plans.get(anyType, c.omit).dump(e, unsafe.Pointer(&object))
	if e.refused {
		return false
	}
	use(e.out)
	return true
}

var anyType = reflect.TypeFor[any]()

func (e *encoder) number(n uint64) { e.out = binary.AppendUvarint(e.out, n) }
func (e *encoder) fixed(n uint64)  { e.out = binary.LittleEndian.AppendUint64(e.out, n) }
func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.out = append(e.out, s...)
}

// first notes a pointer, or says where it was met first.
func (e *encoder) first(at unsafe.Pointer, what uint64) bool {
	key := met{at, what}
	if n, again := e.seen[key]; again {
		e.number(n)
		return false
	}
	e.seen[key] = uint64(len(e.seen)) + 2
	e.number(1)
	return true
}

func (e *encoder) pointer(to unsafe.Pointer, p *plan) {
	switch {
	case to == nil:
		e.number(0)
		return
	case p.size == 0: // all such have one address
		e.number(1)
	case !e.first(to, p.what):
		return
	}
	if e.depth++; e.depth > deepest {
		e.refused = true
		return
	}
	p.dump(e, to)
	e.depth--
}

func (e *encoder) elements(at unsafe.Pointer, n int, elem *plan) {
	if elem.plain {
		e.out = append(e.out, unsafe.Slice((*byte)(at), uintptr(n)*elem.size)...)
		return
	}
	if e.depth++; e.depth > deepest {
		e.refused = true
		return
	}
	for i := range n {
		elem.dump(e, unsafe.Add(at, uintptr(i)*elem.size))
	}
	e.depth--
}

// functions are the hashes of the names of functions, by the address of their code.
var functions sync.Map

// function writes which function it is. What it has captured cannot be seen.
func (e *encoder) function(f *uintptr) {
	if f == nil {
		e.number(0)
		return
	}
	name, known := functions.Load(*f)
	if !known {
		name, _ = functions.LoadOrStore(*f, hashed(runtime.FuncForPC(*f).Name()))
	}
	e.number(1)
	e.fixed(name.(uint64))
}

// sorted writes the entries of a map. Keys with pointers in them are ordered by what those lead
// to, each key by itself: two that are alike have no order.
func (e *encoder) sorted(v reflect.Value, key, elem *plan, elems reflect.Type) {
	n := v.Len()
	vals, k := reflect.MakeSlice(elems, n, n), reflect.New(key.of).Elem()
	keys := make([][]byte, 0, n)
	order := make([]int, n)
	start := len(e.out)
	for it, i := v.MapRange(), 0; it.Next(); i++ {
		k.SetIterKey(it)
		vals.Index(i).SetIterValue(it)
		order[i] = i
		keys = append(keys, slices.Clone(e.keyed(k.Addr().UnsafePointer(), key, start)))
	}
	slices.SortFunc(order, func(i, j int) int { return bytes.Compare(keys[i], keys[j]) })
	at := vals.UnsafePointer()
	for j, i := range order {
		e.refused = e.refused || j > 0 && bytes.Equal(keys[i], keys[order[j-1]])
		e.out = append(e.out, keys[i]...)
		elem.dump(e, unsafe.Add(at, uintptr(i)*elem.size))
	}
}

// keyed is the dump of a key; it is good until the next.
func (e *encoder) keyed(at unsafe.Pointer, key *plan, start int) []byte {
	if !key.points {
		key.dump(e, at)
		own := e.out[start:]
		e.out = e.out[:start]
		return own
	}
	own := encoder{seen: map[met]uint64{}, depth: e.depth}
	key.dump(&own, at)
	e.refused = e.refused || own.refused
	return own.out
}
