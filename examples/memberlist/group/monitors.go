package group

import (
	"maps"
	"strings"

	"contend/model"
)

// timely claims that nodes list the required entries within some time. The time counts from when the entry is
// required, or from when the last node joined or left.
type timely struct {
	World  world
	Due    map[pair]bool
	within model.Ticks
	anew   bool // whenever a node comes or goes
	owes   func(w *world, p pair) bool
	lists  func(w *world, p pair) bool
	what   string
}

func inTime(within model.Ticks, anew bool, what string, owes, lists func(w *world, p pair) bool) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor {
		return &timely{World: newWorld(s), Due: map[pair]bool{}, within: within, anew: anew, owes: owes, lists: lists, what: what}
	}
}

func (t *timely) Observe(w model.Watch, o model.Observation) {
	fresh := t.World.follow(o)
	t.World.pairs(func(p pair) {
		late := t.owes(&t.World, p) && !t.lists(&t.World, p)
		switch {
		case late && (fresh && t.anew || !t.Due[p]):
			w.Witness()
			w.After(p, model.Exactly(t.within))
			t.Due[p] = true
		case !late && t.Due[p]:
			w.Cancel(p)
			delete(t.Due, p)
		}
	})
}

// Expire reports a violation: the list is too late.
func (t *timely) Expire(w model.Watch, key any) {
	p := key.(pair)
	w.Violate("for %d ms n%d has been listing n%d as %s, which %s", t.within, p.By, p.Of, t.World.is(p).State, t.what)
}

// spared claims that no node that is up and connected is declared dead. There are two exceptions. The node
// was down or disconnected a short time ago. Or another node was disconnected for more than a short outage,
// and may have declared it dead meanwhile. The cable is plugged in at some time during the call of mend, so
// messages may leave before the call returns.
type spared struct{ World world }

func (s *spared) Observe(w model.Watch, o model.Observation) {
	was := map[pair]entry{}
	s.World.pairs(func(p pair) { was[p] = s.World.is(p) })
	s.World.follow(o)
	switch {
	case o.Kind == model.Recovered, o.Kind == model.Invoked && strings.HasPrefix(s.World.Calls[o.Node], "return"):
		w.Hold(o.Node, model.Through(settles))
	case o.Kind == model.Invoked && o.Value == "cut":
		w.Hold(pair{o.Node, o.Node}, model.Through(short))
	case o.Kind == model.Invoked && o.Value == "mend" && !w.Held(pair{o.Node, o.Node}):
		for n := range model.NodeID(s.World.N) {
			w.Hold(n, model.Through(settles))
		}
	}
	s.World.pairs(func(p pair) {
		switch is := s.World.is(p); {
		case is == was[p] || !s.World.joined(p) || w.Held(p.Of):
		case is.State == "suspect":
			w.Witness()
		case is.State == "dead":
			w.Violate("n%d takes n%d for dead, which is up", p.By, p.Of)
		}
	})
}

// answered claims that updates of an application are delivered to the group if no node has crashed or lost
// its connection.
type answered struct{ World world }

func (a *answered) Observe(w model.Watch, o model.Observation) {
	call := a.World.Calls[o.Node]
	a.World.follow(o)
	if o.Kind != model.Returned || a.World.Trouble || !strings.HasPrefix(call, "update") && call != "leave" {
		return
	}
	w.Witness()
	if o.Value == "failed" {
		w.Violate("n%d calls %q, which fails", o.Node, call)
	}
}

// atOnce claims that a node and the node that it has joined list each other, if no node has crashed, left, or
// lost its connection.
type atOnce struct{ World world }

func (a *atOnce) Observe(w model.Watch, o model.Observation) {
	call := a.World.Calls[o.Node]
	a.World.follow(o)
	if o.Kind == model.Returned && o.Value == "joined" && strings.HasPrefix(call, "join") && a.World.calm() {
		w.Witness()
		w.After(pair{o.Node, model.NodeID((int(o.Node) + 1) % a.World.N)}, model.Exactly(1))
	}
}

// Expire is called after the nodes' lists have been noted.
func (a *atOnce) Expire(w model.Watch, key any) {
	p := key.(pair)
	for _, q := range []pair{p, {p.Of, p.By}} {
		if is := a.World.is(q); !is.has() && a.World.calm() {
			w.Violate("n%d has joined n%d, but n%d lists n%d as %s", p.By, p.Of, q.By, q.Of, is.State)
		}
	}
}

// patient claims that a node that declares another node dead has suspected it for a while, or forwards
// another node's declaration.
type patient struct {
	World    world
	Declared map[life]bool
}

func (d *patient) Observe(w model.Watch, o model.Observation) {
	was := map[pair]string{}
	d.World.pairs(func(p pair) { was[p] = d.World.is(p).State })
	d.World.follow(o)
	d.World.pairs(func(p pair) {
		is := d.World.is(p)
		one := life{p.Of, is.Incarnation}
		switch {
		case is.State == was[p]:
		case is.State == "suspect":
			w.Witness()
			w.Hold(p, model.Through(patience))
		case is.State != "dead" || d.Declared[one]:
		case was[p] != "suspect":
			w.Violate("n%d declares n%d dead, which it does not suspect", p.By, p.Of)
		case w.Held(p):
			w.Violate("n%d declares n%d dead, which it has suspected for at most %d ms", p.By, p.Of, patience)
		default:
			d.Declared[one] = true
		}
	})
}

// A life is a node in an incarnation.
type life struct {
	Of          model.NodeID
	Incarnation int
}

// changes judges each change of a list.
type changes struct {
	World world
	Own   map[model.NodeID]int // the highest incarnation that a node has listed of itself
	Metas map[life]string      // metadata that nodes announced in each incarnation
	judge func(c *changes, w model.Watch, p pair, from, to entry)
}

func each(judge func(c *changes, w model.Watch, p pair, from, to entry)) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor {
		return &changes{World: newWorld(s), Own: map[model.NodeID]int{}, Metas: map[life]string{}, judge: judge}
	}
}

func (c *changes) Observe(w model.Watch, o model.Observation) {
	was := maps.Clone(c.World.Lists)
	c.World.follow(o)
	for n := range model.NodeID(c.World.N) {
		c.Own[n] = max(c.Own[n], c.World.is(pair{n, n}).Incarnation)
	}
	for by := range model.NodeID(c.World.N) {
		for of := range model.NodeID(c.World.N) {
			p := pair{by, of}
			if is, was := c.World.is(p), was.of(p); is != was {
				w.Witness()
				c.judge(c, w, p, was, is)
			}
		}
	}
}

// acquainted is reached when all list each other as alive.
type acquainted struct {
	World world
	Seen  bool
}

func (a *acquainted) Observe(_ model.Watch, o model.Observation) {
	a.World.follow(o)
	all := true
	a.World.pairs(func(p pair) { all = all && a.World.is(p).State == "alive" })
	a.Seen = a.Seen || all
}

// Reached implements [model.Goal].
func (a *acquainted) Reached() bool { return a.Seen }
