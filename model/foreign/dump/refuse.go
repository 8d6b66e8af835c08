package dump

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"contend/model"
)

// A refusal is a field without a dump.
type refusal struct {
	path, omit string // omit is the path in the form of Omit
	t          reflect.Type
	unordered  bool // it is a map for which no order was found
}

// refuse panics with a [model.Refusal] that names all refused fields, if there are any.
func refuse(all []refusal) {
	var reasons, omit []string
	for _, r := range all {
		if !slices.Contains(omit, strconv.Quote(r.omit)) {
			reasons, omit = append(reasons, r.because()), append(omit, strconv.Quote(r.omit))
		}
	}
	switch len(reasons) {
	case 0:
	case 1:
		model.Refuse("foreign: %s, or have Omit leave it out: Omit: []string{%s}", reasons[0], omit[0])
	default:
		model.Refuse("foreign: no dump can hold %d fields of the object:\n%s;\nor have Omit leave them out: Omit: []string{%s}",
			len(reasons), strings.Join(reasons, ";\n"), strings.Join(omit, ", "))
	}
}

// because returns the reason that a field has no dump, with a remedy.
func (r refusal) because() string {
	t := typeText(r.t)
	switch {
	case r.unordered:
		return fmt.Sprintf("%s is a map (%s) with so many keys that look alike that no order of them is found; name the state by a Snapshot", r.path, t)
	case r.t.Kind() == reflect.Chan:
		return fmt.Sprintf("%s is a channel (%s): a search cannot control the goroutines that use it; "+
			"drive the part of the library that works without them", r.path, t)
	case r.t.PkgPath() == "time":
		return fmt.Sprintf("%s is a %s: a search has no clock; give the library a clock that stands still, and alarms of Env.After", r.path, t)
	}
	return fmt.Sprintf("%s is a %s, which is nothing that can be compared; give the library another", r.path, t)
}
