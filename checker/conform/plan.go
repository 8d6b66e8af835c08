package conform

import (
	"reflect"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A plan is a possible next step of a node: that of its next entry, or a step that no entry has to show.
type plan struct {
	moves []world.Move
	entry bool // it is the step of the next entry
	// answers has the choices of the entry; nil if it does not have them.
	answers []int
}

// A menu has the possible next steps of a node.
type menu struct {
	plans []plan
	// closed reports that steps of other nodes neither add a plan nor prevent one.
	closed bool
	// hidden reports that a hidden step is left out because of its bound.
	hidden bool
}

// menu returns the possible next steps of a node.
func (g *search) menu(p *position, id model.NodeID) (m menu) {
	m.closed = true
	e, lapse := g.next(p, id), g.lapse(p, id)
	if p.nodes[id].owes() && !g.forgives(p, id) {
		return m
	}
	if p.world.Booting() {
		m.closed = g.atBoot[0] == id
	}
	down := p.world.Live(id) == nil
	if e != nil && (!down || e.step == start || e.step == gap) {
		g.enter(&m, p, id, e)
	}
	if !down {
		g.hide(&m, p, id, e, lapse)
	}
	if p.world.Booting() {
		m.plans = g.firing(p, m.plans)
	}
	return m
}

// firing returns the plans that operations at boot permit.
func (g *search) firing(p *position, plans []plan) (all []plan) {
	for _, x := range plans {
		if len(x.moves) == 0 {
			all = append(all, x)
		} else if e := x.moves[0].Event; e != nil {
			if _, _, ok := p.world.Fires(e); ok {
				all = append(all, x)
			}
		}
	}
	return all
}

// enter adds the plans for the step of the next entry.
func (g *search) enter(m *menu, p *position, id model.NodeID, e *entry) {
	add := func(moves ...world.Move) { m.plans = append(m.plans, plan{moves, true, e.choices}) }
	switch e.step {
	case receive:
		g.receives(m, p, id, e)
	case alarm, call:
		for _, act := range p.nodes[id].ready.acts {
			is := act.Kind == model.Timeout
			if e.step == call {
				is = act.Kind == model.Invoke || act.Kind == model.Release
			}
			if is && e.what.fits(act.Value) {
				add(world.Move{Kind: act.Kind, Event: act})
			}
		}
	case start:
		if p.nodes[id].at == 0 {
			return // the run begins so
		}
		if g.restarts(p, id) {
			add(world.Move{Kind: model.Crash, Node: id}, world.Move{Kind: model.Restart, Node: id})
		} else {
			add(world.Move{Kind: model.Restart, Node: id})
		}
	case crash:
		add(world.Move{Kind: model.Crash, Node: id})
	case gap:
		add()
	}
}

// receives adds the plans for a received message.
func (g *search) receives(m *menu, p *position, id model.NodeID, e *entry) {
	seen := map[string]bool{}
	add := func(moves []world.Move, from model.NodeID, v any) {
		if key := value.Canonical([]any{int(from), v}); !seen[key] { // copies are equal
			seen[key] = true
			m.plans = append(m.plans, plan{moves, true, e.choices})
		}
	}
	var last *world.Event
	for _, x := range p.nodes[id].ready.found[g.arrivalOf(id, e)] {
		lost := g.ahead(p, x)
		if len(lost) > g.system.Faults.Loss {
			continue
		}
		if last == nil || !reflect.DeepEqual(last.Value, x.Value) || last.From != x.From {
			add(append(lost, world.Move{Kind: model.Deliver, Event: x}), x.From, x.Value)
		}
		last = x
	}
	copies := len(m.plans)
	if g.misses(id, e, copies) {
		g.partial = missed
	}
	for from, spec := range g.system.Nodes {
		if from := model.NodeID(from); spec.Byzantine && !p.world.Booting() && (e.peer < 0 || e.peer == from) {
			for _, v := range p.world.Alphabet(id, from) {
				if e.what.fits(v) {
					add([]world.Move{{Kind: model.Forge, Node: id, From: from, Value: v}}, from, v)
				}
			}
		}
	}
	if g.system.Faults.Duplication > 0 {
		for _, x := range m.plans[:copies] {
			last := len(x.moves) - 1
			if event := x.moves[last].Event; !event.Optional && g.wanted(p, id, event.From, event.Value) > 1 {
				m.plans = append(m.plans, plan{slices.Insert(slices.Clone(x.moves), last, world.Move{Kind: model.Duplicate, Event: event}), true, e.choices})
			}
		}
	}
	found := len(m.plans) > 0
	if e.unique && copies > 1 {
		g.partial = "an entry that is said to be unique, but different messages in flight fit it"
	}
	switch {
	case e.peer >= 0 && (e.what.exact || e.unique) && found:
	case g.fifo && e.peer >= 0 && len(p.nodes[id].ready.queue[e.peer]) > 0 && g.system.Faults.Loss == 0:
		// The head of the channel fits, or never will.
	default:
		m.closed = m.closed && !g.mayArrive(p, id, e)
	}
}

// ahead returns the losses of the messages before a message in its FIFO channel.
func (g *search) ahead(p *position, x *world.Event) (lost []world.Move) {
	if !g.fifo || x.Optional {
		return nil
	}
	for _, y := range p.nodes[x.Node].ready.queue[x.From] {
		if y == x {
			return lost
		}
		if lost = append(lost, world.Move{Kind: model.Lose, Event: y}); len(lost) > g.system.Faults.Loss {
			return lost
		}
	}
	return lost
}

// hide adds the plans for steps that need no entry.
func (g *search) hide(m *menu, p *position, id model.NodeID, e *entry, lapse bool) {
	ready := p.nodes[id].ready
	// A step without any entry is hidden, unless the next entry may show what it does.
	shown := e != nil && e.silent() && !lapse
	permitted := shown || p.hidden < g.mostHidden
	for _, act := range ready.acts {
		switch {
		case !lapse && !g.mayHide(act):
		case permitted:
			m.plans = append(m.plans, plan{[]world.Move{{Kind: act.Kind, Event: act}}, false, nil})
		default:
			m.hidden = true
		}
	}
	if !lapse && !g.hidesReceives {
		return
	}
	if g.mostHidden > 0 {
		m.closed = false
	}
	for _, x := range ready.all {
		switch {
		case g.fifo && !x.Optional && ready.queue[x.From][0] != x:
		case !lapse && !g.unlogged.receives(x.Value):
		case permitted:
			m.plans = append(m.plans, plan{[]world.Move{{Kind: model.Deliver, Event: x}}, false, nil})
		default:
			m.hidden = true
		}
	}
	if shown {
		m.closed = false
	}
}

// mayHide reports whether an event of a node may happen without an entry.
func (g *search) mayHide(act *world.Event) bool {
	switch act.Kind {
	case model.Timeout:
		return g.unlogged.alarms(act.Value)
	case model.Invoke, model.Release:
		return g.unlogged.kinds[call]
	}
	return g.unlogged.kinds[result]
}
