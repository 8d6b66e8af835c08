package confirm

import (
	"bytes"
	"fmt"

	"contend/checker/search/runs"
	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// A names has the numbers by which the search identifies events. The search counts the events of each kind,
// nodes and type, in order of creation, as the interpreter does. But it does not count effects of absorbed
// messages, and a message that arrives again after a restart keeps its number.
type names struct {
	number   map[*world.Event]int // from 1, of the events that the search knows
	counts   map[kin]int
	absorbed map[*world.Event]int // see [Run.Absorbed]
	// absorbing reports that an absorbed message is being delivered.
	absorbing bool
	remerged  map[*world.Event]bool // messages that others were merged into during the present step
}

// A kin is a class of events that are counted together.
type kin struct {
	kind       model.EventKind
	node, from model.NodeID
	label      string
}

func kinOf(e *world.Event) kin { return kin{e.Kind, e.Node, e.From, world.TypeName(e.Value)} }

func newNames() *names {
	return &names{number: map[*world.Event]int{}, counts: map[kin]int{}, absorbed: map[*world.Event]int{}, remerged: map[*world.Event]bool{}}
}

// created is called by the world for each new event.
func (n *names) created(e *world.Event) {
	switch {
	case e.Repeats != nil:
		if _, absorbed := n.absorbed[e.Repeats]; !absorbed { // else it has not arrived there
			n.number[e] = n.number[e.Repeats]
		}
	case !n.absorbing:
		n.count(e)
	}
}

// merged is called by the world for a message in flight into which another one merges. If the search has
// absorbed the first, it counts the other as new. A third one of the same step merges into that.
func (n *names) merged(e *world.Event) {
	if _, absorbed := n.absorbed[e]; absorbed && !n.absorbing && !n.remerged[e] {
		n.remerged[e] = true
		n.count(e)
	}
}

func (n *names) count(e *world.Event) {
	n.counts[kinOf(e)]++
	n.number[e] = n.counts[kinOf(e)]
}

// knows reports whether the search counted an event.
func (n *names) knows(e *world.Event) bool { return n.number[e] > 0 }

// find returns the world's move for a step of the search.
func (n *names) find(w *world.World, s runs.Step) (world.Move, error) {
	m := world.Move{Kind: s.Kind, Node: s.Node, From: s.From, Value: s.Value}
	kind := s.Kind
	switch s.Kind {
	case model.Crash, model.Stop, model.Restart, model.Forge, model.Mistake, model.Partition:
		return m, nil
	case model.Lose, model.Duplicate:
		kind = model.Deliver
	}
	wanted := kin{kind: kind, node: s.Node, from: s.From, label: world.TypeName(s.Value)}
	want := w.Codec.Any(s.Value, nil)
	for _, e := range w.Pending() {
		if n.number[e] == s.Occurrence && kinOf(e) == wanted && e.Op == s.Op && bytes.Equal(w.Codec.Any(e.Value, nil), want) {
			m.Event = e
			return m, nil
		}
	}
	return m, fmt.Errorf("no %v of %s #%d at %s is pending", kind, describe.Value(s.Value, w.System.Name), s.Occurrence, w.System.Name(s.Node))
}

// contains reports whether a set of messages in flight contains an event.
func (n *names) contains(flight map[message]bool, e *world.Event) bool {
	return flight[message{e.From, e.Node, world.TypeName(e.Value), n.number[e]}]
}

// A message identifies a message in flight.
type message struct {
	from, to model.NodeID
	label    string
	number   int
}

func flightOf(list []runs.Message) map[message]bool {
	flight := map[message]bool{}
	for _, m := range list {
		flight[message{m.From, m.To, world.TypeName(m.Value), m.Occurrence}] = true
	}
	return flight
}
