package group

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
)

// clocks returns the Lamport clocks of members and of events in a note that begins with a word.
func clocks(o model.Observation, word string) (clock, events int, ok bool) {
	rest, ok := o.Note(word + " ")
	_, _ = fmt.Sscan(rest, &clock, &events)
	return clock, events, ok
}

// timely claims that nodes list the required entries within some time. The time counts from when the entry is required,
// or, if anew is set, from when the last node has come or gone.
type timely struct {
	World  world
	Due    map[pair]bool
	within model.Ticks
	anew   bool
	owes   func(w *world, p pair) bool
	lists  func(status string) bool
	what   string
}

func (t *timely) Observe(w model.Watch, o model.Observation) {
	moved := t.World.follow(o)
	t.World.pairs(func(p pair) {
		owes := t.owes(&t.World, p)
		late := owes && !t.lists(t.World.Lists[p])
		if owes {
			w.Witness()
		}
		switch {
		case late && (moved && t.anew || !t.Due[p]):
			w.After(p, model.Exactly(t.within))
			t.Due[p] = true
		case !late && t.Due[p]:
			w.Cancel(p)
			delete(t.Due, p)
		}
	})
}

// Expire implements [model.Expirer].
func (t *timely) Expire(w model.Watch, key any) {
	p := key.(pair)
	w.Violate("for %d ms n%d has been listing n%d as %q, which %s", t.within, p.By, p.Of, t.World.Lists[p], t.what)
}

// leavers claims that a node that leaves is not listed as failed.
type leavers struct {
	World world
	Leave map[model.NodeID]bool
}

func (l *leavers) Observe(w model.Watch, o model.Observation) {
	l.World.follow(o)
	if o.Kind == model.Invoked {
		l.Leave[o.Node] = o.Value == "leave"
	}
	if rest, ok := o.Note("lists "); ok {
		of, status, _ := strings.Cut(rest, " ")
		if n := number(of); l.Leave[n] {
			w.Witness()
			if status == "failed" {
				w.Violate("it lists n%d as failed, which leaves", n)
			}
		}
	}
}

// grows claims that the clocks of a node do not go back: not while it runs, and not behind the snapshot with which it starts.
type grows struct{ Clock, Events map[model.NodeID]int }

func (g *grows) Observe(w model.Watch, o model.Observation) {
	if clock, events, ok := clocks(o, "snapshot"); ok {
		g.Clock[o.Node], g.Events[o.Node] = clock, events
	}
	if clock, events, ok := clocks(o, "clocks"); ok {
		w.Witness()
		if clock < g.Clock[o.Node] || events < g.Events[o.Node] {
			w.Violate("its clocks go back to %d and %d from %d and %d", clock, events, g.Clock[o.Node], g.Events[o.Node])
		}
		g.Clock[o.Node], g.Events[o.Node] = clock, events
	}
}

// A delivery is a time and the name of an event.
type delivery struct {
	Time int
	Name string
}

func delivered(o model.Observation) (d delivery, ok bool) {
	rest, ok := o.Note("delivers ")
	_, _ = fmt.Sscan(rest, &d.Time, &d.Name)
	return d, ok
}

// meets reports whether a node lists another node as alive. It has heard the events of the other node by then.
func meets(o model.Observation) bool {
	rest, ok := o.Note("lists ")
	of, status, _ := strings.Cut(rest, " ")
	return ok && number(of) != o.Node && status == "alive"
}

// once claims that a node delivers no event twice while it runs.
type once struct{ Has map[model.NodeID][]delivery }

func (m *once) Observe(w model.Watch, o model.Observation) {
	if _, _, ok := clocks(o, "snapshot"); ok {
		delete(m.Has, o.Node)
	}
	if d, ok := delivered(o); ok {
		w.Witness()
		if slices.Contains(m.Has[o.Node], d) {
			w.Violate("it delivers %s of time %d again", d.Name, d.Time)
		}
		m.Has[o.Node] = append(m.Has[o.Node], d)
	}
}

// old claims that a node delivers no event that is as old as the event clock of the snapshot with which it starts.
type old struct{ Clock map[model.NodeID]int }

func (m *old) Observe(w model.Watch, o model.Observation) {
	if _, events, ok := clocks(o, "snapshot"); ok {
		m.Clock[o.Node] = events
	}
	if meets(o) && m.Clock[o.Node] > 0 {
		w.Witness()
	}
	if d, ok := delivered(o); ok {
		if d.Time <= m.Clock[o.Node] {
			w.Violate("it delivers %s of time %d, but its snapshot has the event clock %d", d.Name, d.Time, m.Clock[o.Node])
		}
	}
}

// replays claims that a node that was stopped and returns delivers no event again. The events count that it has delivered before it was
// told to stop, and with during also the events that it has delivered while it stopped. It claims nothing if a disk fails.
type replays struct {
	during bool
	fails  bool
	Now    map[model.NodeID][]delivery // delivered since it started
	Before map[model.NodeID][]delivery // delivered when it was told to stop
	Kept   map[model.NodeID][]delivery // of lives that ended by a stop
}

func (r *replays) Observe(w model.Watch, o model.Observation) {
	switch {
	case r.fails:
		return
	case o.Kind == model.Crashed:
		delete(r.Now, o.Node)
		delete(r.Before, o.Node)
	case o.Kind == model.Invoked && (o.Value == "leave" || o.Value == "kill"):
		r.Before[o.Node] = slices.Clone(r.Now[o.Node])
	case o.Kind == model.Invoked && o.Value == "return":
		if r.during {
			r.Before[o.Node] = r.Now[o.Node]
		}
		r.Kept[o.Node] = append(r.Kept[o.Node], r.Before[o.Node]...)
		delete(r.Now, o.Node)
		delete(r.Before, o.Node)
	}
	if meets(o) && len(r.Kept[o.Node]) > 0 {
		w.Witness()
	}
	if d, ok := delivered(o); ok {
		if slices.Contains(r.Kept[o.Node], d) {
			w.Violate("it delivers %s of time %d again after its return", d.Name, d.Time)
		}
		r.Now[o.Node] = append(r.Now[o.Node], d)
	}
}

// reaches claims that each event is delivered to all nodes within a time if all have joined.
type reaches struct {
	World world
	By    map[delivery]map[model.NodeID]bool // the nodes that have delivered it
}

func (r *reaches) Observe(w model.Watch, o model.Observation) {
	r.World.follow(o)
	d, ok := delivered(o)
	if !ok {
		return
	}
	if r.By[d] == nil {
		r.By[d] = map[model.NodeID]bool{}
	}
	r.By[d][o.Node] = true
	if r.World.settled() {
		w.Witness()
		w.After(d, model.Exactly(hears))
	}
}

// Expire implements [model.Expirer].
func (r *reaches) Expire(w model.Watch, key any) {
	d := key.(delivery)
	if by := r.By[d]; r.World.settled() && len(by) < r.World.N {
		w.Violate("%d ms after a delivery of %s of time %d only %v have delivered it", hears, d.Name, d.Time, slices.Sorted(maps.Keys(by)))
	}
}

// acquainted is reached when all nodes list each other, and an event was delivered.
type acquainted struct {
	World world
	Heard bool
}

func (a *acquainted) Observe(_ model.Watch, o model.Observation) {
	a.World.follow(o)
	if _, ok := delivered(o); ok {
		a.Heard = true
	}
}

// Reached implements [model.Goal].
func (a *acquainted) Reached() bool { return a.Heard && a.World.settled() }
