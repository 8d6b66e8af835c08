package dump

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"contend/model"
)

// A dump has the type of each value in an interface. Within a process a [reflect.Type] is exact, but
// checkpoints store names, so a text that is equal in all processes is needed. The name of a type is not
// sufficient. An unnamed type has no package path, and types declared in different functions may have one name.
// So the text has the structure of the type down to its fields, with the import path of each named type. Two
// declared types with the same text cannot be distinguished, and a library with both is refused.

// fullName returns the text of a type with all types that it contains.
func fullName(t reflect.Type) string {
	s := speller{index: map[reflect.Type]int{}}
	s.spell(t)
	return s.String()
}

type speller struct {
	strings.Builder
	index map[reflect.Type]int // types that were written before
}

func (s *speller) spell(t reflect.Type) {
	if n, again := s.index[t]; again {
		fmt.Fprintf(s, "#%d", n)
		return
	}
	s.index[t] = len(s.index)
	fmt.Fprintf(s, "%q.%s=", t.PkgPath(), t.Name())
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		fmt.Fprintf(s, "%v ", t.Kind())
		s.spell(t.Elem())
	case reflect.Array:
		fmt.Fprintf(s, "[%d]", t.Len())
		s.spell(t.Elem())
	case reflect.Chan:
		fmt.Fprintf(s, "%v ", t.ChanDir())
		s.spell(t.Elem())
	case reflect.Map:
		s.WriteString("map ")
		s.spell(t.Key())
		s.spell(t.Elem())
	case reflect.Struct:
		s.fields(t)
	case reflect.Interface:
		s.methods(t)
	case reflect.Func:
		s.signature(t)
	default:
		s.WriteString(t.Kind().String())
	}
	s.WriteByte(';')
}

func (s *speller) fields(t reflect.Type) {
	s.WriteString("struct ")
	for i := range t.NumField() {
		f := t.Field(i)
		fmt.Fprintf(s, "%q.%s %v %q ", f.PkgPath, f.Name, f.Anonymous, f.Tag)
		s.spell(f.Type)
	}
}

func (s *speller) methods(t reflect.Type) {
	s.WriteString("interface ")
	for i := range t.NumMethod() {
		m := t.Method(i)
		fmt.Fprintf(s, "%q.%s ", m.PkgPath, m.Name)
		s.spell(m.Type)
	}
}

func (s *speller) signature(t reflect.Type) {
	fmt.Fprintf(s, "func %v(", t.IsVariadic())
	for i := range t.NumIn() {
		s.spell(t.In(i))
	}
	s.WriteByte(')')
	for i := range t.NumOut() {
		s.spell(t.Out(i))
	}
}

// Hash returns the first 64 bits of the SHA-256 of a text.
func Hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// typeHashes has the hashes of the full names of types, by type.
var typeHashes sync.Map

// typeHash returns the encoding of a type in a dump. It refuses a type whose text equals the text of another
// type of the library.
func (ps *plans) typeHash(t reflect.Type) uint64 {
	h, known := typeHashes.Load(t)
	if !known {
		h, _ = typeHashes.LoadOrStore(t, Hash(fullName(t)))
	}
	if other, _ := ps.types.LoadOrStore(h, t); other != t {
		model.Refuse("foreign: an object holds values of two types that are both called %v, of package %s, and have the same fields, "+
			"so that a dump cannot tell them apart; give one of them another name", t, packageOf(t))
	}
	return h.(uint64)
}

func packageOf(t reflect.Type) string {
	for t.PkgPath() == "" {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Chan:
			t = t.Elem()
		default:
			return "?"
		}
	}
	return t.PkgPath()
}

// typeOfText has types by their texts for people.
var typeOfText sync.Map

// typeText returns the text of a type for people. It is short unless another type has the same short text.
func typeText(t reflect.Type) string {
	text := t.String()
	for n := 1; ; n++ {
		other, _ := typeOfText.LoadOrStore(text, t)
		if other == t {
			break
		}
		if text = fmt.Sprintf("%v of %s", t, packageOf(t)); n > 1 {
			text = fmt.Sprintf("%s (%d)", text, n)
		}
	}
	return text
}

// functions has the names of functions, by the address of their code.
var functions sync.Map

// functionName returns the name of a function. Instances of a generic function share a name, so their relative
// address is added. It is equal in every process of a program.
func functionName(code uintptr) string {
	if name, known := functions.Load(code); known {
		return name.(string)
	}
	name := runtime.FuncForPC(code).Name()
	if strings.Contains(name, "[...]") {
		name += fmt.Sprintf(" at %+d", int64(code)-int64(reflect.ValueOf(functionName).Pointer()))
	}
	functions.Store(code, name)
	return name
}
