package judge

import (
	"cmp"
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
	Ways  []Way  // distinct, in a fixed order, and least (see ways); none after a violation
}

// A Call is an operation that has not returned, or with an unknown result. It never will if its node has crashed.
type Call struct {
	Node model.NodeID
	At   int // its place in the node's script; see release and lost
	Op   any
}

func (c Call) compare(o Call) int {
	return cmp.Or(cmp.Compare(c.Node, o.Node), cmp.Compare(c.At, o.At))
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

// lost is the place of a call that never returns, below all others.
func lost(at int) int { return release - 1 - at }

// call takes in a call. What its node called before and has not returned never will.
func (l *linearizer) call(o model.Observation) {
	if o.Op != release {
		for i, c := range l.Calls {
			if c.Node == o.Node && c.At >= 0 {
				l.Calls[i].At = lost(c.At)
				l.loses(c)
			}
		}
	}
	l.Calls = append(l.Calls, Call{o.Node, o.Op, o.Value})
	slices.SortFunc(l.Calls, Call.compare)
}

// loses forgets what a call would have returned.
func (l *linearizer) loses(c Call) {
	kept := ways{}
	for _, way := range l.Ways {
		if i := way.find(c.Node, c.At); i >= 0 {
			way.Effects = slices.Clone(way.Effects)
			way.Effects[i] = Result{Node: c.Node, At: lost(c.At)}
			slices.SortFunc(way.Effects, Result.compare)
		}
		kept.add(way)
	}
	l.Ways = kept.sorted()
}

// returns keeps the ways in which the node's call has taken effect with this
// result.
func (l *linearizer) returns(w model.Watch, o model.Observation, result any) {
	if len(l.Ways) == 0 {
		return // broken already
	}
	kept := ways{}
	is := value.Canonical(result)
	for _, way := range l.closure(o.Node, o.Op) {
		if i := way.find(o.Node, o.Op); i >= 0 && value.Canonical(way.Effects[i].Value) == is {
			kept.add(Way{way.State, slices.Delete(slices.Clone(way.Effects), i, i+1)})
		}
	}
	l.Calls = slices.DeleteFunc(l.Calls, func(c Call) bool { return c.Node == o.Node && c.At == o.Op })
	l.Ways = kept.sorted()
	if len(l.Ways) == 0 {
		w.Violate("no order of the operations explains that it returns %v", result)
	}
}

// closure lets pending calls take effect in every order, up to the one that returns. What
// takes effect after it can wait until it must. It goes on from each way once, however many orders lead there.
func (l *linearizer) closure(node model.NodeID, at int) []Way {
	all, queue := ways{}, slices.Clone(l.Ways)
	for _, way := range queue {
		all.add(way)
	}
	for i := 0; i < len(queue); i++ {
		way := queue[i]
		if way.find(node, at) >= 0 {
			continue
		}
		for _, c := range l.Calls {
			if way.find(c.Node, c.At) >= 0 {
				continue
			}
			for _, e := range l.object.Step(way.State, c.Node, c.Op) {
				if next := l.take(way, c, e); all.add(next) {
					queue = append(queue, next)
				}
			}
		}
	}
	return all.sorted()
}

// take is a way in which one more call has taken effect.
func (l *linearizer) take(way Way, c Call, e model.Effect) Way {
	r := Result{c.Node, c.At, e.Result}
	if c.At < release {
		r.Value = nil
	}
	next := Way{e.State, append(slices.Clone(way.Effects), r)}
	slices.SortFunc(next.Effects, Result.compare)
	return next
}
