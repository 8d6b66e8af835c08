package conform

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/world"
)

// A position is a run of the page with the entries that it explains.
type position struct {
	world  *world.World
	nodes  []place
	tail   *taken
	steps  int
	used   int    // explained entries
	hidden int    // steps since the last explained entry that no entry shows
	dirty  uint64 // nodes that may have new steps
	dead   uint64 // nodes that no continuation of the run explains
	merged bool   // the last step sent a message into an equal one
	old    int    // messages that were sent before this step are forgotten
	owner  int    // of the events of nodes that may be changed in place
}

// A place is how far a node's log is explained.
type place struct {
	at    int      // the next entry
	wrong string   // why the choices of the next entry are impossible
	half  bool     // the step of the next entry is taken, but the entry shows something else
	sends []owed   // sent messages that the next entries have to show
	notes []owed   // notes that the next entries have to show, in order
	ready *pending // events of the node
	// unwanted has the last messages to the node that no entry receives.
	unwanted []*world.Event
}

// An owed is a sent message or a note that an entry has to show.
type owed struct {
	to    model.NodeID // of a message
	value any
	may   bool // it may be missing in the log
}

// owes reports whether an entry has to show something before the next step of the node.
func (a *place) owes() bool {
	must := func(o owed) bool { return !o.may }
	return slices.ContainsFunc(a.sends, must) || slices.ContainsFunc(a.notes, must)
}

// A taken is a step of a run, linked to the step before. Steps name events, since events of another world are
// found by their names.
type taken struct {
	before  *taken
	kind    model.EventKind
	node    model.NodeID
	from    model.NodeID
	event   *world.Event // nil for a move of the environment without an event
	value   any          // of a forged message
	answers []int
}

// A pending has the pending events of a node. Messages are found by sender and by the fields that entries have.
type pending struct {
	owner  int
	shapes int            // of the receiver, by which messages are found
	acts   []*world.Event // alarms, invocations, releases, returns
	found  map[arrival][]*world.Event
	queue  map[model.NodeID][]*world.Event // by sender, in FIFO channels
	all    []*world.Event                  // all messages, if some may arrive without an entry
}

// An arrival is the sender of a message, or -1 for any, with the key of its value in a shape of the receiver.
type arrival struct {
	from  model.NodeID
	shape int
	key   string
}

func (e *pending) clone(owner int) *pending {
	c := &pending{owner: owner, shapes: e.shapes, acts: slices.Clone(e.acts), all: slices.Clone(e.all), found: make(map[arrival][]*world.Event, len(e.found)), queue: maps.Clone(e.queue)}
	for k, list := range e.found {
		c.found[k] = slices.Clip(list)
	}
	for from, list := range c.queue {
		c.queue[from] = slices.Clip(list)
	}
	return c
}

// events returns the pending events of a node, for changes.
func (p *position) events(id model.NodeID) *pending {
	a := &p.nodes[id]
	if a.ready.owner != p.owner {
		a.ready = a.ready.clone(p.owner)
	}
	return a.ready
}

// fork returns an independent copy.
func (g *search) fork(p *position) *position {
	q := *p
	g.owners++
	q.owner = g.owners
	q.world = p.world.Fork()
	q.nodes = slices.Clone(p.nodes)
	for i := range q.nodes {
		q.nodes[i].unwanted = slices.Clip(q.nodes[i].unwanted)
		q.nodes[i].sends, q.nodes[i].notes = slices.Clip(q.nodes[i].sends), slices.Clip(q.nodes[i].notes)
	}
	return &q
}

// add adds a new event to those of its node. The world calls it during a step.
func (g *search) add(e *world.Event) {
	p := g.now
	if e.Node < 0 || g.book.states[e.Node] == nil {
		return
	}
	if e.Kind == model.Deliver && g.unwanted(p, e) {
		return
	}
	own := p.events(e.Node)
	p.dirty |= 1 << e.Node
	if e.Kind != model.Deliver {
		own.acts = append(own.acts, e)
		return
	}
	g.eachArrival(e, g.shapes[e.Node][:own.shapes], func(k arrival) { own.found[k] = append(own.found[k], e) })
	if g.fifo && !e.Optional {
		own.queue[e.From] = append(own.queue[e.From], e)
	}
	if g.unseen {
		own.all = append(own.all, e)
	}
}

// remove removes an event from those of its node.
func (g *search) remove(p *position, e *world.Event) {
	own := p.events(e.Node)
	if e.Kind != model.Deliver {
		own.acts = without(own.acts, e)
		return
	}
	g.eachArrival(e, g.shapes[e.Node][:own.shapes], func(k arrival) {
		if own.found[k] = without(own.found[k], e); len(own.found[k]) == 0 {
			delete(own.found, k)
		}
	})
	if g.fifo && !e.Optional {
		own.queue[e.From] = without(own.queue[e.From], e)
	}
	if g.unseen {
		own.all = without(own.all, e)
	}
}

// without returns a list without an element. It does not change the list's array, that other positions may share.
func without(list []*world.Event, e *world.Event) []*world.Event {
	switch i := slices.Index(list, e); {
	case i < 0:
		return list
	case i == 0:
		return list[1:]
	default:
		return slices.Concat(list[:i], list[i+1:])
	}
}

// eachArrival calls visit for each key by which entries of the receiver find a message.
func (g *search) eachArrival(e *world.Event, shapes []shape, visit func(arrival)) {
	for i, s := range shapes {
		if key, ok := s.key(e.Value); ok {
			visit(arrival{e.From, i, key})
			visit(arrival{-1, i, key})
		}
	}
}

// refresh takes account of what was read since the last steps of a node. It reports whether the node has a next entry, or
// its log is at its end.
func (g *search) refresh(p *position, id model.NodeID) bool {
	if !g.book.streamed {
		return true
	}
	if g.book.states[id] == nil {
		return false
	}
	if known := len(g.shapes[id]); p.nodes[id].ready.shapes < known {
		own := p.events(id)
		own.shapes, own.found = known, map[arrival][]*world.Event{}
		p.world.EachPending(func(e *world.Event) {
			if e.Kind == model.Deliver && e.Node == id {
				g.eachArrival(e, g.shapes[id], func(k arrival) { own.found[k] = append(own.found[k], e) })
			}
		})
	}
	g.settle(p, id)
	return g.next(p, id) != nil || !g.book.growing
}

// next returns the next entry of a node, or nil at the end of what was read of its log.
func (g *search) next(p *position, id model.NodeID) *entry {
	return g.book.entries[id].at(p.nodes[id].at)
}

// lapse reports whether entries may be missing before the next entry of a node.
func (g *search) lapse(p *position, id model.NodeID) bool {
	e := g.next(p, id)
	switch {
	case e == nil:
		return g.book.open && !g.book.growing
	case e.step == gap:
		return true
	}
	return !g.book.unbuffered && g.ends(p, id, e)
}

// ends reports whether a crash of the node comes before an entry.
func (g *search) ends(p *position, id model.NodeID, e *entry) bool {
	return e.step == crash || e.step == start && g.restarts(p, id)
}

// forgives reports whether what the node's last step has to show may be missing before its next entry.
func (g *search) forgives(p *position, id model.NodeID) bool {
	e := g.next(p, id)
	if g.book.unbuffered && (g.over(p, id) || e != nil && g.ends(p, id, e)) {
		return true
	}
	return g.lapse(p, id)
}

// restarts reports whether the next entry, a start, is a restart without an entry of the crash.
func (g *search) restarts(p *position, id model.NodeID) bool {
	return p.nodes[id].at > 0 && p.world.Live(id) != nil
}

// unfinished reports whether the node's log is not explained.
func (g *search) unfinished(p *position, id model.NodeID) bool {
	return g.next(p, id) != nil || g.over(p, id) && p.nodes[id].owes() && !g.forgives(p, id)
}

// over reports whether all entries of a node are explained, and no more may follow.
func (g *search) over(p *position, id model.NodeID) bool {
	return g.next(p, id) == nil && !g.book.growing
}

// explained reports whether the logs of all nodes are.
func (g *search) explained(p *position) bool {
	for id := range p.nodes {
		if g.unfinished(p, model.NodeID(id)) {
			return false
		}
	}
	return true
}
