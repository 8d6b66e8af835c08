// Package dump encodes everything that an object reaches in canonical bytes, and formats it as lines for
// people. Two objects have equal dumps exactly if they are equal except for addresses.
//
// A dump has no addresses. It numbers the targets of pointers and maps in the order of the first visits, so
// that it shows cycles and sharing (encode.go). It visits maps in the order of their keys, and computes an
// order for keys with pointers (order.go). It records the memory that slices and pointers share (memory.go). A
// plan for each type is computed once (plan.go). A dump of a struct with 200 fields takes a few microseconds.
// If keys of maps are alike, there are as many dumps as choices.
package dump

import (
	"errors"

	"contend/model"
)

// A Dumper dumps the objects of one library. Several goroutines may use it.
type Dumper struct {
	paths      []string // of omitted fields
	capacities []string // paths of slices
	omit       *omission
	plans      plans
}

// New returns a Dumper that omits the fields with the given paths, such as "Node.logger" and "Peers[].conn".
// The capacities of the slices with the other paths are part of a dump even if no other slice shares the array.
func New(omit []string, capacities ...string) *Dumper {
	return &Dumper{paths: omit, capacities: capacities, omit: newOmission(omit, capacities)}
}

// CheckPaths panics with a [model.Refusal] if a path is not valid for any of the objects, as far as types
// determine that. The paths of capacities must be of slices.
func (d *Dumper) CheckPaths(objects []any) {
	if err := errors.Join(misspelt(d.paths, false, objects...), misspelt(d.capacities, true, objects...)); err != nil {
		model.Refuse("foreign: %v", err)
	}
}

// Dump calls use with the dump of an object. use must not store the dump. Dump panics with a [model.Refusal]
// if the object contains a value without a dump, such as a channel or a running timer.
func (d *Dumper) Dump(object any, use func(dump []byte)) {
	if !d.encoded(object, use) {
		d.mustDump(object) // names the fields
		model.Refuse("foreign: %T cannot be dumped", object)
	}
}

// ValidPath reports whether a path leads to a field of an object, as far as types determine it.
func ValidPath(path string, object any) bool { return misspelt([]string{path}, false, object) == nil }
