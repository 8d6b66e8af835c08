package value_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

// hider is a state type with a field that no codec can see.
type hider struct {
	Open int
	//lint:ignore U1000 it is refused by name
	hidden int
}

// cell is a separate node only inside a node.
type cell struct {
	//lint:ignore U1000 it is refused by name
	size int
	Full bool
}

func (*cell) Timeout(model.Env, any) {}

// again holds itself, through a list, and is plain.
type again struct{ Next []again }

// Nodes whose state is not plain. Each is a node because it embeds one.
type (
	base        struct{}
	withPointer struct {
		base
		P *int
	}
	withFunc struct {
		base
		F func()
	}
	withChan struct {
		base
		C chan int
	}
	withFloat struct {
		base
		R map[string]float64
	}
	withHidden struct {
		base
		H []hider
	}
	withKey struct {
		base
		M map[hider]int
	}
	withUintptr struct {
		base
		Deep struct{ A [2]uintptr }
	}
	withCells struct {
		base
		Cells []cell
	}
	withNode struct {
		base
		Cell cell
		Loop again
		//lint:ignore U1000 configuration may be anything
		conf *float64
	}
)

func (*base) Start(model.Env) {}

func TestNodesAreRefusedByName(t *testing.T) {
	for _, tc := range []struct {
		node any
		want string
	}{
		{&withPointer{}, "value_test.withPointer.P is a ptr (*int): state must be plain values"},
		{&withFunc{}, "value_test.withFunc.F is a func (func()): state must be plain values"},
		{&withChan{}, "value_test.withChan.C is a chan (chan int): state must be plain values"},
		{&withFloat{}, "value_test.withFloat.R[] is a float64 (float64): state must be plain values"},
		{&withHidden{}, "value_test.withHidden.H[].hidden is unexported: state inside a node must be exported"},
		{&withKey{}, "value_test.withKey.M key.hidden is unexported: state inside a node must be exported"},
		{&withUintptr{}, "value_test.withUintptr.Deep.A[] is a uintptr (uintptr): state must be plain values"},
		{&withCells{}, "value_test.withCells.Cells[].size is unexported: state inside a node must be exported"},
		{&withNode{}, ""},
		{&outer{}, ""},
		{outer{}, "a node or a monitor must be a pointer to a struct, not value_test.outer"},
		{new(int), "a node or a monitor must be a pointer to a struct, not *int"},
		{nil, "a node or a monitor must be a pointer to a struct, not <nil>"},
	} {
		err := value.CheckNode(tc.node)
		if tc.want == "" {
			assert.NoError(t, err, "%T", tc.node)
			continue
		}
		assert.EqualError(t, err, tc.want, "%T", tc.node)
	}
}

func TestTypesAreRefusedByName(t *testing.T) {
	type leaf struct{ A int } // called as the leaf of the package is
	for _, tc := range []struct {
		name  string
		types []any
		want  string
	}{
		{"nil", []any{nil}, "types: nil is not a type; list a value of each type"},
		{"a pointer", []any{&hider{}}, "types: *value_test.hider is a ptr (*value_test.hider): state must be plain values"},
		{"a float", []any{1.5}, "types: float64 is a float64 (float64): state must be plain values"},
		{"a func", []any{func() {}}, "types: func() is a func (func()): state must be plain values"},
		{"a hidden field", []any{[]hider{}}, "types: []value_test.hider[].hidden is unexported: state inside a node must be exported"},
		{"a node", []any{inner{}}, "types: value_test.inner.quorum is unexported: state inside a node must be exported"},
		{"two of one name", []any{globalLeaf, leaf{}}, "types: two types are called value_test.leaf"},
		{"the same twice", []any{pair{}, pair{}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := value.New(&model.System{Types: tc.types})
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, tc.want)
		})
	}
}

var globalLeaf = leaf{}

func TestNewNamesTheNode(t *testing.T) {
	s := &model.System{Nodes: []model.NodeSpec{
		{Name: "good", New: func() model.Node { return &outer{} }},
		{Name: "bad", New: func() model.Node { return &withPointer{} }},
		{Name: "liar", Byzantine: true},
	}}
	_, err := value.New(s)
	require.EqualError(t, err, "node bad: value_test.withPointer.P is a ptr (*int): state must be plain values")
	_, err = value.New(&model.System{}, 1.5)
	require.ErrorContains(t, err, "float64", "types given beside the system's are checked too")
}

// A value of an unlisted type is refused by its name, at any place.
func TestUnlisted(t *testing.T) {
	c := codec(t)
	const text = "type value_test.again is used as a message, key, result, state of an object or other interface value, but System.Types does not list it"
	for _, v := range []any{again{}, []any{again{}}, tree{Any: again{}}, model.Inner{Value: again{}}} {
		assert.PanicsWithError(t, text, func() { c.Any(v, nil) })
		assert.PanicsWithError(t, text, func() { c.Copy(v) })
		_, err := c.JSON(v)
		assert.EqualError(t, err, text)
	}
	assert.PanicsWithError(t, text, func() { c.Node(&outer{Tree: tree{Any: again{}}}, nil) })
	assert.Panics(t, func() { c.Copy(map[any]int{[3]bool{}: 1}) }, "as a key")
	assert.PanicsWithError(t, text, func() { c.Fresh(&outer{Tree: tree{Any: again{}}}) })
}
