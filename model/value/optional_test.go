package value_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
)

type holder struct {
	Owner  model.Optional[model.NodeID]
	Ballot model.Optional[ballot]
}

type ballot struct{ Round, By int }

func (*holder) Start(model.Env) {}

func optionals(t *testing.T) *value.Codec {
	t.Helper()
	c, err := value.New(&model.System{
		Nodes: []model.NodeSpec{{Name: "h", New: func() model.Node { return &holder{} }}},
		Types: []any{model.Optional[model.NodeID]{}, model.Optional[ballot]{}},
	})
	require.NoError(t, err)
	return c
}

// A missing, a zero and a present value are different, and each is decoded unchanged.
func TestOptionalsKeepTheirValue(t *testing.T) {
	c := optionals(t)
	seen := map[string]bool{}
	for _, n := range []*holder{
		{}, {Owner: model.Some[model.NodeID](0)}, {Owner: model.Some[model.NodeID](1)}, {Ballot: model.Some(ballot{})}, {Ballot: model.Some(ballot{2, 1})},
	} {
		b := c.Node(n, nil)
		assert.False(t, seen[string(b)], "%+v is encoded as another", n)
		seen[string(b)] = true
		assert.Equal(t, n, c.DecodeNode(&holder{}, b))
		assert.Equal(t, n, c.Fresh(n))
		raw, err := c.JSON(n.Ballot)
		require.NoError(t, err)
		back, err := c.FromJSON(raw)
		require.NoError(t, err)
		assert.Equal(t, n.Ballot, back)
	}
}

// A renaming renames a present node, and does not change a missing node.
func TestOptionalsAreRenamed(t *testing.T) {
	c := optionals(t)
	swap := value.Renaming{1, 0}
	assert.Equal(t, c.Node(&holder{Owner: model.Some[model.NodeID](1)}, nil), c.Node(&holder{Owner: model.Some[model.NodeID](0)}, swap))
	assert.Equal(t, c.Node(&holder{}, nil), c.Node(&holder{}, swap))
}

func TestOptionalsAreWritten(t *testing.T) {
	names := func(id model.NodeID) string { return []string{"a", "b"}[id] }
	assert.Equal(t, "holder{b, none}", describe.Value(holder{Owner: model.Some[model.NodeID](1)}, names))
	assert.Equal(t, "holder{none, ballot{2, 1}}", describe.Value(holder{Ballot: model.Some(ballot{2, 1})}, names))
}

func TestOptionalSays(t *testing.T) {
	v, known := model.Some(3).Get()
	assert.Equal(t, []any{3, true, 3, 7}, []any{v, known, model.Some(3).Or(7), model.Optional[int]{}.Or(7)})
}
