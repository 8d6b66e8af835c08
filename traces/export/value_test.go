package export

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces/draw"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
)

type (
	small           uint8
	Optional[T any] struct {
		Known bool
		Value T
	}
	either    struct{ Is any }
	withheld  struct{ Seen, unseen int }
	Base      struct{ Deep, Yes small }
	described struct {
		Base
		Yes   bool
		Text  string
		Less  int8
		More  small
		Two   [2]int
		Few   []string
		Node  model.NodeID
		Nodes map[model.NodeID]bool
		Maybe model.Optional[int]
		Some  model.Optional[string]
		Own   Optional[int]
		Bound model.Bound
		Any   either
		None  either
		Held  withheld
		Ratio float64
		Many  map[string]int
	}
)

// Values of each kind have the form that the format requires. Names replace the ids of nodes.
func TestValues(t *testing.T) {
	run, err := replay.Replay(toy.Protocol, toy.Driven(t, toy.Protocol, model.Config{N: 1}, false, 1), nil)
	require.NoError(t, err)
	b := itf{run: run}
	got, err := json.MarshalIndent(b.value(reflect.ValueOf(described{
		Base: Base{5, 6},
		Yes:  true, Text: "t", Less: -3, More: 200, Two: [2]int{1, 2}, Few: []string{"a", "b"}, Node: 1, Nodes: map[model.NodeID]bool{2: true, 0: false, 1: true},
		Some: model.Optional[string]{Known: true, Value: "x"}, Own: Optional[int]{true, 1}, Bound: model.Through(2), Any: either{small(7)}, Held: withheld{1, 2}, Ratio: 0.5,
		Many: map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1},
	})), "", " ")
	require.NoError(t, err)
	require.JSONEq(t, `{
		"Deep": {"#bigint": "5"}, "Yes": true, "Text": "t", "Less": {"#bigint": "-3"}, "More": {"#bigint": "200"}, "Two": [{"#bigint": "1"}, {"#bigint": "2"}], "Few": ["a", "b"], "Node": "c1",
		"Nodes": {"#map": [["c1", true], ["liar", true], ["s1", false]]},
		"Maybe": {"tag": "None", "value": {"#tup": []}}, "Some": {"tag": "Some", "value": "x"}, "Own": {"Known": true, "Value": {"#bigint": "1"}}, "Bound": {"At": {"#bigint": "2"}, "Open": false},
		"Any": {"Is": {"tag": "export.small", "value": {"#bigint": "7"}}}, "None": {"Is": {"tag": "None", "value": {"#tup": []}}},
		"Held": {"Seen": {"#bigint": "1"}}, "Ratio": "0.5",
		"Many": {"#map": [["a", {"#bigint": "1"}], ["b", {"#bigint": "1"}], ["c", {"#bigint": "1"}], ["d", {"#bigint": "1"}], ["e", {"#bigint": "1"}], ["f", {"#bigint": "1"}]]}
	}`, string(got))
}

// A copy is in flight from the step that made it. It is the message that arrives as a copy, if there is such
// a message, otherwise any matching message.
func TestFlights(t *testing.T) {
	arrow := func(sent, end int, fate draw.Fate) draw.Arrow {
		return draw.Arrow{From: 0, To: 1, Sent: sent, End: end, Label: "x", Fate: fate}
	}
	other := draw.Arrow{From: 1, To: 0, Sent: 1, End: 9, Label: "x", Fate: draw.Doubled}
	label := draw.Arrow{From: 0, To: 1, Sent: 1, End: 9, Label: "y", Fate: draw.Doubled}
	for _, c := range []struct {
		arrows []draw.Arrow
		made   []int // the rows in which x is doubled
		sent   []int
	}{
		{[]draw.Arrow{arrow(1, 5, draw.Arrived)}, nil, []int{1}},
		{[]draw.Arrow{arrow(1, 5, draw.Arrived), arrow(1, 6, draw.Doubled)}, []int{3}, []int{1, 3}},
		{[]draw.Arrow{arrow(1, 5, draw.Doubled), arrow(1, 6, draw.Arrived)}, []int{3}, []int{3, 1}},
		{[]draw.Arrow{other, label, arrow(1, 5, draw.Lost), arrow(1, 6, draw.InFlight)}, []int{3}, []int{1, 1, 3, 1}},
		{[]draw.Arrow{arrow(1, 2, draw.Arrived), arrow(3, 9, draw.Lost), arrow(2, 3, draw.Lost), arrow(2, 5, draw.Arrived)}, []int{3}, []int{1, 3, 3, 2}},
		{[]draw.Arrow{arrow(1, 5, draw.Arrived), arrow(1, 6, draw.Doubled), arrow(1, 7, draw.Doubled)}, []int{3, 4}, []int{1, 4, 3}},
		{[]draw.Arrow{arrow(1, 5, draw.Arrived), arrow(1, 9, draw.Repeated)}, nil, []int{1}},
	} {
		d := &draw.Diagram{Lanes: []draw.Lane{{Name: "a"}, {Name: "b"}}, Rows: make([]draw.Row, 10), Arrows: c.arrows}
		for _, row := range c.made {
			d.Rows[row].Line = show.Line{Who: "a → b", What: "x is doubled"}
		}
		var sent []int
		for _, a := range flights(d) {
			sent = append(sent, a.Sent)
		}
		require.Equal(t, c.sent, sent)
		require.Equal(t, c.arrows, d.Arrows, "the drawing stays as it is")
	}
}
