package judge

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/value"
)

// linearizer is the monitor of a linearizable object. Its state is what the rest of
// a history can depend on: the calls that have not returned, and each way in which
// those of them that have taken effect may have left the object.
type linearizer struct {
	object model.Object

	Calls []Call // pending, by node
	Ways  []Way  // distinct, in a fixed order; none after a violation
}

// A Call is an operation that has not returned.
type Call struct {
	Node model.NodeID
	Op   any
}

// A Way explains a history: the state of the object, and the results of the pending
// calls that have taken effect.
type Way struct {
	State   any
	Effects []Result // by node
}

// A Result is what a pending call will return.
type Result struct {
	Node  model.NodeID
	Value any
}

func newLinearizer(o model.Object) *linearizer {
	return &linearizer{object: o, Ways: []Way{{State: o.Init}}}
}

// Observe follows the history. A release takes effect at once.
func (l *linearizer) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		l.call(o.Node, o.Value)
	case model.Returned:
		w.Witness()
		l.returns(w, o.Node, o.Value)
	case model.Released:
		l.call(o.Node, o.Value)
		l.returns(w, o.Node, nil)
	}
}

func (l *linearizer) call(node model.NodeID, op any) {
	l.Calls = append(l.Calls, Call{node, op})
	slices.SortFunc(l.Calls, func(a, b Call) int { return int(a.Node - b.Node) })
}

// returns keeps the ways in which the node's call has taken effect with this
// result.
func (l *linearizer) returns(w model.Watch, node model.NodeID, result any) {
	if len(l.Ways) == 0 {
		return // broken already
	}
	var kept []Way
	is := value.Canonical(result)
	for _, way := range l.closure(node) {
		for i, r := range way.Effects {
			if r.Node == node && value.Canonical(r.Value) == is {
				kept = append(kept, Way{way.State, slices.Delete(slices.Clone(way.Effects), i, i+1)})
			}
		}
	}
	l.Calls = slices.DeleteFunc(l.Calls, func(c Call) bool { return c.Node == node })
	l.Ways = distinct(kept)
	if len(l.Ways) == 0 {
		w.Violate("no order of the operations explains that it returns %v", result)
	}
}

// closure lets pending calls take effect in every order, up to the node's. What
// takes effect after it can wait until it must.
func (l *linearizer) closure(node model.NodeID) []Way {
	all := slices.Clone(l.Ways)
	for i := 0; i < len(all); i++ {
		has := func(n model.NodeID) bool {
			return slices.ContainsFunc(all[i].Effects, func(r Result) bool { return r.Node == n })
		}
		if has(node) {
			continue
		}
		for _, c := range l.Calls {
			if has(c.Node) {
				continue
			}
			for _, e := range l.object.Step(all[i].State, c.Node, c.Op) {
				next := Way{e.State, append(slices.Clone(all[i].Effects), Result{c.Node, e.Result})}
				slices.SortFunc(next.Effects, func(a, b Result) int { return int(a.Node - b.Node) })
				all = append(all, next)
			}
		}
	}
	return distinct(all)
}

// distinct sorts ways and drops repeats. Ways are the same when their canonical bytes are, to
// which nil and empty are alike.
func distinct(ways []Way) []Way {
	by := map[string]Way{}
	for _, w := range ways {
		by[value.Canonical(w)] = w
	}
	var all []Way
	for _, key := range slices.Sorted(maps.Keys(by)) {
		all = append(all, by[key])
	}
	return all
}
