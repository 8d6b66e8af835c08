package value

import (
	"math"
	"reflect"

	"contend/model"
)

// A second run of a handler on equal maps can detect that it depends on the order of iteration. This order is
// not very random. A map of up to eight entries has eight slots in the order of insertion, and iteration
// begins at a random slot. Of two entries the entry inserted first comes first seven times in eight. So two
// runs on maps with equal insertions agree with probability 0.78. Therefore maps are created in turns. In
// turn k the k-th entry in canonical order is inserted first, and the others follow cyclically. Then two runs
// on two entries agree with probability 0.22, and further turns reduce it quickly.

// TurnedAny is [Codec.DecodeAny] with maps made in the given turn. It also returns the number of entries of the
// largest map.
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

// TurnedNode is [Codec.DecodeNode] with maps made in the given turn. It also returns the number of entries of
// the largest map.
func (c *Codec) TurnedNode(proto any, b []byte, turn int) (n model.Node, entries int) {
	made := reflect.New(reflect.TypeOf(proto).Elem())
	made.Elem().Set(reflect.ValueOf(proto).Elem())
	d := decoder{c: c, b: b, turn: turn}
	d.into(made.Elem())
	return made.Interface(), d.entries
}

// intoTurned decodes n entries into a map, in the present turn.
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

// small is the largest number of entries of a map that keeps the order of insertion.
const small = 8

// Turns returns the number of turns in which a handler must run on a map with the given number of entries.
// After these turns the handler is assumed to be independent of the map's order. A handler that only depends
// on which entry comes first is then missed with a probability below 10⁻⁶.
//
// In n turns a given entry never comes first with probability (n−1)/8·(7/8)ⁿ⁻¹. In one turn it is inserted
// first, and is missed by the n−1 of eight beginnings at other entries. In n−1 turns it is inserted
// elsewhere, and comes first for one beginning of eight. An entry that always comes first is not more likely.
// Larger maps have a separate hash, and each entry comes first about once in n times.
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
