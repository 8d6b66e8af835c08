package object

import (
	"maps"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

// Each object with its workload.
var objects = map[string]Workload{
	"log": Appends, "register": ReadsAndWrites, "counter": Adds, "map": PutsAndLookups, "cards": Deals,
}

// calls returns the calls of three clients on an object.
func (w Workload) calls(each int) []Call {
	var calls []Call
	for client := range 3 {
		for k := range each {
			calls = append(calls, w(client, k))
		}
	}
	return calls
}

// reached returns the states of an object after at most a number of calls, in breadth-first order.
func reached(codec *value.Codec, calls []Call, depth int) []any {
	states, seen := []any{nil}, map[string]bool{string(codec.Any(nil, nil)): true}
	for from := 0; depth > 0; depth-- {
		to := len(states)
		for _, s := range states[from:to] {
			for _, c := range calls {
				for _, e := range c.Do(s) {
					if key := string(codec.Any(e.State, nil)); !seen[key] {
						seen[key] = true
						states = append(states, e.State)
					}
				}
			}
		}
		from = to
	}
	return states
}

func objectCodec(t *testing.T) *value.Codec {
	t.Helper()
	codec, err := value.New(&model.System{Types: Types})
	require.NoError(t, err)
	return codec
}

// Do is a function of the state, and does not change the state. It is total, also on a state of another object. Its
// results are comparable.
func TestDoIsAFunction(t *testing.T) {
	codec := objectCodec(t)
	var calls []Call
	states := []any{Log{"z"}, "z", 26, Map{"x": "z"}, Dealt{1: true, 2: true, 3: true}}
	for _, w := range objects {
		calls = append(calls, w.calls(3)...)
		states = append(states, reached(codec, w.calls(3), 3)...)
	}
	for _, c := range calls {
		for _, s := range states {
			before := codec.Copy(s)
			effects := c.Do(s)
			require.NotEmpty(t, effects, "%#v in %v", c, s)
			require.Equal(t, effects, c.Do(s), "%#v in %v", c, s)
			require.Equal(t, codec.Any(before, nil), codec.Any(s, nil), "%#v changes %v", c, before)
			for _, e := range effects {
				require.True(t, e.Result == nil || reflect.TypeOf(e.Result).Comparable(), "%#v returns %v", c, e.Result)
			}
		}
	}
}

// The effects of the calls, one after another from the initial state.
func TestObjects(t *testing.T) {
	for name, c := range map[string]struct {
		calls   []Call
		results []any
		end     any
	}{
		"log":      {[]Call{Append{"x"}, Append{"y"}, Append{"x"}}, []any{1, 2, 3}, Log{"x", "y", "x"}},
		"register": {[]Call{Read{}, Write{"x"}, Read{}, Write{"y"}, Read{}}, []any{"", nil, "x", nil, "y"}, "y"},
		"counter":  {[]Call{Add{2}, Add{-5}, Add{0}}, []any{2, -3, -3}, -3},
		"map": {
			[]Call{Lookup{"x"}, Put{"x", "1"}, Put{"y", "2"}, Put{"x", "3"}, Lookup{"x"}, Lookup{"y"}},
			[]any{"", "", "", "1", "3", "2"}, Map{"x": "3", "y": "2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var state any
			for i, call := range c.calls {
				effects := call.Do(state)
				require.Len(t, effects, 1, "it is deterministic")
				assert.Equal(t, c.results[i], effects[0].Result, "%#v", call)
				state = effects[0].State
			}
			assert.Equal(t, c.end, state)
		})
	}
}

// In every order of deals, no card is dealt twice, and each card of the pack can come next. 0 means that no card is
// left.
func TestCardsAreDealtOnce(t *testing.T) {
	ways := 0
	var deal func(state any, dealt map[any]bool)
	deal = func(state any, dealt map[any]bool) {
		effects := Deal{}.Do(state)
		if len(dealt) == Cards {
			require.Equal(t, []model.Effect{{State: state, Result: 0}}, effects)
			ways++
			return
		}
		require.Len(t, effects, Cards-len(dealt))
		for _, e := range effects {
			require.NotContains(t, dealt, e.Result)
			require.Contains(t, []any{1, 2, 3}, e.Result)
			dealt[e.Result] = true
			deal(e.State, dealt)
			delete(dealt, e.Result)
		}
	}
	deal(nil, map[any]bool{})
	assert.Equal(t, 6, ways)
}

// The results of workloads show whether a state was forked. Two calls of different clients, applied to one state, have
// results that they do not have in sequence. Equal entries and equal writes would hide this.
func TestWorkloadsMakeSense(t *testing.T) {
	codec := objectCodec(t)
	for name, w := range objects {
		t.Run("object "+name, func(t *testing.T) {
			shows := false
			for k := range 3 {
				for _, s := range reached(codec, w.calls(2), 2) {
					shows = shows || !maps.Equal(inSequence(s, w(0, k), w(1, k)), forked(s, w(0, k), w(1, k)))
				}
			}
			assert.True(t, shows)
		})
	}
	seen := map[Call]bool{}
	for _, c := range Workload(Appends).calls(3) {
		assert.False(t, seen[c], "%v is appended twice: it could not be told from itself", c)
		seen[c] = true
	}
	written := map[Call]bool{}
	for _, c := range Workload(ReadsAndWrites).calls(3) {
		if _, ok := c.(Write); ok {
			assert.False(t, written[c], "%v is written twice", c)
			written[c] = true
		}
	}
	assert.IsType(t, Write{}, ReadsAndWrites(0, 0))
	assert.IsType(t, Read{}, ReadsAndWrites(1, 0))
}

// inSequence returns the results of two calls, the second applied after the first.
func inSequence(s any, first, second Call) map[[2]any]bool {
	out := map[[2]any]bool{}
	for _, e := range first.Do(s) {
		for _, f := range second.Do(e.State) {
			out[[2]any{e.Result, f.Result}] = true
		}
	}
	return out
}

// forked returns the results of two calls, both applied to one state.
func forked(s any, first, second Call) map[[2]any]bool {
	out := map[[2]any]bool{}
	for _, e := range first.Do(s) {
		for _, f := range second.Do(s) {
			out[[2]any{e.Result, f.Result}] = true
		}
	}
	return out
}
