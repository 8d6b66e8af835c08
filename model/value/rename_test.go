package value_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/value"
)

// swap exchanges the nodes 0 and 1; 2 keeps its name.
var swap = value.Renaming{1, 0, 2}

// A renaming renames every node id, at any place, and nothing else.
func TestRenaming(t *testing.T) {
	type ids = []model.NodeID
	for _, tc := range []struct {
		name           string
		value, renamed any
	}{
		{"an id", model.NodeID(0), model.NodeID(1)},
		{"an id that keeps its name", model.NodeID(2), model.NodeID(2)},
		{"an id outside the renaming", model.NodeID(3), model.NodeID(3)},
		{"no id", model.NodeID(-1), model.NodeID(-1)},
		{"an integer is no id", 0, 0},
		{"fields", pair{0, 2}, pair{1, 2}},
		{"interfaces", []any{model.NodeID(0), 0}, []any{model.NodeID(1), 0}},
		{"map keys", tree{ByID: map[model.NodeID]bool{0: true, 1: false}}, tree{ByID: map[model.NodeID]bool{1: true, 0: false}}},
		{"map keys that are structs", tree{ByPair: map[pair]string{{0, 1}: "a"}}, tree{ByPair: map[pair]string{{1, 0}: "a"}}},
		{"map keys in interfaces", map[any]int{model.NodeID(0): 1, 1: 2}, map[any]int{model.NodeID(1): 1, 1: 2}},
		{"nested", tree{Kids: []tree{{Any: pair{0, 1}}}}, tree{Kids: []tree{{Any: pair{1, 0}}}}},
		{"a wrapped message", model.Inner{Tag: "a", Value: pair{1, 1}}, model.Inner{Tag: "a", Value: pair{0, 0}}},
		{"a node", outer{Lists: map[color][]model.NodeID{"red": ids{0, 1, 2}}, Inner: inner{Heard: map[model.NodeID]int{0: 7}}},
			outer{Lists: map[color][]model.NodeID{"red": ids{1, 0, 2}}, Inner: inner{Heard: map[model.NodeID]int{1: 7}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := codec(t)
			if n, ok := tc.value.(outer); ok {
				want := tc.renamed.(outer)
				assert.Equal(t, c.Node(&want, nil), c.Node(&n, swap))
				return
			}
			assert.Equal(t, c.Any(tc.renamed, nil), c.Any(tc.value, swap))
			assert.Equal(t, c.Any(tc.value, nil), c.Any(tc.renamed, swap), "swapping is its own inverse")
		})
	}
}

func TestNoRenamingRenamesNothing(t *testing.T) {
	c := codec(t)
	v := tree{Any: pair{0, 1}, ByID: map[model.NodeID]bool{2: true}}
	assert.Equal(t, c.Any(v, nil), c.Any(v, value.Renaming{}))
	assert.Equal(t, c.Any(v, nil), c.Any(v, value.Renaming{0, 1, 2}))
}
