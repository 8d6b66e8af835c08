package judge

import (
	"cmp"
	"slices"

	"contend/model"
	"contend/model/value"
)

// A linearizer is the monitor of a linearizable object. Its state determines the rest of a history: the calls
// without a return, and the possible states of the object with the effects of these calls.
type linearizer struct {
	object model.Object

	Calls []Call // pending, by node; a node has several after a crash or an unknown result
	Ways  []Way  // distinct, minimal (see ways), in a fixed order; none after a violation
}

// A Call is an operation without a return, or with an unknown result. It never returns if its node has
// crashed.
type Call struct {
	Node model.NodeID
	At   int // index in the node's script; see release and lost
	Op   any
}

func (c Call) compare(o Call) int {
	return cmp.Or(cmp.Compare(c.Node, o.Node), cmp.Compare(c.At, o.At))
}

func newLinearizer(o model.Object) *linearizer {
	return &linearizer{object: o, Ways: []Way{{State: o.Init}}}
}

// Observe updates the ways after an observation. A release takes effect at once.
func (l *linearizer) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		l.call(o)
	case model.Returned:
		if !l.object.Knows(o.Value) {
			return // the call stays open
		}
		w.Witness()
		l.completeCall(w, o, o.Value)
	case model.Released:
		o.Op = release
		l.call(o)
		l.completeCall(w, o, nil)
	}
}

// release is the index of every release: a release returns at once.
const release = -1

// lost returns the index of a call that never returns. It is below all others.
func lost(at int) int { return release - 1 - at }

// call adds a call. The node's earlier calls will never return.
func (l *linearizer) call(o model.Observation) {
	if o.Op != release {
		for i, c := range l.Calls {
			if c.Node == o.Node && c.At >= 0 {
				l.Calls[i].At = lost(c.At)
				l.loseResult(c)
			}
		}
	}
	l.Calls = append(l.Calls, Call{o.Node, o.Op, o.Value})
	slices.SortFunc(l.Calls, Call.compare)
}

// loseResult removes the result of a call that never returns.
func (l *linearizer) loseResult(c Call) {
	all := ways{}
	for _, way := range l.Ways {
		if i := way.find(c.Node, c.At); i >= 0 {
			way.Effects = slices.Clone(way.Effects)
			way.Effects[i] = Result{Node: c.Node, At: lost(c.At)}
			slices.SortFunc(way.Effects, Result.compare)
		}
		all.add(way)
	}
	l.Ways = all.sorted()
}

// completeCall retains the ways in which the node's call has taken effect with this result.
func (l *linearizer) completeCall(w model.Watch, o model.Observation, result any) {
	if len(l.Ways) == 0 {
		return // violated before
	}
	all := ways{}
	canonical := value.Canonical(result)
	for _, way := range l.closure(o.Node, o.Op) {
		if i := way.find(o.Node, o.Op); i >= 0 && value.Canonical(way.Effects[i].Value) == canonical {
			all.add(Way{way.State, slices.Delete(slices.Clone(way.Effects), i, i+1)})
		}
	}
	l.Calls = slices.DeleteFunc(l.Calls, func(c Call) bool { return c.Node == o.Node && c.At == o.Op })
	l.Ways = all.sorted()
	if len(l.Ways) == 0 {
		w.Violate("no order of the operations explains that it returns %v", result)
	}
}

// closure returns the ways after any pending calls took effect in any order, up to the returning call. The
// others can take effect later. It extends each way once, even if several orders lead to it.
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
				if next := l.effect(way, c, e); all.add(next) {
					queue = append(queue, next)
				}
			}
		}
	}
	return all.sorted()
}

// effect returns a way in which one more call has taken effect.
func (l *linearizer) effect(way Way, c Call, e model.Effect) Way {
	r := Result{c.Node, c.At, e.Result}
	if c.At < release {
		r.Value = nil
	}
	next := Way{e.State, append(slices.Clone(way.Effects), r)}
	slices.SortFunc(next.Effects, Result.compare)
	return next
}
