package shape

import (
	"reflect"

	"contend/model"
)

// A monitor may be made of others, as that of an implication is of those of its two sides: a
// field of the type [model.Monitor] is a monitor within a monitor. Which type of monitor it holds
// is configuration, which no run changes, and so are the unexported fields of that one; the
// exported ones are state.

var monitorType = reflect.TypeFor[model.Monitor]()

// IsMonitor reports whether a type is that of a monitor within a monitor.
func IsMonitor(t reflect.Type) bool { return t == monitorType }

// IsWatched reports whether a field of a struct is a monitor within a monitor.
func IsWatched(of reflect.Type, f reflect.StructField) bool {
	return f.IsExported() && IsMonitor(f.Type) && reflect.PointerTo(of).Implements(monitorType)
}

// Watched is the struct of a monitor that an interface holds.
func Watched(v reflect.Value) reflect.Value { return v.Elem().Elem() }
