package conform

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
)

// A Difference is a difference between an answer and a step of the page.
type Difference struct {
	// Reason is a sentence on the difference. Field is the name of the field that differs, or "".
	Reason, Field string
	// Page has what the step of the page shows, as text.
	Page []string
	// Agree is the number of things that agree. Of several steps of the page, the nearest has the most.
	Agree int
}

// Compare compares an answer with a step of the page. It returns nil if they agree, with the ids of the sent messages
// by the page's message. May reports the messages that the implementation need not send; the node is the page's node
// after the step, or nil if it is down.
//
// Sent messages are compared in any order: each has to stand for another one of the page, which is a matching of a
// bipartite graph. The matching grows along augmenting paths, so that it is found whenever there is one. In FIFO
// channels the messages to a node are in order, unless some need not be sent.
func (v *Vocabulary) Compare(a *Answer, page Shown, node model.Node, may func(m any) bool) (ids []any, d *Difference) {
	d = &Difference{Page: v.texts(page)}
	e := &a.entry
	defer func() {
		if d != nil && d.Field == whole {
			d.Field = ""
		}
	}()
	match := matching(e.sends, page.Sends, v.inOrder(page, may))
	used := make([]bool, len(page.Sends))
	for _, at := range match {
		if at >= 0 {
			used[at] = true
			d.Agree++
		}
	}
	var left []owed
	var missing *Sent
	for i, m := range page.Sends {
		if !used[i] {
			left = append(left, owed{m.To, m.Value, may(m.Value)})
			if missing == nil && !may(m.Value) {
				missing = &page.Sends[i]
			}
		}
	}
	for i, at := range match {
		if at < 0 {
			return nil, d.sends(&e.sends[i], left, v)
		}
	}
	if missing != nil {
		d.Reason = "the implementation does not send " + v.message(*missing)
		return nil, d
	}
	ids = make([]any, len(page.Sends))
	for i, at := range match {
		ids[at] = a.ids[i]
	}
	if d.rest(e, page, node, v); d.Reason == "" && a.alarms != nil {
		d.alarms(a.alarms, page.Alarms, v)
	}
	if d.Reason != "" {
		return nil, d
	}
	return ids, nil
}

// sends sets the reason to a sent message that the page does not send.
func (d *Difference) sends(x *sent, left []owed, v *Vocabulary) *Difference {
	if _, at := x.nearest(left); at >= 0 {
		d.Field, d.Reason = x.differs(left[at]), "the page sends "+v.message(Sent{To: left[at].to, Value: left[at].value})
	} else {
		d.Reason = fmt.Sprintf("the page sends no %s here", x.what.typeName())
		if d.Agree > 0 {
			d.Reason = fmt.Sprintf("the page sends no further %s here", x.what.typeName())
		}
	}
	return d
}

// rest sets the reason to the first note, result or field of the state that differs.
func (d *Difference) rest(e *entry, page Shown, node model.Node, v *Vocabulary) {
	if e.notes != nil {
		for i := range max(len(e.notes), len(page.Notes)) {
			switch {
			case i >= len(page.Notes):
				d.Reason = fmt.Sprintf("the page notes no %s here", e.notes[i].typeName())
			case i >= len(e.notes):
				d.Reason = "the implementation does not note " + v.format(page.Notes[i])
			case !e.notes[i].fits(page.Notes[i]):
				d.Field, d.Reason = e.notes[i].differs(page.Notes[i]), "the page notes "+v.format(page.Notes[i])
			default:
				d.Agree++
				continue
			}
			return
		}
	}
	switch {
	case page.Returned && e.result == nil:
		d.Reason = "the implementation does not return " + v.format(page.Result)
	case !page.Returned && e.result != nil:
		d.Reason = "the page returns nothing here"
	case page.Returned && !e.result.fits(page.Result):
		d.Field, d.Reason = e.result.differs(page.Result), "the page returns "+v.format(page.Result)
	}
	if d.Reason != "" || len(e.after.fields) == 0 {
		return
	}
	d.Agree++
	if node == nil {
		d.Reason = "the node is down on the page"
	} else if field, shown, is := e.after.differs(node, v.write.system.Name); field != "" {
		d.Field, d.Reason = field, fmt.Sprintf("after it, %s is %s in the implementation, and %s on the page", field, shown, is)
	}
}

// alarms sets the reason to an alarm that is set on one side only.
func (d *Difference) alarms(shown []pattern, page []any, v *Vocabulary) {
	left := slices.Clone(page)
	for i := range shown {
		at := slices.IndexFunc(left, shown[i].fits)
		if at < 0 {
			d.Reason = fmt.Sprintf("after it, an alarm %s is set in the implementation, and not on the page", shown[i].typeName())
			return
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(left) > 0 {
		d.Reason = fmt.Sprintf("after it, the alarm %s is set on the page, and not in the implementation", v.format(left[0]))
	}
}

func (v *Vocabulary) format(x any) string { return describe.Value(x, v.write.system.Name) }

func (v *Vocabulary) message(m Sent) string {
	return v.format(m.Value) + " to " + v.write.system.Name(m.To)
}

// texts returns what the page shows as text.
func (v *Vocabulary) texts(page Shown) (all []string) {
	for _, m := range page.Sends {
		all = append(all, "send "+v.message(m))
	}
	for _, n := range page.Notes {
		all = append(all, "note "+v.format(n))
	}
	if page.Returned {
		all = append(all, "return "+v.format(page.Result))
	}
	if len(all) == 0 {
		return []string{"nothing is sent, noted or returned"}
	}
	return few(all)
}

// inOrder reports whether the messages to a node are compared in order.
func (v *Vocabulary) inOrder(page Shown, may func(m any) bool) bool {
	return v.write.system.Network.Channel == model.FIFO && !slices.ContainsFunc(page.Sends, func(m Sent) bool { return may(m.Value) })
}

// matching returns for each sent message of an answer the index of the message of the page that it stands for, or -1.
// No two have the same index, and as many as possible have one. In order, the first message to a node stands for the
// first on the page, and so on.
func matching(sends []sent, page []Sent, inOrder bool) []int {
	rank := func(to func(i int) model.NodeID, i int) (n int) {
		for j := range i {
			if to(j) == to(i) {
				n++
			}
		}
		return n
	}
	shownTo, pageTo := func(i int) model.NodeID { return sends[i].to }, func(i int) model.NodeID { return page[i].To }
	match, taken := make([]int, len(sends)), make([]int, len(page))
	for i := range match {
		match[i] = -1
	}
	for i := range taken {
		taken[i] = -1
	}
	var augment func(i int, seen []bool) bool
	augment = func(i int, seen []bool) bool {
		for at, m := range page {
			if seen[at] || !sends[i].fits(owed{to: m.To, value: m.Value}) || inOrder && rank(shownTo, i) != rank(pageTo, at) {
				continue
			}
			seen[at] = true
			if taken[at] < 0 || augment(taken[at], seen) {
				match[i], taken[at] = at, i
				return true
			}
		}
		return false
	}
	for i := range sends {
		augment(i, make([]bool, len(page)))
	}
	return match
}
