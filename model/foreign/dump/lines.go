package dump

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"contend/model"
)

// A Line of a dump says what one field is.
type Line struct{ Path, Is string }

// Lines writes all that an object reaches, a field a line, for people. With all it leaves nothing
// out. It says the same of two objects exactly when their dumps are equal. Of what no dump can have
// it tells the type.
func (d *Dumper) Lines(object any, all bool) []Line {
	w, omit := d.walk(object, all)
	w.capacities = all
	w.value("", reflect.ValueOf(object), omit)
	w.shared()
	return w.out
}

// Capacity ends the path of the line that has the capacity of a slice.
const Capacity = ".(capacity)"

// mustDump refuses an object that holds what no dump can have, by the paths of all such fields.
func (d *Dumper) mustDump(object any) {
	w, omit := d.walk(object, false)
	w.value("", reflect.ValueOf(object), omit)
	refuse(w.refused)
}

// walk prepares a walk through an object. A dump says in which order it goes through maps whose keys hold
// pointers.
func (d *Dumper) walk(object any, all bool) (*walk, *omission) {
	omit := d.omit
	if all {
		omit = nil
	}
	e := encoder{seen: map[met]uint64{}, orders: map[unsafe.Pointer][]int{}}
	is := e.canonical(d.plans.get(anyType, omit), unsafe.Pointer(&object))
	w := &walk{seen: map[met]string{}, entriesOf: e.entries, orders: is.orders}
	if e.givenUp() {
		w.stuck = e.stuck
	}
	return w, omit
}

type walk struct {
	seen    map[met]string // the path on which it was met first
	out     []Line
	depth   int
	regions []region // that pointers and slices lead to
	paths   []string // and on which paths

	entriesOf map[unsafe.Pointer]*entriesOf // of maps whose keys hold pointers
	orders    map[unsafe.Pointer][]int      // of those entries

	stuck unsafe.Pointer // the first of those maps, if they have no order

	capacities bool // of slices are told

	labels  bool     // it is for the label of a key
	leadsOn bool     // a pointer, a map or an interface was met
	omit    []string // the path, as Omit has it
	refused []refusal
}

// opaque is met where a value stands that no dump can have.
func (w *walk) opaque(path string, t reflect.Type) {
	w.refuse(refusal{path: path, of: t})
	w.line(path, "a "+typeText(t))
}

// refuse notes what no dump can have.
func (w *walk) refuse(r refusal) {
	r.omit = joined(w.omit)
	w.refused = append(w.refused, r)
}

// leads notes the memory that a pointer or a slice leads to.
func (w *walk) leads(path string, to region) {
	w.regions, w.paths = append(w.regions, to), append(w.paths, path)
}

// shared tells which regions overlap.
func (w *walk) shared() {
	all, _ := overlaps(w.regions, nil)
	first := map[int]overlap{}
	for _, o := range all {
		f, known := first[o.group]
		if !known {
			first[o.group] = o
			continue
		}
		w.line(join(w.paths[o.number], "(memory)"), fmt.Sprintf("%d bytes, %d bytes from where the %d of %s begin",
			o.size, int(o.offset)-int(f.offset), f.size, w.paths[f.number]))
	}
}

func (w *walk) line(path, is string) { w.out = append(w.out, Line{path, is}) }

func (w *walk) value(path string, v reflect.Value, omit *omission) {
	if omit.all() || v.IsValid() && (leftOut(v.Type()) || w.special(path, v, omit)) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Interface:
		w.leadsOn = true
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.line(path, "nil")
	case reflect.Pointer, reflect.Map:
		w.pointer(path, v, omit)
	case reflect.Interface:
		if !v.IsNil() {
			w.line(join(path, "(type)"), typeText(v.Elem().Type()))
		}
		w.value(path, v.Elem(), omit)
	case reflect.Struct:
		w.fields(path, v, omit)
	case reflect.Slice, reflect.Array:
		w.elements(path, v, omit)
	case reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			w.line(path, "nil")
		} else {
			w.opaque(path, v.Type())
		}
	default:
		w.line(path, scalar(v))
	}
}

// special writes a value of a type that is more than its fields.
func (w *walk) special(path string, v reflect.Value, omit *omission) bool {
	t := v.Type()
	if to, field := pointee(t); to != nil {
		w.value(path, reflect.NewAt(to, v.Field(field).UnsafePointer()), omit)
		return true
	}
	switch {
	case clocked(t):
		if !v.IsZero() {
			w.opaque(path, t)
		}
	case t == syncMapType:
		at := v.Addr().UnsafePointer()
		if w.first(path, met{at, contentsType}) {
			w.entries(path, reflect.ValueOf(contents(at)), at, omit)
		}
	case t == condType:
		w.under("L", func() { w.value(join(path, "L"), v.FieldByName("L"), omit.under("L")) })
	case t.Kind() == reflect.Pointer && t.Implements(typeType):
		w.line(path, symbolOfType(v))
	default:
		return false
	}
	return true
}

// symbolOfType writes a type that is a value.
func symbolOfType(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	at := v.UnsafePointer()
	is := reflect.NewAt(v.Type(), unsafe.Pointer(&at)).Elem().Interface().(reflect.Type)
	return typeText(is)
}

// pointer follows a pointer, or goes through a map, the first time that it is met.
func (w *walk) pointer(path string, v reflect.Value, omit *omission) {
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	at := v.UnsafePointer()
	switch {
	case v.Kind() == reflect.Map:
		if w.first(path, met{at, v.Type()}) {
			w.entries(path, v, at, omit)
		}
	case v.Type().Elem().Size() == 0: // all such have one address
		w.deeper(path, func() { w.value(path, v.Elem(), omit) })
	case w.first(path, met{at, v.Type().Elem()}):
		w.leads(path, memoryOf(at, 1, v.Type().Elem().Size()))
		before := len(w.out)
		if w.deeper(path, func() { w.value(path, v.Elem(), omit) }); len(w.out) > before {
			w.out[before] = w.out[before].behind(path)
		}
	}
}

// behind is a line of what a pointer with a path leads to: what leads to nil is not nil.
func (l Line) behind(path string) Line {
	if l.Path == path && (l.Is == "nil" || strings.HasPrefix(l.Is, toNil)) {
		l.Is = toNil + l.Is
	}
	return l
}

const toNil = "a pointer to "

// first notes a pointer, or tells where it was met first.
func (w *walk) first(path string, at met) bool {
	if first, again := w.seen[at]; again {
		w.line(path, "the same as "+first)
		return false
	}
	w.seen[at] = path
	return true
}

// under takes a step of a path of Omit.
func (w *walk) under(step string, do func()) {
	w.omit = append(w.omit, step)
	do()
	w.omit = w.omit[:len(w.omit)-1]
}

func (w *walk) fields(path string, v reflect.Value, omit *omission) {
	before := len(w.out)
	for i := range v.NumField() {
		f := v.Type().Field(i).Name
		w.under(f, func() { w.value(join(path, f), v.Field(i), omit.under(f)) })
	}
	if len(w.out) == before {
		w.line(path, "{}")
	}
}

func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

func (w *walk) elements(path string, v reflect.Value, omit *omission) {
	if v.Kind() == reflect.Array {
		w.list(path, v, omit)
		return
	}
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	w.leads(path, memoryOf(v.UnsafePointer(), v.Cap(), v.Type().Elem().Size()))
	if w.capacities || omit.counts() {
		w.line(path+Capacity, strconv.Itoa(v.Cap()))
	}
	w.deeper(path, func() { w.list(path, v, omit) })
}

func (w *walk) list(path string, v reflect.Value, omit *omission) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		w.line(path, bytesOf(v))
		return
	}
	w.line(path+".len", strconv.Itoa(v.Len()))
	omit = omit.under("[]")
	w.under("[]", func() {
		for i := range v.Len() {
			w.value(fmt.Sprintf("%s[%d]", path, i), v.Index(i), omit)
		}
	})
}

// deeper goes one pointer or slice further, as a dump does.
func (w *walk) deeper(path string, do func()) {
	if w.depth++; w.depth > deepest {
		model.Refuse("foreign: %.200s… is nested more than %d deep; have Omit leave out what holds itself", path, deepest)
	}
	do()
	w.depth--
}

func bytesOf(v reflect.Value) string {
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	if utf8.Valid(b) {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%x", b)
}

// A mapEntry is one of a map, with a label for its key.
type mapEntry struct {
	label    string // of its key
	key, val reflect.Value
}

// entries goes through a map in the order of its keys. Keys that hold pointers are told like values.
func (w *walk) entries(path string, v reflect.Value, id unsafe.Pointer, omit *omission) {
	w.line(path+".len", strconv.Itoa(v.Len()))
	if k := v.Type().Key().Kind(); w.labels && k != reflect.String && k > reflect.Complex128 {
		return // its keys would need labels
	}
	known := w.entriesOf[id]
	all := entriesIn(v, known, w.orders[id])
	if id == w.stuck {
		w.refuse(refusal{path: path, of: v.Type(), unordered: true})
	}
	w.under("[]", func() {
		for _, e := range all {
			at, before := path+"["+e.label+"]", len(w.out)
			if known != nil {
				w.key(at, e.key)
			}
			if w.value(at, e.val, omit.under("[]")); len(w.out) == before {
				w.line(at, "left out") // but the key counts
			}
		}
	})
}

// key tells the key of an entry, with all that it leads to. What is left out of an entry's value is not
// left out of its key, so that only the whole map can be.
func (w *walk) key(path string, v reflect.Value) {
	before := len(w.refused)
	w.value(join(path, "(key)"), v, nil)
	for i := range w.refused[before:] {
		w.refused[before+i].omit = joined(w.omit[:len(w.omit)-1])
	}
}

// entriesIn lists the entries of a map, in the order that a dump found if they have none of their own. Of
// labels that are alike all but the first are counted.
func entriesIn(v reflect.Value, known *entriesOf, order []int) (all []mapEntry) {
	if len(order) == v.Len() {
		for _, i := range order {
			all = append(all, mapEntry{Key(known.keys.Index(i)), known.keys.Index(i), known.vals.Index(i)})
		}
	} else {
		for it := v.MapRange(); it.Next(); {
			all = append(all, mapEntry{Key(it.Key()), it.Key(), it.Value()})
		}
		sort.SliceStable(all, func(i, j int) bool { return all[i].label < all[j].label })
	}
	alike := map[string]int{}
	for i := range all {
		label := &all[i].label
		if alike[*label]++; alike[*label] > 1 {
			*label += fmt.Sprintf(" #%d", alike[*label])
		}
	}
	return all
}

// Key labels the key of a map by what is in it; by the first of it if it leads on, since dumps then tell the whole besides.
func Key(v reflect.Value) string {
	own := walk{seen: map[met]string{}, labels: true}
	own.value("", v, nil)
	if len(own.out) == 1 && own.out[0].Path == "" {
		return own.out[0].Is
	}
	var parts []string
	for _, l := range own.out {
		if own.leadsOn && len(parts) == 8 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, l.Path+": "+l.Is)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func scalar(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return strconv.Quote(v.String())
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return fmt.Sprintf("%v (%x)", v.Float(), math.Float64bits(v.Float()))
	case v.CanComplex():
		z := v.Complex()
		return fmt.Sprintf("%v (%x %x)", z, math.Float64bits(real(z)), math.Float64bits(imag(z)))
	}
	return symbol(v)
}

// symbol names a func: that of its code, since what it has captured cannot be seen.
func symbol(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	return "func " + functionName(v.Pointer())
}
