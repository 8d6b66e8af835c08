package picture

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"contend/traces"
)

// check returns an error if the parts of a picture contradict each other or the trace. A file may come from an
// untrusted source.
func (k *stored) check(t *traces.Trace) error {
	steps, nodes := len(t.Steps), len(k.Nodes)
	switch {
	case len(k.Steps) != steps:
		return fmt.Errorf("steps: there are %d, but the trace has %d", len(k.Steps), steps)
	case len(k.After) != steps:
		return fmt.Errorf("after: there are %d, but the trace has %d steps", len(k.After), steps)
	case len(k.First) != nodes:
		return fmt.Errorf("first: there are %d, but there are %d nodes", len(k.First), nodes)
	}
	for i, s := range k.Steps {
		if s.Lane < -1 || s.Lane >= nodes {
			return fmt.Errorf("step %d: lane is %d, but must be -1 to %d", i+1, s.Lane, nodes-1)
		}
	}
	if err := k.checkMarks(steps, nodes); err != nil {
		return err
	}
	for i, n := range k.Notes {
		if n.Step < 0 || n.Step > steps || i > 0 && n.Step < k.Notes[i-1].Step {
			return fmt.Errorf("note %d: step is %d, but must be 0 to %d, in order", i+1, n.Step, steps)
		}
	}
	for _, n := range k.Told {
		if n < 0 || n > steps {
			return fmt.Errorf("told: step is %d, but must be 0 to %d", n, steps)
		}
	}
	for _, c := range k.Claims {
		if c.Step < -1 || c.Step > steps {
			return fmt.Errorf("claim %.60q: step is %d, but must be -1 to %d", c.Name, c.Step, steps)
		}
	}
	return checkControl(reflect.ValueOf(k))
}

// checkMarks checks arrows and bars.
func (k *stored) checkMarks(steps, nodes int) error {
	in := func(i, n int) bool { return 0 <= i && i < n }
	for i, a := range k.Arrows {
		_, known := fates[a.Fate]
		switch {
		case !in(a.From, nodes) || !in(a.To, nodes):
			return fmt.Errorf("arrow %d: from is %d and to %d, but must be 0 to %d", i+1, a.From, a.To, nodes-1)
		case !in(a.Sent, a.End+1) || a.End > steps:
			return fmt.Errorf("arrow %d: sent is %d and end %d, but must be 0 to %d, in order", i+1, a.Sent, a.End, steps)
		case !known:
			return fmt.Errorf("arrow %d: fate is %.40q, which is none", i+1, a.Fate)
		}
	}
	for i, b := range k.Bars {
		_, known := barKinds[b.Kind]
		switch {
		case b.Lane < -1 || b.Lane >= nodes:
			return fmt.Errorf("bar %d: lane is %d, but must be -1 to %d", i+1, b.Lane, nodes-1)
		case !in(b.From, b.To+1) || b.To > steps:
			return fmt.Errorf("bar %d: from is %d and to %d, but must be 0 to %d, in order", i+1, b.From, b.To, steps)
		case !known:
			return fmt.Errorf("bar %d: kind is %.40q, which is none", i+1, b.Kind)
		}
	}
	return nil
}

// checkControl returns an error if a text has a control character, since a terminal may interpret it.
func checkControl(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		return checkControl(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if err := checkControl(v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkControl(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.String:
		if strings.ContainsFunc(v.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			return errors.New("a text has a control character")
		}
	}
	return nil
}
