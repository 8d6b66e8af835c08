package value

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/shape"
)

// CheckNode returns an error that names a field of a node or monitor whose state is not plain.
func CheckNode(n any) error {
	t := reflect.TypeOf(n)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("a node or a monitor must be a pointer to a struct, not %v", t)
	}
	if reflect.ValueOf(n).IsNil() {
		return fmt.Errorf("a node or a monitor must be a pointer to a struct, not a nil %v", t)
	}
	if err := checkPlain(t.Elem(), t.Elem().String(), true, nil); err != nil {
		return err
	}
	return checkWatched(reflect.ValueOf(n).Elem())
}

// A level is a type as a node, or as a plain value within one.
type level struct {
	t    reflect.Type
	node bool
}

// checkPlain checks a type. Unexported fields are permitted only in nodes and in nodes within nodes.
func checkPlain(t reflect.Type, path string, node bool, seen []level) error {
	if slices.Contains(seen, level{t, node}) {
		return nil
	}
	seen = append(seen, level{t, node})
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return fmt.Errorf("%s is an interface with methods (%s): state may hold any, with its types listed", path, t)
		}
		return nil
	case reflect.Slice, reflect.Array:
		return checkPlain(t.Elem(), path+"[]", false, seen)
	case reflect.Map:
		if err := checkPlain(t.Key(), path+" key", false, seen); err != nil {
			return err
		}
		return checkPlain(t.Elem(), path+"[]", false, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if err := checkTag(f, path, node && shape.IsNode(t)); err != nil {
				return err
			}
			if !f.IsExported() {
				if node {
					continue // configuration
				}
				return fmt.Errorf("%s.%s is unexported: state inside a node must be exported", path, f.Name)
			}
			if node && shape.IsWatched(t, f) {
				continue // checked by checkWatched
			}
			inner := node && shape.IsInner(f)
			if err := checkPlain(f.Type, path+"."+f.Name, inner, seen); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s is a %s (%s): state must be plain values", path, t.Kind(), t)
}

// checkWatched calls CheckNode for the monitors within a monitor.
func checkWatched(v reflect.Value) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !shape.IsWatched(v.Type(), f) {
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

// checkHandlers returns an error if a handler of the node has the wrong signature, or if a script has a type
// that the system does not list.
func (c *Codec) checkHandlers(n model.Node, spec model.NodeSpec) error {
	if err := shape.Misnamed(reflect.TypeOf(n)); err != nil {
		return err
	}
	for i, op := range spec.Script {
		for _, call := range []any{op.Call, op.Release} {
			if t := reflect.TypeOf(call); t != nil && !c.listed(t) {
				return fmt.Errorf("operation %d of its script: %w", i+1, Unlisted{Type: t.String()})
			}
		}
	}
	return nil
}

func (c *Codec) listed(t reflect.Type) bool {
	_, ok := c.index[t]
	return ok
}

// makings is the number of nodes that a New creates before it is assumed to be deterministic. A difference by
// a fair coin is missed once in half a million times.
const makings = 20

// mustRepeat makes nodes or monitors and compares them. The error names a difference.
func (c *Codec) mustRepeat(names describe.Names, made func() any) (err error) {
	var first any
	defer guard.Caught(&err)
	guard.Must("New", func() { first = made() })
	if err := CheckNode(first); err != nil {
		return err
	}
	state, configuration := c.Node(first, nil), purity.Configuration(first)
	for range makings - 1 {
		again, differs := made(), ""
		switch {
		case reflect.TypeOf(again) != reflect.TypeOf(first):
			differs = fmt.Sprintf("type (%T and %T)", first, again)
		case !bytes.Equal(c.Node(again, nil), state):
			differs = describe.Difference(first, again, names)
		case purity.Configuration(again) != configuration:
			differs = "their unexported fields"
		default:
			continue
		}
		return purity.Impure{Text: fmt.Sprintf("New is not deterministic: two of %T that it made differ in %s", first, differs)}
	}
	return nil
}
