package value_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/value"
)

func names(id model.NodeID) string { return fmt.Sprintf("s%d", id+1) }

// status writes itself.
type status int

func (s status) String() string { return [...]string{"free", "locked"}[s] }

func TestFormat(t *testing.T) {
	for _, tc := range []struct {
		value any
		want  string
	}{
		{nil, "nil"},
		{true, "true"},
		{-3, "-3"},
		{"a\n", `"a\n"`},
		{color("red"), `"red"`},
		{model.NodeID(0), "s1"},
		{status(1), "locked"},
		{[]status{0, 1}, "[free, locked]"},
		{[2]bool{}, "[false, false]"},
		{[]int(nil), "[]"},
		{map[string]int(nil), "{}"},
		{map[model.NodeID]status{1: 1, 0: 0}, "{s1: free, s2: locked}"},
		{struct{}{}, "{}"},
		{pair{0, 1}, "pair{s1, s2}"},
		{[]any{nil, pair{}}, "[nil, pair{s1, s1}]"},
		{model.Inner{Tag: "a", Value: 1}, `Inner{"a", 1}`},
		{leaf{Name: "x"}, `leaf{Name: "x"}`},
		{leaf{I8: 1}, `leaf{I8: 1}`},
		{&cell{size: 4, Full: true}, "cell{true}"},
		{(*cell)(nil), "nil"},
	} {
		assert.Equal(t, tc.want, value.Format(tc.value, names), "%#v", tc.value)
	}
	assert.Equal(t, "pair{0, 1}", value.Format(pair{0, 1}, nil), "without names, ids are numbers")
}

func TestDiff(t *testing.T) {
	c, before := codec(t), sample()
	after := c.Fresh(before).(*outer)
	assert.Empty(t, value.Diff(before, after, names))
	after.Lists["red"] = nil
	after.Inner.Heard[0] = 1
	after.Inner.quorum = 9 // configuration is no news
	assert.Equal(t, []value.Change{
		{Field: "Lists", Before: `{"red": [s3, s1]}`, After: `{"red": []}`},
		{Field: "Inner.Heard", Before: "{s2: 5}", After: "{s1: 1, s2: 5}"},
	}, value.Diff(before, after, names))
	assert.Empty(t, value.Diff(nil, after, names), "a node that was down has no state to compare")
	assert.Empty(t, value.Diff(before, nil, names))
}

// Base is a node that another embeds.
type Base struct{ Held bool }

func (*Base) Receive(model.Env, model.NodeID, any) {}

type embeds struct {
	Base
	Count int
}

// What is embedded goes by the name of its field alone, as in Go.
func TestEmbedded(t *testing.T) {
	before, after := &embeds{}, &embeds{Base{true}, 2}
	assert.Equal(t, []value.Change{
		{Field: "Held", Before: "false", After: "true"}, {Field: "Count", Before: "0", After: "2"},
	}, value.Diff(before, after, names))
	assert.Equal(t, []value.Field{{Name: "Held", Is: "true"}, {Name: "Count", Is: "2"}}, value.Fields(after, names))
}

// A missing field of many is left out, like an empty one.
func TestMissing(t *testing.T) {
	type entry struct {
		Term, Value int
		Of          model.Optional[model.NodeID]
	}
	assert.Equal(t, "entry{Term: 1}", value.Format(entry{Term: 1}, names))
	assert.Equal(t, "entry{Term: 1, Of: s2}", value.Format(entry{Term: 1, Of: model.Some[model.NodeID](1)}, names))
}
