package foreign

import (
	"fmt"
	"strings"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// shown is what Show says of the object, a line each; nothing before Start, or where Show fails.
func (n *Node[V]) shown() (all []line) {
	c := n.behind.core
	if n.Name == (Name{}) {
		return nil
	}
	o := c.take(n.Name)
	defer c.put(o)
	guard.Call(func() { all = linesOf(c.show(o.value)) })
	return all
}

// linesOf splits a text into lines, and each line at its first colon. A line without one goes by its number.
func linesOf(text string) (all []line) {
	for i, l := range strings.Split(strings.TrimSpace(text), "\n") {
		name, is, labelled := strings.Cut(l, ": ")
		switch {
		case l == "":
			continue
		case !labelled && i == 0:
			name, is = "object", l
		case !labelled:
			name, is = fmt.Sprintf("object, line %d", i+1), l
		}
		all = append(all, line{strings.TrimSpace(name), model.Printable(strings.TrimSpace(is))})
	}
	return all
}

// shownChanges lists the lines that differ.
func shownChanges(before, after []line) (all []value.Change) {
	for _, d := range differences(before, after) {
		all = append(all, value.Change{Field: d.path, Before: d.a, After: d.b})
	}
	return all
}
