package dump

import (
	"fmt"
	"reflect"
	"strings"
)

// An omission is a tree of the fields that snapshots leave out. A nil one leaves out nothing.
type omission struct {
	below map[string]*omission
	here  bool // this, and all below
}

func newOmission(paths []string) *omission {
	top := &omission{}
	for _, p := range paths {
		at := top
		for _, step := range steps(p) {
			if at.below == nil {
				at.below = map[string]*omission{}
			}
			if at.below[step] == nil {
				at.below[step] = &omission{}
			}
			at = at.below[step]
		}
		at.here = true
	}
	return top
}

// steps splits a path: "Peers[].conn" is Peers, [], conn.
func steps(path string) []string {
	return strings.Split(strings.ReplaceAll(path, "[]", ".[]"), ".")
}

// misspelt finds a path that leads to no field, as far as the types of the fields on it say.
func misspelt(paths []string, of ...any) error {
	for _, p := range paths {
		var err error
		for _, object := range of {
			if err = leads(reflect.TypeOf(object), steps(p)); err == nil {
				break
			}
		}
		if err != nil {
			return fmt.Errorf("the path %q of Omit leads nowhere: %w", p, err)
		}
	}
	return nil
}

// leads says where a path ends that leads to no field. Beyond an interface anything may be.
func leads(t reflect.Type, path []string) error {
	for _, step := range path {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		many := t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map
		switch {
		case t.Kind() == reflect.Interface:
			return nil
		case step == "[]" && many:
			t = t.Elem()
			continue
		case t.Kind() != reflect.Struct:
			return fmt.Errorf("%v has no %s", t, step)
		}
		f, has := direct(t, step)
		if !has {
			return fmt.Errorf("%v has no field %s", t, step)
		}
		t = f.Type
	}
	return nil
}

// direct is a field of a struct itself, not of one that is embedded.
func direct(t reflect.Type, name string) (f reflect.StructField, has bool) {
	f, has = t.FieldByName(name)
	return f, has && len(f.Index) == 1
}

func (o *omission) all() bool { return o != nil && o.here }

func (o *omission) under(step string) *omission {
	if o == nil {
		return nil
	}
	return o.below[step]
}
