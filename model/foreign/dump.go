package foreign

import (
	"reflect"
	"runtime"

	"contend/model"
)

// named names what an object reaches by its dump, which has so many bytes.
func (c *core) named(object any) (is Name, bytes int) {
	if !c.encoded(object, func(dump []byte) { is, bytes = nameOf(dump), len(dump) }) {
		c.mustDump(object) // says why
		model.Refuse("foreign: %T cannot be dumped", object)
	}
	return is, bytes
}

// symbol names a func: that of its code, since what it has captured cannot be seen.
func symbol(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	if f := runtime.FuncForPC(v.Pointer()); f != nil {
		return "func " + f.Name()
	}
	return "func"
}

// refuse refuses what no snapshot can name.
func refuse(path string, t reflect.Type) {
	switch {
	case t.Kind() == reflect.Chan:
		model.Refuse("foreign: %s is a channel (%s): what goroutines do by it is out of a search's sight; "+
			"drive the part of the library that works without them, or have Omit leave it out", path, t)
	case t.PkgPath() == "time":
		model.Refuse("foreign: %s is a %s: a search has no clock; give the library a clock that stands still, and alarms of Env.After, "+
			"or have Omit leave it out", path, t)
	}
	model.Refuse("foreign: %s is a %s, which is nothing that can be compared; have Omit leave it out", path, t)
}
