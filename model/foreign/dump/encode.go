package dump

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// An encoder writes one dump.
type encoder struct {
	out      []byte
	seen     map[met]uint64 // what pointers lead to, by number in the order of the first visits
	numbered []met          // in that order
	regions  []region       // that pointers and slices lead to
	sorted   []int32        // memory for sorting regions
	refused  bool           // something is there that no dump can name
	depth    int

	waits         []*waiting     // maps that are written last
	trying        int            // a trial is made
	choices       []int          // to be made
	chosen, among []int          // that were made, of how many each
	tried, trials int            // choices, and trials
	puts          int            // maps that trials did not look into
	stuck         unsafe.Pointer // the first map of which an entry was chosen
	entries       map[unsafe.Pointer]*entriesOf
	orders        map[unsafe.Pointer][]int // unless nil, of entries, as they are written
}

// met is what a pointer points to. A struct and its first field are two.
type met struct {
	at   unsafe.Pointer
	what reflect.Type
}

// deepest is how many pointers and slices may follow each other. An object that is deeper is a list, and a
// slice that holds itself has no end.
const deepest = 1000

var encoders = sync.Pool{New: func() any { return &encoder{seen: map[met]uint64{}} }}

// encoded gives the dump of an object to use. It is false if the object cannot be dumped.
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

// canonical makes the dump of a value: the only one, or the least of several.
func (e *encoder) canonical(p *plan, at unsafe.Pointer) labelling {
	clear(e.entries)
	e.refused, e.tried, e.trials, e.stuck = false, 0, 0, nil
	e.whole(p, at, nil)
	if len(e.chosen) == 0 {
		return labelling{dump: e.out, orders: e.orders}
	}
	return e.least(p, at, e.labelling(), 0)
}

// whole makes the dump that comes of some choices, and of the first wherever there is one more.
func (e *encoder) whole(p *plan, at unsafe.Pointer, choices []int) {
	clear(e.seen)
	e.out, e.numbered, e.regions, e.waits, e.depth = e.out[:0], e.numbered[:0], e.regions[:0], nil, 0
	e.choices, e.chosen, e.among = choices, e.chosen[:0], e.among[:0]
	if e.orders != nil {
		e.orders = map[unsafe.Pointer][]int{}
	}
	p.dump(e, at)
	e.rest()
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

// first notes a pointer, or says where it was met first.
func (e *encoder) first(at unsafe.Pointer, what reflect.Type) bool {
	key := met{at, what}
	if n, again := e.seen[key]; again {
		e.number(n)
		return false
	}
	e.seen[key] = uint64(len(e.numbered)) + 2
	e.numbered = append(e.numbered, key)
	e.number(1)
	return true
}

// leads notes the memory that a pointer or a slice leads to. In a trial it says where in other memory that
// is, since the dump will say so at its end.
func (e *encoder) leads(to region) {
	if e.trying > 0 && to.size > 0 {
		e.within(to.at)
	}
	e.regions = append(e.regions, to)
}

// within writes the first region that an address lies in.
func (e *encoder) within(at uintptr) {
	for i, r := range e.regions {
		if r.at <= at && at < r.at+r.size {
			e.number(uint64(i))
			e.number(uint64(at - r.at))
			return
		}
	}
}

func (e *encoder) pointer(to unsafe.Pointer, p *plan) {
	switch {
	case to == nil:
		e.number(0)
		return
	case p.size == 0: // all such have one address
		e.number(1)
	case !e.first(to, p.of):
		return
	}
	e.leads(memoryOf(to, 1, p.size))
	if e.deeper() {
		p.dump(e, to)
		e.depth--
	}
}

// deeper goes one pointer or slice further, if that is not too deep.
func (e *encoder) deeper() bool {
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

// function writes which function it is, with no name for nil. What it has captured cannot be seen.
func (e *encoder) function(f *uintptr) {
	if f == nil {
		e.text("")
		return
	}
	e.text(functionName(*f))
}

// inOrder writes the entries of a map in the order of the dumps of its keys, which hold no pointers. It is
// false if two keys are alike, as numbers that are none are.
func (e *encoder) inOrder(v reflect.Value, key, elem *plan, elems reflect.Type) bool {
	n, start := v.Len(), len(e.out)
	vals, k := reflect.MakeSlice(elems, n, n), reflect.New(key.of).Elem()
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
