// Package dump writes all that an object reaches as a canonical string of bytes, so that two objects
// have equal dumps exactly when they are the same but for where they lie in memory, and as lines for people.
//
// A dump knows no addresses. It numbers what pointers and maps lead to in the order in which it meets them, so that
// cycles and sharing are seen (encode.go); it goes through maps in the order of their keys, and finds an order for keys
// that hold pointers (order.go); it says which memory two slices or pointers have in common (memory.go). What a type
// needs is found out once (plan.go). A dump costs a few microseconds for a struct of two hundred fields, and as many dumps as
// there are choices where keys of maps look alike.
package dump

import (
	"errors"

	"contend/model"
)

// A Dumper dumps the objects of one library. Several goroutines may use it.
type Dumper struct {
	paths      []string // of what is left out
	capacities []string // paths of slices
	omit       *omission
	plans      plans
}

// New returns a Dumper that leaves out the fields with these paths, such as "Node.logger" and "Peers[].conn". The
// capacities of some slices, by their paths, are part of a dump also where no other slice shares the array.
func New(omit []string, capacities ...string) *Dumper {
	return &Dumper{paths: omit, capacities: capacities, omit: newOmission(omit, capacities)}
}

// MustSpell panics with a [model.Refusal] if one of the paths leads to no field of any of the objects, or to no slice if
// its capacity is to count, as far as the types of the fields on it tell.
func (d *Dumper) MustSpell(objects []any) {
	if err := errors.Join(misspelt(d.paths, false, objects...), misspelt(d.capacities, true, objects...)); err != nil {
		model.Refuse("foreign: %v", err)
	}
}

// Dump gives the dump of an object to use, which must not keep it. It panics with a [model.Refusal] if the object holds what no
// dump can have, such as a channel or a running timer.
func (d *Dumper) Dump(object any, use func(dump []byte)) {
	if !d.encoded(object, use) {
		d.mustDump(object) // says why
		model.Refuse("foreign: %T cannot be dumped", object)
	}
}

// Leads reports whether a path leads to a field of an object, as far as types tell.
func Leads(path string, object any) bool { return misspelt([]string{path}, false, object) == nil }
