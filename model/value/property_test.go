package value_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"contend/model"
	"contend/model/value"
)

var ids = rapid.Int32Range(-1, 4)

func drawPair(t *rapid.T) pair {
	return pair{model.NodeID(ids.Draw(t, "from")), model.NodeID(ids.Draw(t, "to"))}
}

func drawTree(t *rapid.T, depth int) tree {
	v := tree{
		Leaf: leaf{
			On: rapid.Bool().Draw(t, "on"), I8: rapid.Int8().Draw(t, "i8"), I64: rapid.Int64().Draw(t, "i64"),
			U8: rapid.Uint8().Draw(t, "u8"), U64: rapid.Uint64().Draw(t, "u64"), Name: rapid.String().Draw(t, "name"),
		},
		Grid: [2]int{rapid.Int().Draw(t, "g0"), rapid.IntRange(math.MinInt, math.MaxInt).Draw(t, "g1")},
		ByID: map[model.NodeID]bool{}, ByPair: map[pair]string{},
	}
	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		v.ByID[model.NodeID(ids.Draw(t, "id"))] = rapid.Bool().Draw(t, "value")
		v.ByPair[drawPair(t)] = rapid.StringN(0, 3, -1).Draw(t, "label")
	}
	v.Any = drawAny(t, depth)
	for range rapid.IntRange(0, depth).Draw(t, "kids") {
		v.Kids = append(v.Kids, drawTree(t, depth-1))
	}
	return v
}

// drawAny returns a random value of a listed type.
func drawAny(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Int().Draw(t, "int")
	case 2:
		return color(rapid.String().Draw(t, "color"))
	case 3:
		return model.NodeID(ids.Draw(t, "id"))
	case 4:
		return drawPair(t)
	case 5:
		return rapid.SliceOfN(rapid.Int(), 0, 3).Draw(t, "ints")
	case 6:
		return map[any]int{drawPair(t): 1, rapid.Int().Draw(t, "key"): 2}
	case 7:
		return model.Inner{Tag: rapid.String().Draw(t, "tag"), Value: drawPair(t)}
	case 8:
		return uint64(rapid.Uint64().Draw(t, "uint64"))
	}
	if depth == 0 {
		return false
	}
	return []any{drawAny(t, depth-1), drawTree(t, depth-1)}
}

// A value survives its bytes and its JSON; two values have the same bytes exactly
// when they are equal; a permutation of the ids is undone by its inverse.
func TestRandomValues(t *testing.T) {
	c := codec(t)
	inverse := []value.Renaming{{0, 1, 2, 3, 4}, {4, 0, 1, 2, 3}, {1, 2, 3, 4, 0}}
	rapid.Check(t, func(t *rapid.T) {
		v, other := drawAny(t, 2), drawAny(t, 2)
		b := c.Any(v, nil)
		back := c.DecodeAny(b)
		if diff := cmp.Diff(v, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("decoded: %s", diff)
		}
		if equal := cmp.Equal(v, other, cmpopts.EquateEmpty()); equal != bytes.Equal(b, c.Any(other, nil)) {
			t.Fatalf("%#v and %#v: equal %v, but not so their bytes", v, other, equal)
		}
		text, err := c.JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := c.FromJSON(text); err != nil || !bytes.Equal(b, c.Any(read, nil)) {
			t.Fatalf("%s was read as %#v: %v", text, read, err)
		}
		renamed := c.DecodeAny(c.Any(v, inverse[1]))
		if !bytes.Equal(b, c.Any(renamed, inverse[2])) {
			t.Fatalf("%#v renamed is %#v, which does not rename back", v, renamed)
		}
	})
}
