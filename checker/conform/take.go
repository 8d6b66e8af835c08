package conform

import (
	"errors"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// An outcome is the result of a step.
type outcome int

const (
	went       outcome = iota
	impossible         // the world does not permit the step
	broken             // the log does not permit what the step shows; no continuation is an explanation
)

// take takes a plan at a node in place, with answers to the choices of its handlers, and 0 after them. It explains the entries that
// follow from it.
func (g *search) take(p *position, id model.NodeID, x plan, answers []int) (given []world.Choice, o outcome) {
	a, e, lapse := &p.nodes[id], g.next(p, id), g.lapse(p, id)
	if x.entry && !g.same(p, id, &e.before) {
		return nil, broken
	}
	used := p.used
	p.merged = false
	a.sends, a.notes = nil, nil
	for _, m := range x.moves {
		choices, err := g.step(p, id, m, answers[min(len(given), len(answers)):])
		given = append(given, choices...)
		if err != nil {
			return given, impossible
		}
	}
	if x.answers != nil {
		a.wrong = differentChoices(x.answers, given)
	}
	if p.world.Failed() {
		a.half = x.entry
		return given, broken
	}
	p.dirty |= 1 << id
	if x.entry {
		a.half = true
		if !g.shows(p, id, e) || a.wrong != "" {
			return given, broken
		}
		g.pass(p, id)
	} else if lapse {
		a.sends, a.notes = nil, nil
	}
	g.settle(p, id)
	if p.used == used {
		p.hidden++
	}
	return given, went
}

// differentChoices returns why the choices of an entry are not those of its step, or "".
func differentChoices(has []int, given []world.Choice) string {
	for i, c := range given {
		if i < len(has) && has[i] >= c.Of {
			return fmt.Sprintf("choice %d is %d in the log, and less than %d on the page", i+1, has[i], c.Of)
		}
	}
	if len(has) > len(given) {
		return fmt.Sprintf("the log has %d choices, and the step on the page %d", len(has), len(given))
	}
	return ""
}

// pass goes to the next entry of a node.
func (g *search) pass(p *position, id model.NodeID) {
	p.nodes[id].half = false
	p.nodes[id].at++
	p.used++
	p.hidden = 0
}

// settle explains the next entries of a node that show what it did already.
func (g *search) settle(p *position, id model.NodeID) {
	for {
		if g.unlogged.kinds[result] {
			for _, act := range p.nodes[id].ready.acts {
				if act.Kind == model.Return && !p.world.Booting() {
					_, _ = g.step(p, id, world.Move{Kind: model.Return, Event: act}, nil) // a return that is due
					break
				}
			}
		}
		e := g.next(p, id)
		begins := e != nil && e.step == start && p.nodes[id].at == 0
		if e == nil || !e.silent() && !begins && !(e.continues && p.nodes[id].owes()) || !g.same(p, id, &e.before) || !g.shows(p, id, e) {
			return
		}
		g.pass(p, id)
	}
}

// same reports whether the state of a node has the fields of an entry.
func (g *search) same(p *position, id model.NodeID, l *look) bool {
	if len(l.fields) == 0 {
		return true
	}
	n := p.world.Live(id)
	if n == nil {
		return false
	}
	field, _, _ := l.differs(n, g.system.Name)
	return field == ""
}

// shows removes what an entry shows from what is owed. It reports false, and changes nothing, if the page shows
// something else.
func (g *search) shows(p *position, id model.NodeID, e *entry) bool {
	a := &p.nodes[id]
	sends, notes := slices.Clone(a.sends), a.notes
	for _, s := range e.sends {
		i := slices.IndexFunc(sends, s.fits)
		if i < 0 {
			return false
		}
		if slices.ContainsFunc(sends[i+1:], func(o owed) bool { return s.fits(o) && !equal(o, sends[i]) }) {
			g.partial = "an entry of a sent message that fits several messages"
		}
		sends = slices.Delete(sends, i, i+1)
	}
	for i := range e.notes {
		at := slices.IndexFunc(notes, func(o owed) bool { return !o.may || e.notes[i].fits(o.value) })
		if at < 0 || !e.notes[i].fits(notes[at].value) {
			return false
		}
		notes = notes[at+1:]
	}
	var ret *world.Event
	if e.result != nil {
		i := slices.IndexFunc(a.ready.acts, func(x *world.Event) bool { return x.Kind == model.Return && e.result.fits(x.Value) })
		if i < 0 || p.world.Booting() {
			return false
		}
		ret = a.ready.acts[i]
	}
	if !g.same(p, id, &e.after) {
		return false
	}
	if ret != nil {
		if _, err := g.step(p, id, world.Move{Kind: model.Return, Event: ret}, nil); err != nil {
			return false
		}
	}
	a.sends, a.notes = sends, notes
	return true
}

// equal reports whether two messages to the same node are equal.
func equal(a, b owed) bool {
	return a.to == b.to && value.Canonical(a.value) == value.Canonical(b.value)
}

func (s *sent) fits(o owed) bool { return (s.to < 0 || s.to == o.to) && s.what.fits(o.value) }

// step executes a move in the world of a position, and records it with what it shows.
func (g *search) step(p *position, id model.NodeID, m world.Move, answers []int) (given []world.Choice, err error) {
	g.now, g.sent = p, g.sent[:0]
	rec, err := p.world.Step(m, 0, func(n int, what string) int {
		if n > 1 && len(given) >= len(answers) && !g.asks[asking(id, m)] {
			g.asks[asking(id, m)] = true
			g.again = g.again || !g.copied
		}
		is := 0
		if len(given) < len(answers) {
			is = min(answers[len(given)], n-1)
		}
		given = append(given, world.Choice{Of: n, Is: is, What: what})
		return is
	})
	var cut world.ErrCut
	if errors.As(err, &cut) {
		g.partial = "cut " + cut.Name
	}
	if err != nil {
		return given, err
	}
	t := &taken{before: p.tail, kind: m.Kind, node: rec.Node, from: m.From, event: m.Event, value: m.Value}
	for _, c := range given {
		t.answers = append(t.answers, c.Is)
	}
	p.tail = t
	p.steps++
	switch {
	case m.Kind == model.Crash:
		own := p.events(id)
		own.acts = nil
		if !g.system.Nodes[id].MayRecover() {
			own.found, own.queue, own.all = map[arrival][]*world.Event{}, map[model.NodeID][]*world.Event{}, nil
		}
	case m.Event != nil && m.Kind != model.Duplicate:
		g.remove(p, m.Event)
	}
	g.owe(p, id, rec)
	return given, nil
}

// owe adds what a step shows to what the log has to show.
func (g *search) owe(p *position, id model.NodeID, rec world.Record) {
	a := &p.nodes[id]
	if !g.unlogged.kinds[send] {
		for _, s := range g.sent {
			s.may = g.unlogged.has(send, s.value)
			a.sends = append(a.sends, s)
		}
	}
	if !g.unlogged.kinds[note] {
		for _, o := range rec.Observations {
			if o.Node == id && (o.Kind == model.Noted || o.Kind == model.Delivered) {
				a.notes = append(a.notes, owed{-1, o.Value, g.unlogged.has(note, o.Value)})
			}
		}
	}
}

// merge is called for a message that is merged into an equal one in flight.
func (g *search) merge(e *world.Event) {
	if g.wanted(g.now, e.Node, e.From, e.Value) > 1 || g.mostHidden > 0 && g.unseen {
		g.now.merged = true
	}
}
