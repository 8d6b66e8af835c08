package dump

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// An encoder encodes one dump.
type encoder struct {
	out      []byte
	seen     map[target]uint64 // the numbers of targets, in the order of the first visits
	numbered []target          // the targets in that order
	regions  []region          // of pointers and slices
	sorted   []int32           // a buffer for sorting regions
	refused  bool              // the object contains a value without a dump
	depth    int

	delayed       []*waiting     // maps that are encoded last
	trying        int            // a trial dump is being made
	choices       []int          // to be made
	chosen, among []int          // the choices made, and the number of alternatives of each
	tried, trials int            // the numbers of dumps and of trial dumps
	skipped       int            // maps that trial dumps did not visit
	stuck         unsafe.Pointer // the first map with a choice among its entries
	entries       map[unsafe.Pointer]*entriesOf
	orders        map[unsafe.Pointer][]int // unless nil, the order of entries in the dump
}

// A target is the target of a pointer. A struct and its first field are different targets.
type target struct {
	addr unsafe.Pointer
	t    reflect.Type
}

// deepest is the largest number of nested pointers and slices. A deeper object is usually a list, or a slice
// that contains itself.
const deepest = 1000

var encoders = sync.Pool{New: func() any { return &encoder{seen: map[target]uint64{}} }}

// encoded calls use with the dump of an object. It reports false if the object cannot be dumped.
func (d *Dumper) encoded(object any, use func(dump []byte)) bool {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	dump := e.canonical(d.plans.get(anyType, d.omit), unsafe.Pointer(&object)).dump
	if e.refused || e.givenUp() {
		return false
	}
	use(dump)
	return true
}

var anyType = reflect.TypeFor[any]()

// canonical returns the dump of a value: the only dump, or the least of several.
func (e *encoder) canonical(p *plan, at unsafe.Pointer) labelling {
	clear(e.entries)
	e.refused, e.tried, e.trials, e.stuck = false, 0, 0, nil
	e.encode(p, at, nil)
	if len(e.chosen) == 0 {
		return labelling{dump: e.out, orders: e.orders}
	}
	return e.least(p, at, e.labelling(), 0)
}

// encode makes the dump for some choices; further choices are 0.
func (e *encoder) encode(p *plan, at unsafe.Pointer, choices []int) {
	clear(e.seen)
	e.out, e.numbered, e.regions, e.delayed, e.depth = e.out[:0], e.numbered[:0], e.regions[:0], nil, 0
	e.choices, e.chosen, e.among = choices, e.chosen[:0], e.among[:0]
	if e.orders != nil {
		e.orders = map[unsafe.Pointer][]int{}
	}
	p.dump(e, at)
	e.encodeDelayed()
	var shared []overlap
	shared, e.sorted = overlaps(e.regions, e.sorted)
	for _, o := range shared {
		e.number(uint64(o.number))
		e.number(uint64(o.group))
		e.number(uint64(o.offset))
		e.number(uint64(o.size))
	}
}

func (e *encoder) number(n uint64) { e.out = binary.AppendUvarint(e.out, n) }
func (e *encoder) fixed(n uint64)  { e.out = binary.LittleEndian.AppendUint64(e.out, n) }
func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.out = append(e.out, s...)
}

// visit numbers a target, or encodes its number and reports false if it was visited before.
func (e *encoder) visit(at unsafe.Pointer, what reflect.Type) bool {
	key := target{at, what}
	if n, again := e.seen[key]; again {
		e.number(n)
		return false
	}
	e.seen[key] = uint64(len(e.numbered)) + 2
	e.numbered = append(e.numbered, key)
	e.number(1)
	return true
}

// addRegion adds the memory of a pointer or a slice. A trial dump also encodes its position in earlier memory,
// as the end of the dump will.
func (e *encoder) addRegion(to region) {
	if e.trying > 0 && to.size > 0 {
		e.encodeRegion(to.addr)
	}
	e.regions = append(e.regions, to)
}

// encodeRegion encodes the first region that contains an address.
func (e *encoder) encodeRegion(at uintptr) {
	for i, r := range e.regions {
		if r.addr <= at && at < r.addr+r.size {
			e.number(uint64(i))
			e.number(uint64(at - r.addr))
			return
		}
	}
}

func (e *encoder) pointer(to unsafe.Pointer, p *plan) {
	switch {
	case to == nil:
		e.number(0)
		return
	case p.size == 0: // all such targets have one address
		e.number(1)
	case !e.visit(to, p.t):
		return
	}
	e.addRegion(memoryOf(to, 1, p.size))
	if e.descend() {
		p.dump(e, to)
		e.depth--
	}
}

// descend reports whether one more pointer or slice is permitted.
func (e *encoder) descend() bool {
	if e.depth++; e.depth > deepest {
		e.refused = true
	}
	return e.depth <= deepest
}

func (e *encoder) elements(at unsafe.Pointer, n int, elem *plan) {
	if elem.plain {
		e.out = append(e.out, unsafe.Slice((*byte)(at), uintptr(n)*elem.size)...)
		return
	}
	for i := range n {
		elem.dump(e, unsafe.Add(at, uintptr(i)*elem.size))
	}
}

// function encodes the name of a function; "" for nil. Captured variables cannot be seen.
func (e *encoder) function(f *uintptr) {
	if f == nil {
		e.text("")
		return
	}
	e.text(functionName(*f))
}

// sortedEntries encodes the entries of a map in the order of the dumps of its keys. The keys must have no
// pointers. It reports false if two keys are alike, as NaNs are.
func (e *encoder) sortedEntries(v reflect.Value, key, elem *plan, elems reflect.Type) bool {
	n, start := v.Len(), len(e.out)
	vals, k := reflect.MakeSlice(elems, n, n), reflect.New(key.t).Elem()
	keys := make([][]byte, 0, n)
	order := make([]int, n)
	for it, i := v.MapRange(), 0; it.Next(); i++ {
		k.SetIterKey(it)
		vals.Index(i).SetIterValue(it)
		order[i] = i
		key.dump(e, k.Addr().UnsafePointer())
		keys = append(keys, slices.Clone(e.out[start:]))
		e.out = e.out[:start]
	}
	slices.SortFunc(order, func(i, j int) int { return bytes.Compare(keys[i], keys[j]) })
	for j := 1; j < n; j++ {
		if bytes.Equal(keys[order[j]], keys[order[j-1]]) {
			return false
		}
	}
	at := vals.UnsafePointer()
	for _, i := range order {
		e.out = append(e.out, keys[i]...)
		elem.dump(e, unsafe.Add(at, uintptr(i)*elem.size))
	}
	return true
}
