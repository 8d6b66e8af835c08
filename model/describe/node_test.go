package describe_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
)

// inner is a node that outer contains by value.
type inner struct {
	quorum int
	Heard  map[model.NodeID]int
}

func (*inner) Receive(model.Env, model.NodeID, any) {}

type outer struct {
	Lists map[color][]model.NodeID
	Inner inner
}

func (*outer) Invoke(model.Env, any) {}

func TestDiff(t *testing.T) {
	c, err := value.New(&model.System{Types: []any{color("")}})
	require.NoError(t, err)
	before := &outer{Lists: map[color][]model.NodeID{"red": {2, 0}}, Inner: inner{quorum: 3, Heard: map[model.NodeID]int{1: 5}}}
	after := c.Fresh(before).(*outer)
	assert.Empty(t, describe.Diff(before, after, names))
	after.Lists["red"] = nil
	after.Inner.Heard[0] = 1
	after.Inner.quorum = 9 // configuration is no news
	assert.Equal(t, []describe.Change{
		{Field: "Lists", Before: `{"red": [s3, s1]}`, After: `{"red": []}`},
		{Field: "Inner.Heard", Before: "{s2: 5}", After: "{s1: 1, s2: 5}"},
	}, describe.Diff(before, after, names))
	assert.Empty(t, describe.Diff(nil, after, names), "a node that was down has no state to compare")
	assert.Empty(t, describe.Diff(before, nil, names))
}

// Base is a node that another embeds.
type Base struct{ Held bool }

func (*Base) Receive(model.Env, model.NodeID, any) {}

type embeds struct {
	Base
	Count int
}

// An embedded field has the field's name alone, as in Go.
func TestEmbedded(t *testing.T) {
	before, after := &embeds{}, &embeds{Base{true}, 2}
	assert.Equal(t, []describe.Change{
		{Field: "Held", Before: "false", After: "true"}, {Field: "Count", Before: "0", After: "2"},
	}, describe.Diff(before, after, names))
	assert.Equal(t, []describe.Field{{Name: "Held", Is: "true"}, {Name: "Count", Is: "2"}}, describe.Fields(after, names))
}
