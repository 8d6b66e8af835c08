package foreign

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"contend/model"
)

// A line of a dump says what one field is.
type line struct{ path, is string }

// lines writes all that an object reaches, a field a line, for people. With all it leaves nothing
// out. It says the same of two objects exactly when their dumps are equal. Of what no dump can have
// it tells the type.
func (c *core) lines(object any, all bool) []line {
	w, omit := walk{seen: map[place]string{}}, c.omit
	if all {
		omit = nil
	}
	w.value("", reflect.ValueOf(object), omit)
	return w.out
}

// mustDump refuses an object that holds what no dump can have, by its path.
func (c *core) mustDump(object any) {
	w := walk{seen: map[place]string{}, refuses: true}
	w.value("", reflect.ValueOf(object), c.omit)
}

// A place is what a pointer points to. A struct and its first field are two places.
type place struct {
	at   uintptr
	what reflect.Type
}

type walk struct {
	seen  map[place]string // the path on which it was met first
	out   []line
	depth int

	refuses bool // what no dump can have
}

// opaque is met where a value stands that no dump can have.
func (w *walk) opaque(path string, t reflect.Type) {
	if w.refuses {
		refuse(path, t)
	}
	w.line(path, "a "+t.String())
}

func (w *walk) line(path, is string) { w.out = append(w.out, line{path, is}) }

func (w *walk) value(path string, v reflect.Value, omit *omission) {
	if w.depth++; w.depth > deepest {
		model.Refuse("foreign: %.200s… is nested more than %d deep; have Omit leave out what holds itself", path, deepest)
	}
	defer func() { w.depth-- }()
	if omit.all() || v.IsValid() && (leftOut(v.Type()) || w.special(path, v, omit)) {
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.line(path, "nil")
	case reflect.Pointer, reflect.Map:
		w.pointer(path, v, omit)
	case reflect.Interface:
		if !v.IsNil() {
			w.line(join(path, "(type)"), v.Elem().Type().String())
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
		w.entries(path, reflect.ValueOf(contents(v.Addr().UnsafePointer())), omit)
	case t == condType:
		w.value(join(path, "L"), v.FieldByName("L"), omit.under("L"))
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
	return reflect.NewAt(v.Type(), unsafe.Pointer(&at)).Elem().Interface().(reflect.Type).String()
}

// pointer follows a pointer, or goes through a map, the first time that it is met.
func (w *walk) pointer(path string, v reflect.Value, omit *omission) {
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	at := place{v.Pointer(), v.Type()}
	if first, met := w.seen[at]; met {
		w.line(path, "the same as "+first)
		return
	}
	if v.Kind() == reflect.Map {
		w.seen[at] = path
		w.entries(path, v, omit)
		return
	}
	if v.Type().Elem().Size() > 0 {
		w.seen[at] = path
	}
	w.value(path, v.Elem(), omit)
}

func (w *walk) fields(path string, v reflect.Value, omit *omission) {
	before := len(w.out)
	for i := range v.NumField() {
		f := v.Type().Field(i).Name
		w.value(join(path, f), v.Field(i), omit.under(f))
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
	switch {
	case v.Kind() == reflect.Slice && v.IsNil():
		w.line(path, "nil")
		return
	case v.Type().Elem().Kind() == reflect.Uint8:
		w.line(path, bytesOf(v))
		return
	}
	w.line(path+".len", strconv.Itoa(v.Len()))
	omit = omit.under("[]")
	for i := range v.Len() {
		w.value(fmt.Sprintf("%s[%d]", path, i), v.Index(i), omit)
	}
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

// entries goes through a map in the order of its keys.
func (w *walk) entries(path string, v reflect.Value, omit *omission) {
	w.line(path+".len", strconv.Itoa(v.Len()))
	omit = omit.under("[]")
	type entry struct {
		key string
		val reflect.Value
	}
	var all []entry
	for it := v.MapRange(); it.Next(); {
		all = append(all, entry{keyOf(it.Key()), it.Value()})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].key < all[j].key })
	for i, e := range all {
		if i > 0 && e.key == all[i-1].key {
			model.Refuse("foreign: %s is a map of which two keys look alike, %s, so that its entries have no order; "+
				"have Omit leave it out, or name the state by a Snapshot", path, e.key)
		}
		w.value(path+"["+e.key+"]", e.val, omit)
	}
}

// keyOf writes the key of a map.
func keyOf(v reflect.Value) string {
	own := walk{seen: map[place]string{}}
	own.value("", v, nil)
	if len(own.out) == 1 && own.out[0].path == "" {
		return own.out[0].is
	}
	text := "{"
	for _, l := range own.out {
		text += l.path + ": " + l.is + ", "
	}
	return text[:len(text)-2] + "}"
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
