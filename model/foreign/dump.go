package foreign

import (
	"reflect"
	"runtime"
	"strings"

	"contend/model"
)

// dump is a snapshot of all that an object reaches.
func (c *core) dump(object any) []byte {
	var b strings.Builder
	for _, l := range c.lines(object, false) {
		b.WriteString(l.path)
		b.WriteByte('=')
		b.WriteString(l.is)
		b.WriteByte('\n')
	}
	return []byte(b.String())
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

// leaveOut reports whether a type is left out of every snapshot, since what it holds is told to
// nobody who computes with it: loggers, and pools of memory.
func leaveOut(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() + "." + t.Name() {
	case "log.Logger", "log/slog.Logger", "sync.Pool":
		return true
	}
	return false
}

// refused reports whether a type is refused unless it is zero.
func refused(t reflect.Type) bool {
	switch t.PkgPath() + "." + t.Name() {
	case "time.Time", "time.Timer", "time.Ticker", "os.File":
		return true
	}
	return false
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
