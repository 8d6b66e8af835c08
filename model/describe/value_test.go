package describe_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/describe"
)

func names(id model.NodeID) string { return fmt.Sprintf("s%d", id+1) }

// status writes itself.
type status int

func (s status) String() string { return [...]string{"free", "locked"}[s] }

type (
	color string
	leaf  struct {
		On   bool
		I8   int8
		Name string
	}
	pair struct{ From, To model.NodeID }
	cell struct {
		size int //nolint:unused // configuration
		Full bool
	}
)

func TestValue(t *testing.T) {
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
		assert.Equal(t, tc.want, describe.Value(tc.value, names), "%#v", tc.value)
	}
	assert.Equal(t, "pair{0, 1}", describe.Value(pair{0, 1}, nil), "without names, ids are numbers")
}

// A missing field is omitted, like an empty field.
func TestMissing(t *testing.T) {
	type entry struct {
		Term, Value int
		Of          model.Optional[model.NodeID]
	}
	assert.Equal(t, "entry{Term: 1}", describe.Value(entry{Term: 1}, names))
	assert.Equal(t, "entry{Term: 1, Of: s2}", describe.Value(entry{Term: 1, Of: model.Some[model.NodeID](1)}, names))
}
