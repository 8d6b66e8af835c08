package value

import (
	"fmt"
	"reflect"

	"contend/model"
)

// A monitor may be made of others, as that of an implication is of those of its two sides: a
// field of the type [model.Monitor] is a monitor within a monitor. Which type of monitor it holds
// is configuration, which no run changes, and so are the unexported fields of that one; the
// exported ones are state.

var monitorType = reflect.TypeFor[model.Monitor]()

// isWatched reports whether a field of a struct is a monitor within a monitor.
func isWatched(of reflect.Type, f reflect.StructField) bool {
	return f.IsExported() && f.Type == monitorType && reflect.PointerTo(of).Implements(monitorType)
}

// checkWatched refuses a monitor within a monitor that [CheckNode] would refuse.
func checkWatched(v reflect.Value) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !isWatched(v.Type(), f) {
			continue
		}
		if v.Field(i).IsNil() {
			return fmt.Errorf("%s.%s is nil: a monitor within a monitor must be there", v.Type(), f.Name)
		}
		if err := CheckNode(v.Field(i).Interface()); err != nil {
			return err
		}
	}
	return nil
}

// watched is the struct of a monitor that an interface holds.
func watched(v reflect.Value) reflect.Value { return v.Elem().Elem() }

// freshWatched is a copy of such a monitor, changed before anybody else has it.
func freshWatched(v reflect.Value, change func(reflect.Value)) reflect.Value {
	own := reflect.New(v.Elem().Type().Elem())
	own.Elem().Set(watched(v))
	change(own.Elem())
	return own
}
