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

// A Line is the text of one field in a dump.
type Line struct{ Path, Is string }

// Lines formats everything that an object reaches, one field a line. With all it omits nothing. The lines of
// two objects are equal exactly if their dumps are. A value without a dump is formatted as its type.
func (d *Dumper) Lines(object any, all bool) []Line {
	w, omit := d.walk(object, all)
	w.capacities = all
	w.value("", reflect.ValueOf(object), omit)
	w.writeOverlaps()
	return w.out
}

// Capacity is the suffix of the path of a line with the capacity of a slice.
const Capacity = ".(capacity)"

// mustDump refuses an object with values that have no dump, and names all of them.
func (d *Dumper) mustDump(object any) {
	w, omit := d.walk(object, false)
	w.value("", reflect.ValueOf(object), omit)
	refuse(w.refused)
}

// walk prepares a walk through an object. A dump determines the order of maps whose keys have pointers.
func (d *Dumper) walk(object any, all bool) (*walk, *omission) {
	omit := d.omit
	if all {
		omit = nil
	}
	e := encoder{seen: map[target]uint64{}, orders: map[unsafe.Pointer][]int{}}
	labels := e.canonical(d.plans.get(anyType, omit), unsafe.Pointer(&object))
	w := &walk{seen: map[target]string{}, entriesOf: e.entries, orders: labels.orders}
	if e.givenUp() {
		w.stuck = e.stuck
	}
	return w, omit
}

type walk struct {
	seen    map[target]string // the path of the first visit
	out     []Line
	depth   int
	regions []region // of pointers and slices
	paths   []string // the paths of the regions

	entriesOf map[unsafe.Pointer]*entriesOf // of maps whose keys have pointers
	orders    map[unsafe.Pointer][]int      // of the entries

	stuck unsafe.Pointer // the first of those maps, if no order was found

	capacities bool // format capacities of slices

	labels  bool     // the walk is for the label of a key
	leadsOn bool     // a pointer, a map or an interface was visited
	omit    []string // the path in the form of Omit
	refused []refusal
}

// opaque records a value that has no dump.
func (w *walk) opaque(path string, t reflect.Type) {
	w.refuse(refusal{path: path, t: t})
	w.line(path, "a "+typeText(t))
}

// refuse records a refusal.
func (w *walk) refuse(r refusal) {
	r.omit = joined(w.omit)
	w.refused = append(w.refused, r)
}

// addRegion adds the memory of a pointer or a slice.
func (w *walk) addRegion(path string, to region) {
	w.regions, w.paths = append(w.regions, to), append(w.paths, path)
}

// writeOverlaps writes a line for each region that overlaps another.
func (w *walk) writeOverlaps() {
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

func (w *walk) line(path, text string) { w.out = append(w.out, Line{path, text}) }

func (w *walk) value(path string, v reflect.Value, omit *omission) {
	if omit.omitted() || v.IsValid() && (omitted(v.Type()) || w.special(path, v, omit)) {
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

// special writes a value of a type with its own format. It reports false for other types.
func (w *walk) special(path string, v reflect.Value, omit *omission) bool {
	t := v.Type()
	if to, field := pointee(t); to != nil {
		w.value(path, reflect.NewAt(to, v.Field(field).UnsafePointer()), omit)
		return true
	}
	switch {
	case external(t):
		if !v.IsZero() {
			w.opaque(path, t)
		}
	case t == syncMapType:
		at := v.Addr().UnsafePointer()
		if w.visit(path, target{at, contentsType}) {
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

// symbolOfType returns the text of a value that is a type.
func symbolOfType(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	at := v.UnsafePointer()
	t := reflect.NewAt(v.Type(), unsafe.Pointer(&at)).Elem().Interface().(reflect.Type)
	return typeText(t)
}

// pointer follows a pointer, or visits a map, if it is the first visit.
func (w *walk) pointer(path string, v reflect.Value, omit *omission) {
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	at := v.UnsafePointer()
	switch {
	case v.Kind() == reflect.Map:
		if w.visit(path, target{at, v.Type()}) {
			w.entries(path, v, at, omit)
		}
	case v.Type().Elem().Size() == 0: // all such targets have one address
		w.descend(path, func() { w.value(path, v.Elem(), omit) })
	case w.visit(path, target{at, v.Type().Elem()}):
		w.addRegion(path, memoryOf(at, 1, v.Type().Elem().Size()))
		before := len(w.out)
		if w.descend(path, func() { w.value(path, v.Elem(), omit) }); len(w.out) > before {
			w.out[before] = w.out[before].target(path)
		}
	}
}

// target returns the line of a pointer's target. A pointer to nil is distinguished from nil.
func (l Line) target(path string) Line {
	if l.Path == path && (l.Is == "nil" || strings.HasPrefix(l.Is, toNil)) {
		l.Is = toNil + l.Is
	}
	return l
}

const toNil = "a pointer to "

// visit records the path of a target, or writes the earlier path and reports false.
func (w *walk) visit(path string, at target) bool {
	if first, again := w.seen[at]; again {
		w.line(path, "the same as "+first)
		return false
	}
	w.seen[at] = path
	return true
}

// under calls do within a step of the path.
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
	w.addRegion(path, memoryOf(v.UnsafePointer(), v.Cap(), v.Type().Elem().Size()))
	if w.capacities || omit.counts() {
		w.line(path+Capacity, strconv.Itoa(v.Cap()))
	}
	w.descend(path, func() { w.list(path, v, omit) })
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

// descend calls do within one more pointer or slice.
func (w *walk) descend(path string, do func()) {
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

// A mapEntry is an entry of a map, with a label for its key.
type mapEntry struct {
	label    string // of its key
	key, val reflect.Value
}

// entries visits a map in the order of its keys. Keys with pointers are formatted like values.
func (w *walk) entries(path string, v reflect.Value, id unsafe.Pointer, omit *omission) {
	w.line(path+".len", strconv.Itoa(v.Len()))
	if k := v.Type().Key().Kind(); w.labels && k != reflect.String && k > reflect.Complex128 {
		return // its keys would need labels in turn
	}
	known := w.entriesOf[id]
	all := entriesIn(v, known, w.orders[id])
	if id == w.stuck {
		w.refuse(refusal{path: path, t: v.Type(), unordered: true})
	}
	w.under("[]", func() {
		for _, e := range all {
			at, before := path+"["+e.label+"]", len(w.out)
			if known != nil {
				w.key(at, e.key)
			}
			if w.value(at, e.val, omit.under("[]")); len(w.out) == before {
				w.line(at, "left out") // the key is part of the dump
			}
		}
	})
}

// key formats the key of an entry with everything that it reaches. Omit does not apply to keys, so only the
// whole map can be omitted.
func (w *walk) key(path string, v reflect.Value) {
	before := len(w.refused)
	w.value(join(path, "(key)"), v, nil)
	for i := range w.refused[before:] {
		w.refused[before+i].omit = joined(w.omit[:len(w.omit)-1])
	}
}

// entriesIn returns the entries of a map, in the order of the dump if the keys have no order of their own.
// Equal labels get a number.
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

// Key returns the label of a map key: its content, or the first part of it if it has pointers, since dumps then
// contain the key in full.
func Key(v reflect.Value) string {
	own := walk{seen: map[target]string{}, labels: true}
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

// symbol returns the name of a function. Captured variables cannot be seen.
func symbol(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	return "func " + functionName(v.Pointer())
}
