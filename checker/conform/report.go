package conform

import (
	"cmp"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// mostInstead is the largest number of alternatives in a report.
const mostInstead = 6

// report goes on from a position at all nodes that can, and returns the first unexplained entry of each node.
func (g *search) report(p *position) (all []Stuck) {
	g.draining, g.mostHidden = true, 0
	p.dirty, p.dead = 1<<len(p.nodes)-1, 0
	for id, a := range p.nodes {
		if a.half {
			p.dead |= 1 << id
		}
	}
	_, _, _ = g.follow(p) // an error is a limit that ended the search before
	for id := range p.nodes {
		if id := model.NodeID(id); g.unfinished(p, id) {
			all = append(all, g.stuck(p, id))
		}
	}
	slices.SortStableFunc(all, func(a, b Stuck) int {
		switch {
		case a.Waits != b.Waits && b.Waits:
			return -1
		case a.Waits != b.Waits:
			return 1
		case a.File == b.File && a.Line > 0 && b.Line > 0:
			return a.Line - b.Line
		}
		return 0
	})
	return all
}

// stuck describes why the next entry of a node is not explained.
func (g *search) stuck(p *position, id model.NodeID) Stuck {
	a, e := &p.nodes[id], g.next(p, id)
	s := Stuck{Node: g.system.Name(id), Entry: "the end of the log", half: a.half}
	entries := g.book.entries[id].list
	switch {
	case e != nil:
		s.File, s.Line, s.Entry = g.book.files[e.file], e.line, e.text
	case len(entries) > 0:
		s.File = g.book.files[entries[len(entries)-1].file]
	}
	switch {
	case p.world.Failed() && p.dead&(1<<id) != 0:
		s.Reason = "a handler of the page fails here: " + p.world.Violations[len(p.world.Violations)-1].Text
	case a.half && a.wrong != "":
		s.Reason = a.wrong
	case e != nil && (a.half || e.silent() || e.continues && a.owes()):
		g.differing(&s, p, id, e)
	case a.owes() && !g.forgives(p, id):
		s.Reason, s.Instead = "before that, the page has something else to show", g.owing(a)
	case e != nil:
		g.missing(&s, p, id, e)
	}
	return s
}

// value formats a value of the page.
func (g *search) value(v any) string { return describe.Value(v, g.system.Name) }

func (g *search) message(o owed) string { return g.value(o.value) + " to " + g.system.Name(o.to) }

// owing returns what the page has to show, as text.
func (g *search) owing(a *place) (all []string) {
	for _, o := range a.sends {
		all = append(all, "send "+g.message(o))
	}
	for _, o := range a.notes {
		all = append(all, "note "+g.value(o.value))
	}
	return few(all)
}

// few returns at most mostInstead alternatives.
func few(all []string) []string {
	if more := len(all) - mostInstead; more > 1 {
		return append(all[:mostInstead:mostInstead], fmt.Sprintf("%d other things", more))
	}
	return all
}

// differing describes an entry that shows something else than the page.
func (g *search) differing(s *Stuck, p *position, id model.NodeID, e *entry) {
	a := &p.nodes[id]
	s.Instead = g.owing(a)
	if !e.silent() || a.owes() || len(e.sends)+len(e.notes) == 0 {
		if n := p.world.Live(id); n != nil && !a.half {
			if field, log, page := e.before.differs(n, g.system.Name); field != "" {
				s.Field, s.Reason = field, fmt.Sprintf("before it, %s is %s in the log, and %s on the page", field, log, page)
				return
			}
		}
	}
	left := a.sends
	for _, x := range e.sends {
		best, at := x.nearest(left)
		if at < 0 {
			s.Reason = fmt.Sprintf("the page sends no %s here", x.what.typeName())
			return
		}
		if best > 0 {
			s.Field, s.Reason = x.differs(left[at]), "the page sends "+g.message(left[at])
			return
		}
		rest := append([]owed{}, left[:at]...)
		left = append(rest, left[at+1:]...)
	}
	for i, x := range e.notes {
		if i >= len(a.notes) {
			s.Reason = fmt.Sprintf("the page notes no %s here", x.typeName())
			return
		}
		if f := x.differs(a.notes[i].value); f != "" {
			s.Field, s.Reason = f, "the page notes "+g.value(a.notes[i].value)
			return
		}
	}
	if e.result != nil && g.unreturned(s, p, id, e) {
		return
	}
	n := p.world.Live(id)
	if n == nil {
		s.Reason = "the node is down on the page"
		return
	}
	if field, log, page := e.after.differs(n, g.system.Name); field != "" {
		s.Field, s.Reason = field, fmt.Sprintf("after it, %s is %s in the log, and %s on the page", field, log, page)
	}
}

// nearest returns the number of fields of the nearest message that differ, and its index; -1 if there is none. A
// receiver counts more than all fields, and a type more than a receiver.
func (s *sent) nearest(all []owed) (best, at int) {
	best, at = 1<<20, -1
	for i, o := range all {
		d := s.what.distance(o.value)
		if s.to >= 0 && s.to != o.to {
			d += 1 << 9
		}
		if d < best {
			best, at = d, i
		}
	}
	return best, at
}

// differs returns the field of a message that differs, "to" for the receiver.
func (s *sent) differs(o owed) string { return cmp.Or(s.what.differs(o.value), "to") }

// unreturned describes a result that the page does not return.
func (g *search) unreturned(s *Stuck, p *position, id model.NodeID, e *entry) bool {
	for _, act := range p.nodes[id].ready.acts {
		if act.Kind == model.Return {
			if f := e.result.differs(act.Value); f != "" {
				s.Field, s.Reason = f, "the page returns "+g.value(act.Value)
				return true
			}
			return false
		}
	}
	s.Reason = "the page returns nothing here"
	return true
}

// missing describes an entry whose step is not possible on the page.
func (g *search) missing(s *Stuck, p *position, id model.NodeID, e *entry) {
	s.Instead = g.ready(p, id)
	if m := g.menu(p, id); len(m.plans) > 0 {
		if n := p.world.Live(id); n != nil {
			if field, log, page := e.before.differs(n, g.system.Name); field != "" {
				s.Field, s.Reason = field, fmt.Sprintf("before it, %s is %s in the log, and %s on the page", field, log, page)
				return
			}
		}
	}
	switch e.step {
	case receive:
		s.Waits = !g.menu(p, id).closed
		g.unsent(s, p, id, e)
	case alarm, call:
		kinds, what := []model.EventKind{model.Timeout}, "no such alarm is set on the page"
		if e.step == call {
			kinds, what = []model.EventKind{model.Invoke, model.Release}, "the page has no such call to make"
		}
		s.Reason = what
		if near := nearest(p.nodes[id].ready.acts, &e.what, func(x *world.Event) bool { return x.Kind == kinds[0] || x.Kind == kinds[len(kinds)-1] }); near != nil {
			s.Field = e.what.differs(near.Value)
			s.Reason += "; the nearest is " + g.value(near.Value)
		}
	case start:
		s.Reason = "the page has no restart here"
	case crash:
		s.Reason = "the page has no crash here"
	default:
		s.Reason = "the page goes on otherwise"
	}
}

// unsent describes a received message that is not in flight.
func (g *search) unsent(s *Stuck, p *position, id model.NodeID, e *entry) {
	var flying []*world.Event
	p.world.EachPending(func(x *world.Event) {
		if x.Kind == model.Deliver && x.Node == id && (e.peer < 0 || x.From == e.peer) {
			flying = append(flying, x)
		}
	})
	for _, x := range p.nodes[id].unwanted {
		if e.peer < 0 || x.From == e.peer {
			flying = append(flying, x)
		}
	}
	from := ""
	if e.peer >= 0 {
		from = " from " + g.system.Name(e.peer)
	}
	near := nearest(flying, &e.what, func(*world.Event) bool { return true })
	switch {
	case near == nil:
		s.Reason = "no message" + from + " is in flight"
	case e.what.fits(near.Value):
		s.Reason = "the message has to wait in its channel, or its step shows something else"
	default:
		s.Field = e.what.differs(near.Value)
		s.Reason = fmt.Sprintf("no such message%s is in flight; the nearest is %s from %s", from, g.value(near.Value), g.system.Name(near.From))
	}
}

// nearest returns the event whose value has the fewest fields that differ from a pattern; nil if there is none.
func nearest(events []*world.Event, p *pattern, is func(*world.Event) bool) (best *world.Event) {
	least := 1 << 20
	for _, x := range events {
		if d := p.distance(x.Value); is(x) && d < least {
			best, least = x, d
		}
	}
	return best
}

// ready returns the possible steps of a node, as text.
func (g *search) ready(p *position, id model.NodeID) (all []string) {
	p.world.EachPending(func(x *world.Event) {
		switch {
		case x.Node != id || len(all) > mostInstead+1:
		case x.Kind == model.Deliver:
			all = append(all, fmt.Sprintf("receive %s from %s", g.value(x.Value), g.system.Name(x.From)))
		case x.Kind == model.Timeout:
			all = append(all, "alarm "+g.value(x.Value))
		case x.Kind == model.Return:
			all = append(all, "result "+g.value(x.Value))
		default:
			all = append(all, "call "+g.value(x.Value))
		}
	})
	return few(all)
}
