package conform

import (
	"reflect"
	"sort"

	"contend/model"
	"contend/model/world"
)

// An unlogged has what the logs may leave out: kinds of which they have no entry, and the types that the protocol
// declares.
type unlogged struct {
	kinds [kindCount]bool
	types [kindCount]map[reflect.Type]bool
}

func newUnlogged(declared model.Unlogged, b *book) (u unlogged) {
	for k := range kindCount {
		u.kinds[k], u.types[k] = b.silent[k] || !b.growing && !b.kinds[k], map[reflect.Type]bool{}
	}
	for k, values := range map[kind][]any{alarm: declared.Alarms, send: declared.Sends, receive: declared.Receives, note: declared.Notes} {
		for _, v := range values {
			u.types[k][reflect.TypeOf(v)] = true
		}
	}
	return u
}

func (u *unlogged) has(k kind, v any) bool { return u.kinds[k] || u.types[k][reflect.TypeOf(v)] }
func (u *unlogged) alarms(v any) bool      { return u.has(alarm, v) }
func (u *unlogged) receives(v any) bool    { return u.has(receive, v) }

// learn adds the shape of a received message to those of its receiver.
func (g *search) learn(e *entry) {
	if e.step != receive {
		return
	}
	s := e.what.shape()
	if _, known := g.numbers[e.node][s]; known {
		return
	}
	if g.forgets {
		g.partial = missed // they have no hash of this shape
	}
	g.numbers[e.node][s] = len(g.shapes[e.node])
	g.shapes[e.node] = append(g.shapes[e.node], s)
}

// index collects the positions of entries of received messages, by receiver, when no more entries may follow.
func (g *search) index() {
	for id := range g.book.entries {
		own, wants := &g.book.entries[id], map[arrival][]int{}
		for at := own.first; at < own.end(); at++ {
			if e := own.at(at); e.step == receive {
				k := g.arrivalOf(e.node, e)
				wants[k] = append(wants[k], at)
			}
		}
		g.wants[id] = wants
	}
}

// arrivalOf returns the key by which an entry finds its message.
func (g *search) arrivalOf(id model.NodeID, e *entry) arrival {
	return arrival{e.peer, g.numbers[id][e.what.shape()], e.what.key()}
}

// wanted returns the number of entries from the next on that a message fits. It may be any number if more may follow.
func (g *search) wanted(p *position, id, from model.NodeID, v any) (n int) {
	if g.book.growing {
		return anyNumber
	}
	for i, s := range g.shapes[id] {
		if key, ok := s.key(v); ok {
			for _, from := range []model.NodeID{from, -1} {
				at := g.wants[id][arrival{from, i, key}]
				n += len(at) - sort.SearchInts(at, p.nodes[id].at)
			}
		}
	}
	return n
}

const anyNumber = 1 << 30

// mostUnwanted is the number of messages without a later entry that are remembered for each node, for reports.
const mostUnwanted = 32

// unwanted reports whether no later entry of the receiver receives a new message, so that it need not be in flight. In a
// FIFO channel it would delay others.
func (g *search) unwanted(p *position, e *world.Event) bool {
	if !g.bag || g.fifo || g.unseen || g.system.Faults.Duplication > 0 || g.wanted(p, e.Node, e.From, e.Value) > 0 {
		return false
	}
	a := &p.nodes[e.Node]
	if len(a.unwanted) >= mostUnwanted {
		a.unwanted = a.unwanted[1:]
	}
	a.unwanted = append(a.unwanted, e)
	g.lost = e
	return true
}

// A route is a sender and a receiver with a shape of messages.
type route struct {
	from, to model.NodeID
	shape    shape
}

// A sending has the last positions of entries of sent messages on a route: by key, and of those that lack a field of
// the shape.
type sending struct {
	last  map[string]int
	vague int
}

// mayArrive reports whether a message that is not in flight may arrive later and fit an entry.
func (g *search) mayArrive(p *position, id model.NodeID, e *entry) bool {
	if e.peer >= 0 {
		return g.maySend(p, e.peer, id, e)
	}
	for from := range p.nodes {
		if g.maySend(p, model.NodeID(from), id, e) {
			return true
		}
	}
	return false
}

// maySend reports whether a node may yet send a message that fits an entry.
func (g *search) maySend(p *position, from, to model.NodeID, e *entry) bool {
	switch {
	case g.book.states[from] == nil:
		return false // forged messages are never in flight
	case g.mostHidden > 0 || g.book.growing:
		return true
	case g.next(p, from) == nil && !p.nodes[from].owes():
		return false
	case g.unlogged.kinds[send] || g.unlogged.types[send][e.what.typ]:
		return true
	}
	s := g.sending(route{from, to, e.what.shape()}, &e.what)
	last, ok := s.last[e.what.key()]
	return ok && last >= p.nodes[from].at || s.vague >= p.nodes[from].at
}

// sending returns the sent messages of a route.
func (g *search) sending(r route, like *pattern) *sending {
	if s := g.sendings[r]; s != nil {
		return s
	}
	s := &sending{last: map[string]int{}, vague: -1}
	own := &g.book.entries[r.from]
	for at := own.first; at < own.end(); at++ {
		for _, x := range own.at(at).sends {
			if x.what.typ != like.typ || x.to >= 0 && x.to != r.to {
				continue
			}
			if key, ok := x.what.part(like.fields); ok {
				s.last[key] = at
			} else {
				s.vague = at
			}
		}
	}
	g.sendings[r] = s
	return s
}

// part returns the key of some fields of a pattern. It reports false if the pattern lacks one.
func (p *pattern) part(fields []string) (key string, ok bool) {
	var values []string
	for _, name := range fields {
		i := sort.SearchStrings(p.fields, name)
		if i == len(p.fields) || p.fields[i] != name {
			return "", false
		}
		values = append(values, p.values[i])
	}
	return joined(values), true
}
