package value_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

// part is a node within a node, with a stable field.
type part struct {
	limit  int
	Term   int `contend:"stable"`
	Leader int
}

func (*part) Start(model.Env) {}

// sturdy has every sort of stable field.
type sturdy struct {
	name    string
	Log     []int `contend:"stable"`
	Cache   map[int]int
	Within  part
	Durable part `contend:"stable"`
}

func (*sturdy) Start(model.Env) {}

func madeSturdy() model.Node {
	return &sturdy{name: "s", Cache: map[int]int{7: 7}, Within: part{limit: 3, Leader: 9}, Durable: part{limit: 4}}
}

func TestStableFieldsSurvive(t *testing.T) {
	c, err := value.New(&model.System{Nodes: []model.NodeSpec{{Name: "s", New: madeSturdy}}})
	require.NoError(t, err)
	crashed := madeSturdy().(*sturdy)
	crashed.Log, crashed.Cache[8], crashed.Within.Term, crashed.Within.Leader = []int{1, 2}, 8, 5, 6
	crashed.Durable.Term, crashed.Durable.Leader = 1, 2
	back := c.Recovered(madeSturdy(), crashed).(*sturdy)
	want := &sturdy{name: "s", Log: []int{1, 2}, Cache: map[int]int{7: 7}, Within: part{limit: 3, Term: 5, Leader: 9}, Durable: part{limit: 4, Term: 1, Leader: 2}}
	assert.Equal(t, want, back)
	crashed.Log[0] = 100
	assert.Equal(t, 1, back.Log[0], "nothing is shared with what crashed")

	kept := c.DecodeAny(c.Any(c.State(back), nil))
	assert.Equal(t, want, c.WithState(madeSturdy(), kept), "it can be held in an interface, and comes back with its configuration")
	assert.True(t, c.HasStable(want))
	assert.False(t, c.HasStable(&plainNode{}))
}

// What a node writes to its disk is what a restart in a check keeps.
func TestStableFieldsAreWritten(t *testing.T) {
	c, err := value.New(&model.System{Nodes: []model.NodeSpec{{Name: "s", New: madeSturdy}}})
	require.NoError(t, err)
	crashed := madeSturdy().(*sturdy)
	crashed.Log, crashed.Cache[8], crashed.Within.Term, crashed.Within.Leader = []int{1, 2}, 8, 5, 6
	crashed.Durable.Term, crashed.Durable.Leader = 1, 2
	for _, n := range []model.Node{crashed, &clad{sturdy: *crashed}} {
		made := model.Node(madeSturdy())
		if _, ok := n.(*clad); ok {
			made = &clad{sturdy: *madeSturdy().(*sturdy)}
		}
		written, err := c.StableJSON(n)
		require.NoError(t, err)
		read, err := json.Marshal(written)
		require.NoError(t, err)
		assert.JSONEq(t, `{"Durable":{"Leader":2,"Term":1},"Log":[1,2],"Within":{"Leader":6,"Term":5}}`, string(read))
		back, err := c.Restored(made, written)
		require.NoError(t, err)
		assert.Equal(t, c.Recovered(made, n), back)
	}
	none, err := c.StableJSON(&plainNode{Log: []int{1}})
	require.NoError(t, err)
	assert.Nil(t, none)
	for text, want := range map[string]string{
		`{"Lag":[1]}`:  `value_test.sturdy has no field "Lag"`,
		`{"name":"x"}`: `value_test.sturdy has no field "name"`,
		`{"Log":1}`:    `Log: json: cannot unmarshal number into Go value of type []json.RawMessage`,
	} {
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(text), &fields))
		_, err := c.Restored(madeSturdy(), fields)
		assert.EqualError(t, err, want)
	}
}

// clad is a node that embeds another, as the nodes of edits do.
type clad struct{ sturdy }

type plainNode struct{ Log []int }

func (*plainNode) Start(model.Env) {}

type (
	misspelt struct {
		Log []int `contend:"durable"`
	}
	hidden struct {
		log []int `contend:"stable"`
	}
	entry struct {
		At int `contend:"stable"`
	}
	deep    struct{ Log []entry }
	watcher struct {
		Seen int `contend:"stable"`
	}
)

func (*misspelt) Start(model.Env)                       {}
func (h *hidden) Start(model.Env)                       { _ = h.log }
func (*deep) Start(model.Env)                           {}
func (*watcher) Observe(model.Watch, model.Observation) {}

// An invalid tag is refused by the name of its field.
func TestTagsAreChecked(t *testing.T) {
	for want, n := range map[string]any{
		`value_test.misspelt.Log has the tag contend:"durable", but the only one there is is contend:"stable"`:     &misspelt{},
		`value_test.hidden.log is unexported, so it is configuration, which no crash changes: it cannot be stable`: &hidden{},
		`value_test.deep.Log[].At has the tag contend:"stable", but only fields of nodes are stable`:               &deep{},
		`value_test.watcher.Seen has the tag contend:"stable", but only fields of nodes are stable`:                &watcher{},
	} {
		assert.EqualError(t, value.CheckNode(n), want)
	}
}
