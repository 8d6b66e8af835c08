package dump

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Some types of the standard library and of protobuf have their own dumps.

// omitted reports whether values of a type are never part of a dump, since they cannot affect results: loggers,
// memory pools, and the type information of protobuf messages.
func omitted(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return slices.Contains([]string{"log.Logger", "log/slog.Logger", "sync.Pool",
		"google.golang.org/protobuf/internal/impl.MessageState"}, t.PkgPath()+"."+t.Name())
}

// external reports whether a type is refused unless zero, since it refers to the outside world.
func external(t reflect.Type) bool {
	return slices.Contains([]string{"time.Time", "time.Timer", "time.Ticker", "os.File", "weak.Pointer"}, t.PkgPath()+"."+bare(t))
}

// bare returns the name of a type without its type arguments.
func bare(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// pointee returns the target type of an atomic.Pointer and the index of its pointer field; nil for other types.
func pointee(t reflect.Type) (to reflect.Type, field int) {
	if t.PkgPath() == "sync/atomic" && bare(t) == "Pointer" {
		v, _ := t.FieldByName("v")
		to, field = t.Field(0).Type.Elem().Elem(), v.Index[0]
	}
	return to, field
}

var (
	syncMapType  = reflect.TypeFor[sync.Map]()
	contentsType = reflect.TypeFor[map[any]any]() // the key of a visit, since the sync.Map itself may have been visited
	condType     = reflect.TypeFor[sync.Cond]()
	typeType     = reflect.TypeFor[reflect.Type]()
)

// contents returns the entries of a sync.Map.
func contents(at unsafe.Pointer) map[any]any {
	all := map[any]any{}
	(*sync.Map)(at).Range(func(k, v any) bool {
		all[k] = v
		return true
	})
	return all
}

// special returns the dump function of a type with its own dump; nil for others.
func (m *maker) special(t reflect.Type, omit *omission) func(*encoder, unsafe.Pointer) {
	if to, field := pointee(t); to != nil {
		at, p := t.Field(field).Offset, m.pointer(reflect.PointerTo(to), omit)
		return func(e *encoder, base unsafe.Pointer) { p(e, unsafe.Add(base, at)) }
	}
	switch {
	case external(t):
		return zeroOnly(t.Size())
	case t == syncMapType:
		p := m.contents(reflect.TypeFor[map[any]any](), omit)
		return func(e *encoder, at unsafe.Pointer) {
			if e.visit(at, contentsType) {
				p(e, reflect.ValueOf(contents(at)), at)
			}
		}
	case t == condType: // the other fields are the waiters, and the address of the Cond
		lock, _ := t.FieldByName("L")
		p := m.plan(lock.Type, omit.under("L"))
		return func(e *encoder, at unsafe.Pointer) { p.dump(e, unsafe.Add(at, lock.Offset)) }
	case t.Kind() == reflect.Pointer && t.Implements(typeType): // a type is dumped as its name
		plans := m.plans
		return func(e *encoder, at unsafe.Pointer) {
			name := uint64(0)
			if v := reflect.NewAt(t, at).Elem(); !v.IsNil() {
				name = plans.typeHash(v.Interface().(reflect.Type))
			}
			e.fixed(name)
		}
	}
	return nil
}
