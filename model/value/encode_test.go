package value_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// alike has classes of equal values: two values have the same bytes exactly if they are in one class.
var alike = []struct {
	name   string
	values []any
}{
	{"nil", []any{nil}},
	{"false", []any{false}},
	{"true", []any{true}},
	{"zero", []any{0}},
	{"minus one", []any{-1}},
	{"zero of another type", []any{int64(0)}},
	{"the least integer", []any{int64(math.MinInt64)}},
	{"the largest integer", []any{int64(math.MaxInt64)}},
	{"a narrow integer", []any{int8(-128)}},
	{"the largest unsigned integer", []any{uint64(math.MaxUint64)}},
	{"a node", []any{model.NodeID(1)}},
	{"no text", []any{""}},
	{"text", []any{"ab"}},
	{"text that is no UTF-8", []any{"\xff"}},
	{"text of a named type", []any{color("ab")}},
	{"no list", []any{[]int(nil), []int{}, make([]int, 0, 8)}},
	{"a list", []any{[]int{1, 2}, append(make([]int, 0, 8), 1, 2)}},
	{"the list backwards", []any{[]int{2, 1}}},
	{"bytes", []any{[]byte{1, 2}}},
	{"an array", []any{[2]bool{true, false}}},
	{"another array", []any{[2]bool{false, true}}},
	{"no map", []any{map[string]int(nil), map[string]int{}}},
	{"a map", []any{map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}}},
	{"a map with its values exchanged", []any{map[string]int{"a": 2, "b": 1}}},
	{"lists of lists, cut in other places", []any{[]any{[]int{1}, []int{2}}}},
	{"one list of both", []any{[]any{[]int{1, 2}, []int{}}, []any{[]int{1, 2}, []int(nil)}}},
	{"texts", []any{[]any{"a", "bc"}}},
	{"texts, cut in another place", []any{[]any{"ab", "c"}}},
	{"a list of nil", []any{[]any{nil}}},
	{"a list of false", []any{[]any{false}}},
	{"mixed keys", []any{map[any]int{0: 1, false: 2}, map[any]int{false: 2, 0: 1}}},
	{"a struct", []any{leaf{On: true, I8: -1, U64: 1 << 63, Name: "x"}}},
	{"a tree without anything", []any{tree{}, tree{Kids: []tree{}, ByID: map[model.NodeID]bool{}, ByPair: map[pair]string{}}}},
	{"a tree with an empty tree in it", []any{tree{Kids: []tree{{}}}, tree{Kids: []tree{{Kids: []tree{}}}}}},
	{"a tree that holds one", []any{tree{Any: tree{}}}},
	{"a map to false is not the empty map", []any{tree{ByID: map[model.NodeID]bool{1: false}}}},
	{"keys that are structs", []any{tree{ByPair: map[pair]string{{1, 2}: "a", {2, 1}: "b"}}, tree{ByPair: map[pair]string{{2, 1}: "b", {1, 2}: "a"}}}},
	{"a wrapped value", []any{model.Inner{Tag: "t", Value: 1}}},
}

func TestEqualValuesHaveEqualBytes(t *testing.T) {
	c := codec(t)
	owner := map[string]string{}
	for _, class := range alike {
		first := c.Any(class.values[0], nil)
		for _, v := range class.values {
			assert.Equal(t, first, c.Any(v, nil), "%s: %#v", class.name, v)
		}
		assert.Empty(t, owner[string(first)], "%s has the bytes of another", class.name)
		owner[string(first)] = class.name
	}
}

// A big map is visited in many orders; its bytes are the same each time.
func TestMapOrderIsIrrelevant(t *testing.T) {
	c := codec(t)
	up, down := map[string]int{}, map[string]int{}
	for i := range 100 {
		up[fmt.Sprint(i)], down[fmt.Sprint(99-i)] = i, 99-i
	}
	for range 10 {
		require.Equal(t, c.Any(up, nil), c.Any(down, nil))
	}
}

func TestDecodeIsTheInverse(t *testing.T) {
	c := codec(t)
	for _, class := range alike {
		for _, v := range class.values {
			back := c.DecodeAny(c.Any(v, nil))
			if diff := cmp.Diff(v, back, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: %s", class.name, diff)
			}
			assert.True(t, bytes.Equal(c.Any(v, nil), c.Any(back, nil)), class.name)
		}
	}
}

func sample() *outer {
	peers := []model.NodeID{0, 1, 2}
	return &outer{
		peers: &peers,
		Tree:  tree{Leaf: leaf{Name: "root"}, Kids: []tree{{Any: pair{0, 1}}}, ByID: map[model.NodeID]bool{0: true}},
		Lists: map[color][]model.NodeID{"red": {2, 0}},
		Inner: inner{quorum: 3, Heard: map[model.NodeID]int{1: 5}},
		Twin:  inner{quorum: 4},
	}
}

func TestDecodedNode(t *testing.T) {
	c, n := codec(t), sample()
	got := c.DecodeNode(n, c.Node(n, nil)).(*outer)
	diff := cmp.Diff(n, got, cmp.AllowUnexported(outer{}, inner{}), cmpopts.EquateEmpty())
	assert.Empty(t, diff, "state and configuration are those of the node")
	assert.Same(t, n.peers, got.peers, "configuration is shared, not copied")
}

// The state comes from the bytes alone, the configuration from the prototype, in
// nodes within nodes too.
func TestDecodedNodeTakesNoStateFromThePrototype(t *testing.T) {
	c, n := codec(t), sample()
	proto := sample()
	proto.Tree.Leaf.Name, proto.Inner.quorum, proto.Lists["blue"] = "other", 9, []model.NodeID{1}
	got := c.DecodeNode(proto, c.Node(n, nil)).(*outer)
	assert.Equal(t, "root", got.Tree.Leaf.Name)
	assert.Equal(t, 9, got.Inner.quorum)
	assert.NotContains(t, got.Lists, color("blue"))
}

func TestMapsOfADecodedNodeAreNeverNil(t *testing.T) {
	c := codec(t)
	got := c.Fresh(&outer{Tree: tree{Kids: []tree{{}}}}).(*outer)
	assert.NotNil(t, got.Tree.ByID)
	assert.NotNil(t, got.Tree.ByPair)
	assert.NotNil(t, got.Tree.Kids[0].ByID)
	assert.NotNil(t, got.Lists)
	assert.NotNil(t, got.Inner.Heard)
	assert.NotNil(t, got.Twin.Heard)
}

func TestFreshSharesNoState(t *testing.T) {
	c, n := codec(t), sample()
	before := c.Node(n, nil)
	got := c.Fresh(n).(*outer)
	got.Tree.Kids[0].Any = "changed"
	got.Tree.ByID[7] = true
	got.Lists["red"][0] = 1
	got.Inner.Heard[1] = 6
	assert.Equal(t, before, c.Node(n, nil))
	assert.NotEqual(t, before, c.Node(got, nil))
}
