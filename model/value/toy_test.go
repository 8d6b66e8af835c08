package value_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

// Plain values of every kind that state may have.
type (
	color string
	leaf  struct {
		On   bool
		I8   int8
		I64  int64
		U8   uint8
		U64  uint64
		Name string
	}
	pair struct{ From, To model.NodeID }
	tree struct {
		Leaf   leaf
		Kids   []tree
		Grid   [2]int
		ByID   map[model.NodeID]bool
		ByPair map[pair]string
		Any    any
	}
)

// inner is a node that outer contains by value.
type inner struct {
	quorum int
	Heard  map[model.NodeID]int
}

func (*inner) Receive(model.Env, model.NodeID, any) {}

// outer is a node with configuration. Its state has every shape.
type outer struct {
	peers *[]model.NodeID
	Tree  tree
	Lists map[color][]model.NodeID
	Inner inner
	Twin  inner
}

func (*outer) Invoke(model.Env, any) {}

// types are the types listed by the codec of these tests.
var types = []any{leaf{}, pair{}, tree{}, color(""), []int{}, [2]bool{}, map[string]int{}, []any{}, map[any]int{}, uint64(0), int8(0), []byte{}}

func codec(t testing.TB) *value.Codec {
	t.Helper()
	c, err := value.New(&model.System{Types: types})
	require.NoError(t, err)
	return c
}
