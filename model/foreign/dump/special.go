package dump

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Some types of the standard library, and of protobuf, are more than their fields.

// leftOut reports whether no snapshot has values of a type, since nobody who computes is told
// what they hold: loggers, pools of memory, and what protobuf knows of a message's type.
func leftOut(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return slices.Contains([]string{"log.Logger", "log/slog.Logger", "sync.Pool",
		"google.golang.org/protobuf/internal/impl.MessageState"}, t.PkgPath()+"."+t.Name())
}

// clocked reports whether a type is refused unless it is zero: it is of the world outside.
func clocked(t reflect.Type) bool {
	return slices.Contains([]string{"time.Time", "time.Timer", "time.Ticker", "os.File", "weak.Pointer"}, t.PkgPath()+"."+bare(t))
}

// bare is the name of a type without its arguments.
func bare(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// pointee returns what an atomic.Pointer points to, and where in it the pointer is; nil for any
// other type.
func pointee(t reflect.Type) (to reflect.Type, field int) {
	if t.PkgPath() == "sync/atomic" && bare(t) == "Pointer" {
		v, _ := t.FieldByName("v")
		to, field = t.Field(0).Type.Elem().Elem(), v.Index[0]
	}
	return to, field
}

var (
	syncMapType  = reflect.TypeFor[sync.Map]()
	contentsType = reflect.TypeFor[map[any]any]() // what it is met as: a pointer to it is met before
	condType     = reflect.TypeFor[sync.Cond]()
	typeType     = reflect.TypeFor[reflect.Type]()
)

// contents is a sync.Map as an ordinary map.
func contents(at unsafe.Pointer) map[any]any {
	all := map[any]any{}
	(*sync.Map)(at).Range(func(k, v any) bool {
		all[k] = v
		return true
	})
	return all
}

// special says how a type is dumped that is more than its fields; nil for all others.
func (m *maker) special(t reflect.Type, omit *omission) func(*encoder, unsafe.Pointer) {
	if to, field := pointee(t); to != nil {
		at, p := t.Field(field).Offset, m.pointer(reflect.PointerTo(to), omit)
		return func(e *encoder, is unsafe.Pointer) { p(e, unsafe.Add(is, at)) }
	}
	switch {
	case clocked(t):
		return zeroOnly(t.Size())
	case t == syncMapType:
		p := m.contents(reflect.TypeFor[map[any]any](), omit)
		return func(e *encoder, at unsafe.Pointer) {
			if e.first(at, contentsType) {
				p(e, reflect.ValueOf(contents(at)), at)
			}
		}
	case t == condType: // the rest is who waits, and the address of its own
		lock, _ := t.FieldByName("L")
		p := m.plan(lock.Type, omit.under("L"))
		return func(e *encoder, at unsafe.Pointer) { p.dump(e, unsafe.Add(at, lock.Offset)) }
	case t.Kind() == reflect.Pointer && t.Implements(typeType): // a type is its name
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
