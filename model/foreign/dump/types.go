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

// A dump says which type an interface holds. Within a process a [reflect.Type] is exact, but a name is
// kept in checkpoints, so that a dump needs a text which is the same in every process. The name of a type
// is not enough: an unnamed type, such as a pointer, has no package path, and two types that are declared
// in two functions may both be called T. So the text of a type is its structure, down to the fields, with
// each named type by its import path. Two declared types that agree even in that are told apart by nothing
// that outlasts the process; a library that meets both is refused.

// fullName writes a type with all types that it is made of.
func fullName(t reflect.Type) string {
	s := speller{at: map[reflect.Type]int{}}
	s.spell(t)
	return s.String()
}

type speller struct {
	strings.Builder
	at map[reflect.Type]int // types that were written before
}

func (s *speller) spell(t reflect.Type) {
	if n, again := s.at[t]; again {
		fmt.Fprintf(s, "#%d", n)
		return
	}
	s.at[t] = len(s.at)
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

// Hash is the first 64 bits of the SHA-256 of a text.
func Hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// typeHashes are the hashes of the full names of types, by type.
var typeHashes sync.Map

// typeHash is what stands for a type in a dump. It refuses a type that cannot be told from another that
// the library holds.
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

// typeOfText are types by their texts for people.
var typeOfText sync.Map

// typeText writes a type for people: in short if no other type that was written so has that text.
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

// functions are the names of functions, by the address of their code.
var functions sync.Map

// functionName names a function by its code. The instances of a generic function have one name: they are
// told apart by where their code lies, which is the same in every process of a program.
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
