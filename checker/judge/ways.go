package judge

import (
	"cmp"
	"slices"

	"contend/model"
	"contend/model/value"
)

// A Way explains a history: the state of the object, and the results of the pending
// calls that have taken effect.
type Way struct {
	State   any
	Effects []Result // by node
}

// A Result is what a pending call will return; its Value is nil if it never will.
type Result struct {
	Node  model.NodeID
	At    int
	Value any
}

func (r Result) compare(o Result) int {
	return cmp.Or(cmp.Compare(r.Node, o.Node), cmp.Compare(r.At, o.At))
}

// find is the index of the effect of a call, and -1 if it has not taken effect.
func (w Way) find(node model.NodeID, at int) int {
	return slices.IndexFunc(w.Effects, func(r Result) bool { return r.Node == node && r.At == at })
}

// ways are the least that explain a history. A call that will never return need not take effect. So of two ways that differ only in such
// calls, what explains the rest of a history after the one explains it after another in which fewer of them have taken effect, and the one
// is left out: with k such calls there are not 2^k ways, but about as many as states. Of ways that are the same one is kept. Ways are the same
// when their canonical bytes are, to which nil and empty are alike.
//
// They are listed by the state and by the results of the calls that may return.
type ways map[string][]keyed

// keyed is a way with its canonical bytes.
type keyed struct {
	key  string
	lost []Result
	way  Way
}

// add adds a way and reports whether it is new, and no lesser one is there.
func (ws ways) add(w Way) bool {
	k := keyed{key: value.Canonical(w), way: w}
	for _, r := range w.Effects {
		if r.At < release {
			k.lost = append(k.lost, r)
		}
	}
	group := k.key
	if len(k.lost) > 0 {
		group = value.Canonical(Way{w.State, slices.DeleteFunc(slices.Clone(w.Effects), func(r Result) bool { return r.At < release })})
	}
	if slices.ContainsFunc(ws[group], k.includes) {
		return false
	}
	ws[group] = append(slices.DeleteFunc(ws[group], func(o keyed) bool { return o.includes(k) }), k)
	return true
}

// includes reports whether in k all calls have taken effect that have in another way of the same group.
func (k keyed) includes(o keyed) bool {
	return !slices.ContainsFunc(o.lost, func(r Result) bool { return k.way.find(r.Node, r.At) < 0 })
}

// sorted are the ways in a fixed order.
func (ws ways) sorted() (all []Way) {
	var list []keyed
	for _, group := range ws {
		list = append(list, group...)
	}
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for _, k := range list {
		all = append(all, k.way)
	}
	return all
}
