package judge

import (
	"cmp"
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

	Calls []Call // pending, by node; of a node that crashed, or whose calls had unknown results, more than one may be
	Ways  []Way  // distinct, in a fixed order; none after a violation
}

// A Call is an operation that has not returned, or with an unknown result. It never will if its node has crashed.
type Call struct {
	Node model.NodeID
	At   int // its place in the node's script
	Op   any
}

func (c Call) compare(o Call) int {
	return cmp.Or(cmp.Compare(c.Node, o.Node), cmp.Compare(c.At, o.At))
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
	At    int
	Value any
}

func (r Result) of(node model.NodeID, at int) bool { return r.Node == node && r.At == at }

func (r Result) compare(o Result) int {
	return cmp.Or(cmp.Compare(r.Node, o.Node), cmp.Compare(r.At, o.At))
}

func newLinearizer(o model.Object) *linearizer {
	return &linearizer{object: o, Ways: []Way{{State: o.Init}}}
}

// Observe follows the history. A release takes effect at once.
func (l *linearizer) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		l.call(o)
	case model.Returned:
		if !l.object.Knows(o.Value) {
			return // the call stays open
		}
		w.Witness()
		l.returns(w, o, o.Value)
	case model.Released:
		o.Op = release
		l.call(o)
		l.returns(w, o, nil)
	}
}

// release stands in place of an operation's: one is over at once.
const release = -1

func (l *linearizer) call(o model.Observation) {
	l.Calls = append(l.Calls, Call{o.Node, o.Op, o.Value})
	slices.SortFunc(l.Calls, Call.compare)
}

// returns keeps the ways in which the node's call has taken effect with this
// result.
func (l *linearizer) returns(w model.Watch, o model.Observation, result any) {
	if len(l.Ways) == 0 {
		return // broken already
	}
	var kept []Way
	is := value.Canonical(result)
	for _, way := range l.closure(o.Node, o.Op) {
		for i, r := range way.Effects {
			if r.of(o.Node, o.Op) && value.Canonical(r.Value) == is {
				kept = append(kept, Way{way.State, slices.Delete(slices.Clone(way.Effects), i, i+1)})
			}
		}
	}
	l.Calls = slices.DeleteFunc(l.Calls, func(c Call) bool { return c.Node == o.Node && c.At == o.Op })
	l.Ways = distinct(kept)
	if len(l.Ways) == 0 {
		w.Violate("no order of the operations explains that it returns %v", result)
	}
}

// closure lets pending calls take effect in every order, up to the one that returns. What
// takes effect after it can wait until it must.
func (l *linearizer) closure(node model.NodeID, at int) []Way {
	all := slices.Clone(l.Ways)
	for i := 0; i < len(all); i++ {
		has := func(node model.NodeID, at int) bool {
			return slices.ContainsFunc(all[i].Effects, func(r Result) bool { return r.of(node, at) })
		}
		if has(node, at) {
			continue
		}
		for _, c := range l.Calls {
			if has(c.Node, c.At) {
				continue
			}
			for _, e := range l.object.Step(all[i].State, c.Node, c.Op) {
				next := Way{e.State, append(slices.Clone(all[i].Effects), Result{c.Node, c.At, e.Result})}
				slices.SortFunc(next.Effects, Result.compare)
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
