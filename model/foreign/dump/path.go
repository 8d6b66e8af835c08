package dump

import (
	"fmt"
	"reflect"
	"strings"
)

// An omission is a tree of the omitted fields, and of the slices whose capacity counts. Nil omits no field.
type omission struct {
	below    map[string]*omission
	here     bool // this field and all below are omitted
	capacity bool // the capacity of this slice counts
}

func newOmission(omit, capacities []string) *omission {
	top := &omission{}
	for _, p := range omit {
		top.addPath(p).here = true
	}
	for _, p := range capacities {
		top.addPath(p).capacity = true
	}
	return top
}

// addPath returns the node of a path, and adds it if necessary.
func (o *omission) addPath(path string) *omission {
	for _, step := range steps(path) {
		if o.below == nil {
			o.below = map[string]*omission{}
		}
		if o.below[step] == nil {
			o.below[step] = &omission{}
		}
		o = o.below[step]
	}
	return o
}

// steps splits a path: "Peers[].conn" into Peers, [], conn.
func steps(path string) []string {
	return strings.Split(strings.ReplaceAll(path, "[]", ".[]"), ".")
}

// joined returns the path of some steps.
func joined(steps []string) string { return strings.ReplaceAll(strings.Join(steps, "."), ".[]", "[]") }

// misspelt returns an error that names a path that is not valid for any of the objects. If slices is set, the
// path must also lead to a slice.
func misspelt(paths []string, slices bool, objects ...any) error {
	option := "Omit"
	if slices {
		option = "Capacities"
	}
	for _, p := range paths {
		var err error
		for _, object := range objects {
			var to reflect.Type
			to, err = leads(reflect.TypeOf(object), steps(p))
			if slices && to != nil && to.Kind() != reflect.Slice {
				err = fmt.Errorf("%v is no slice", to)
			}
			if err == nil {
				break
			}
		}
		if err != nil {
			return fmt.Errorf("the path %q of %s leads nowhere: %w", p, option, err)
		}
	}
	return nil
}

// leads returns the type of the field at a path, without pointers. The type is nil after an interface, whose
// content is unknown. The error names the step that fails.
func leads(t reflect.Type, path []string) (reflect.Type, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Interface {
		return nil, nil
	}
	if len(path) == 0 {
		return t, nil
	}
	step := path[0]
	switch many := t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map; {
	case step == "[]" && many:
		return leads(t.Elem(), path[1:])
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("%v has no %s", t, step)
	}
	f, ok := direct(t, step)
	if !ok {
		return nil, fmt.Errorf("%v has no field %s", t, step)
	}
	return leads(f.Type, path[1:])
}

// direct returns a field of the struct itself, not of an embedded one.
func direct(t reflect.Type, name string) (f reflect.StructField, has bool) {
	f, has = t.FieldByName(name)
	return f, has && len(f.Index) == 1
}

func (o *omission) omitted() bool { return o != nil && o.here }

func (o *omission) counts() bool { return o != nil && o.capacity }

func (o *omission) under(step string) *omission {
	if o == nil {
		return nil
	}
	return o.below[step]
}
