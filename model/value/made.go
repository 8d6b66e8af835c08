package value

import (
	"bytes"
	"fmt"
	"reflect"

	"contend/model"
	"contend/model/guard"
)

// makings is how many nodes a New makes before it may pass for one that always makes the same:
// what it would draw by a fair coin goes unseen once in half a million times.
const makings = 20

// mustRepeat makes nodes or monitors and compares them. The error says how two of them differ.
func (c *Codec) mustRepeat(names Names, made func() any) (err error) {
	var first any
	defer Caught(&err)
	guard.Must("New", func() { first = made() })
	if err := CheckNode(first); err != nil {
		return err
	}
	state, configuration := c.Node(first, nil), Configuration(first)
	for range makings - 1 {
		again, differs := made(), ""
		switch {
		case reflect.TypeOf(again) != reflect.TypeOf(first):
			differs = fmt.Sprintf("type (%T and %T)", first, again)
		case !bytes.Equal(c.Node(again, nil), state):
			differs = Difference(first, again, names)
		case Configuration(again) != configuration:
			differs = "their unexported fields"
		default:
			continue
		}
		return Impure{fmt.Sprintf("New is not deterministic: two of %T that it made differ in %s", first, differs)}
	}
	return nil
}

// Difference says in a few words where two nodes of one type differ.
func Difference(a, b model.Node, names Names) string {
	if d := Diff(a, b, names); len(d) > 0 {
		return fmt.Sprintf("field %s (%s and %s)", d[0].Field, d[0].Before, d[0].After)
	}
	return "their state"
}
