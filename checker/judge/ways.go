package judge

import (
	"cmp"
	"slices"

	"contend/model"
	"contend/model/value"
)

// A Way is an explanation of a history: the object's state, and the results of the pending calls that have
// taken effect.
type Way struct {
	State   any
	Effects []Result // by node
}

// A Result is the result of a pending call; Value is nil if the call never returns.
type Result struct {
	Node  model.NodeID
	At    int
	Value any
}

func (r Result) compare(o Result) int {
	return cmp.Or(cmp.Compare(r.Node, o.Node), cmp.Compare(r.At, o.At))
}

// find returns the index of a call's effect; -1 if the call has not taken effect.
func (w Way) find(node model.NodeID, at int) int {
	return slices.IndexFunc(w.Effects, func(r Result) bool { return r.Node == node && r.At == at })
}

// A ways is a set of minimal ways. Calls that never return need not take effect. If two ways differ only in
// such calls, the one with fewer effects explains every continuation that the other explains. So the other is
// omitted. With k such calls there are about as many ways as states, instead of 2^k. Ways are equal if their
// canonical bytes are; nil and empty are equal.
//
// The map groups ways by state and by the results of calls that may return.
type ways map[string][]keyed

// A keyed is a way with its canonical bytes.
type keyed struct {
	key  string
	lost []Result
	way  Way
}

// add adds a way. It reports whether the set had neither this way nor a smaller one.
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

// includes reports whether k contains all lost effects of another way of its group.
func (k keyed) includes(o keyed) bool {
	return !slices.ContainsFunc(o.lost, func(r Result) bool { return k.way.find(r.Node, r.At) < 0 })
}

// sorted returns the ways in a fixed order.
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
