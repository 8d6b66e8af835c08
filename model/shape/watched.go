package shape

import (
	"reflect"

	"contend/model"
)

// A field of type [model.Monitor] is a monitor within a monitor, as in an implication. Its dynamic type is
// configuration, and so are the unexported fields of this type. The exported fields are state.

var monitorType = reflect.TypeFor[model.Monitor]()

// IsMonitor reports whether a type is the type of a monitor within a monitor.
func IsMonitor(t reflect.Type) bool { return t == monitorType }

// IsWatched reports whether a field of a struct is a monitor within a monitor.
func IsWatched(owner reflect.Type, f reflect.StructField) bool {
	return f.IsExported() && IsMonitor(f.Type) && reflect.PointerTo(owner).Implements(monitorType)
}

// Watched returns the struct of a monitor in an interface.
func Watched(v reflect.Value) reflect.Value { return v.Elem().Elem() }
