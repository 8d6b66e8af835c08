package claims

import (
	"reflect"
	"slices"
	"strings"

	"contend/model"
)

// A Store has functions that recognize what nodes keep over crashes. The monitors call these functions for each
// observation. The functions must be pure.
type Store struct {
	// Acknowledges returns an item that the observed node promises to keep.
	Acknowledges Reading
	// Forgets returns an item that the observed node may lose from now on, because it removes or replaces the item.
	// Nil: no item is forgotten. After a new acknowledgement the node must keep the item again.
	Forgets Reading
	// Shows reports whether the observed node shows all that it has, and returns a function that reports whether an
	// item is part of it.
	Shows func(o model.Observation) (has func(item any) bool, ok bool)
}

// StoreNotes recognizes notes that are strings, as programs make them with sim.Note:
//
//	keeps ITEM
//	forgets ITEM
//	shows ITEM ITEM …
//
// Items that are shown have no spaces.
var StoreNotes = Store{
	Acknowledges: func(o model.Observation) (any, bool) { return o.Note("keeps ") },
	Forgets:      func(o model.Observation) (any, bool) { return o.Note("forgets ") },
	Shows: func(o model.Observation) (func(any) bool, bool) {
		all, ok := o.Note("shows ")
		return func(item any) bool { return slices.Contains(strings.Fields(all), item.(string)) }, ok
	},
}

// Durable claims that a node that shows what it has, has each item that it acknowledged, also after crashes. Kind
// always. A run tests it if a node shows what it has after a crash that followed an acknowledgement.
func (s Store) Durable() model.Claim {
	return model.Claim{Name: "what is acknowledged is durable", Kind: model.Always, Monitor: func(*model.System) model.Monitor {
		return &durable{store: s}
	}}
}

type durable struct {
	store   Store
	Kept    map[model.NodeID][]any // what a node has acknowledged and not forgotten, in the order of acknowledgements
	Crashed map[model.NodeID]bool  // the node has crashed with something kept
}

func (d *durable) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed && len(d.Kept[o.Node]) > 0 {
		d.Crashed[o.Node] = true
	}
	if item, ok := d.store.Acknowledges(o); ok && !slices.ContainsFunc(d.Kept[o.Node], same(item)) {
		d.Kept[o.Node] = append(d.Kept[o.Node], item)
	}
	if d.store.Forgets != nil {
		if item, ok := d.store.Forgets(o); ok {
			d.Kept[o.Node] = slices.DeleteFunc(d.Kept[o.Node], same(item))
		}
	}
	if has, ok := d.store.Shows(o); ok {
		d.shown(w, o.Node, has)
	}
}

// shown reports the first item that a node has lost.
func (d *durable) shown(w model.Watch, node model.NodeID, has func(item any) bool) {
	if d.Crashed[node] {
		w.Witness()
	}
	for _, item := range d.Kept[node] {
		if !has(item) {
			w.Violate("it has lost %v, which it had acknowledged", item)
			return
		}
	}
}

// same returns a function that reports whether a value is equal to the item.
func same(item any) func(any) bool {
	return func(other any) bool { return reflect.DeepEqual(item, other) }
}

// Converge claims that finally all nodes of a role that are up have shown a state, and show the same state. Only
// the last state counts that a node has shown since it started. Kind eventually, no assumptions.
func Converge(role model.Role, shows Reading) model.Claim {
	return model.Claim{
		Name: "replicas converge", Kind: model.Eventually,
		Monitor: func(s *model.System) model.Monitor {
			return &replicas{shows: shows, nodes: s.IDs(func(n model.NodeSpec) bool { return n.Role == role })}
		},
	}
}

type replicas struct {
	shows Reading
	nodes []model.NodeID
	Down  map[model.NodeID]bool
	State map[model.NodeID]any
}

func (r *replicas) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Crashed:
		r.Down[o.Node] = true
		delete(r.State, o.Node)
	case model.Recovered:
		delete(r.Down, o.Node)
	}
	if state, ok := r.shows(o); ok {
		w.Witness()
		r.State[o.Node] = state
	}
}

// Reached reports whether all nodes that are up show the same state.
func (r *replicas) Reached() bool {
	var first []any
	for _, id := range r.nodes {
		state, shown := r.State[id]
		if r.Down[id] {
			continue
		}
		if first = append(first, state); !shown || !reflect.DeepEqual(first[0], state) {
			return false
		}
	}
	return true
}
