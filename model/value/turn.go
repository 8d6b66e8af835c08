package value

import (
	"math"
	"reflect"

	"contend/model"
)

// A handler that depends on the order in which Go goes through a map is found out by running it
// again on equal maps. That order is less random than it looks. A map of up to eight entries has
// eight places, which are taken in the order of insertion, and an iteration begins at a random
// place: of two entries the one put in first comes first seven times in eight, so that two runs
// on maps that were made alike agree 78 times in a hundred. A map is therefore made in turns: in
// turn k the k-th of its entries, in their canonical order, is put in first and the others follow
// in the round. Then two runs on two entries agree 22 times in a hundred, and further turns soon
// leave nothing.

// TurnedAny is [Codec.DecodeAny] with maps made in a turn. It returns besides how many entries
// the largest map has.
func (c *Codec) TurnedAny(b []byte, turn int) (v any, entries int) {
	d := decoder{c: c, b: b, turn: turn}
	t := d.tag()
	if t == nil {
		return nil, 0
	}
	held := reflect.New(t).Elem()
	d.into(held)
	return held.Interface(), d.entries
}

// TurnedNode is [Codec.DecodeNode] with maps made in a turn. It returns besides how many entries
// the largest map has.
func (c *Codec) TurnedNode(proto any, b []byte, turn int) (n model.Node, entries int) {
	made := reflect.New(reflect.TypeOf(proto).Elem())
	made.Elem().Set(reflect.ValueOf(proto).Elem())
	d := decoder{c: c, b: b, turn: turn}
	d.into(made.Elem())
	return made.Interface(), d.entries
}

// intoTurned reads n entries, and puts them into a map in a turn.
func (d *decoder) intoTurned(v reflect.Value, n int) {
	keys := reflect.MakeSlice(reflect.SliceOf(v.Type().Key()), n, n)
	vals := reflect.MakeSlice(reflect.SliceOf(v.Type().Elem()), n, n)
	for i := range n {
		d.into(keys.Index(i))
		d.into(vals.Index(i))
	}
	for i := range n {
		k := (d.turn + i) % n
		v.SetMapIndex(keys.Index(k), vals.Index(k))
	}
}

// small is how many entries a map has that keeps them in the order of insertion.
const small = 8

// Turns is in how many turns, from 0 on, a handler runs on a map before it may pass for one that
// does not care for the map's order: then one that cares only whether a certain entry comes first
// is missed with a probability below 10⁻⁶. In one round of n turns that entry never comes first
// with probability (n−1)/8·(7/8)ⁿ⁻¹: once it is put in first, and is then passed over by the n−1
// of eight beginnings that lie on other entries; n−1 times it is put in elsewhere, and comes first
// for one beginning of eight. That it always comes first is no likelier. Larger maps are spread by
// a hash of their own, and each entry comes first about once in n times.
func Turns(entries int) int {
	n := float64(entries)
	switch {
	case entries < 2:
		return 2
	case entries > small:
		return 15 * entries
	}
	missed := (n - 1) / small * math.Pow(7.0/8, n-1)
	return entries * int(math.Ceil(math.Log(0.5e-6)/math.Log(missed)))
}
