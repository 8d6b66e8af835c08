// Package diff compares the dumps of objects.
package diff

import (
	"fmt"
	"strings"

	"contend/model/foreign/dump"
)

// gone is the text of a field that does not exist.
const gone = "none"

// A Difference is a field that differs between two dumps, with its text in each.
type Difference struct{ Path, A, B string }

func (d Difference) String() string { return fmt.Sprintf("%s (%s and %s)", d.Path, d.A, d.B) }

// Between returns the fields in which two dumps differ, in the order of the first.
func Between(a, b []dump.Line) (all []Difference) {
	texts := map[string]string{}
	for _, l := range b {
		texts[l.Path] = l.Is
	}
	for _, l := range a {
		other, ok := texts[l.Path]
		if !ok {
			other = gone
		}
		if other != l.Is {
			all = append(all, Difference{l.Path, l.Is, other})
		}
		delete(texts, l.Path)
	}
	for _, l := range b {
		if texts, ok := texts[l.Path]; ok {
			all = append(all, Difference{l.Path, gone, texts})
		}
	}
	return all
}

// List formats differences, at most five of them.
func List(d []Difference) string {
	var all []string
	for i, one := range d {
		if i == 5 {
			all = append(all, fmt.Sprintf("%d more", len(d)-i))
			break
		}
		all = append(all, one.String())
	}
	return strings.Join(all, ", ")
}
