package why

import (
	"testing"

	"contend/model"
)

type quiet int

func (quiet) String() string { return "" }

// No value is written as nothing.
func TestValueIsWritten(t *testing.T) {
	s := &scene{}
	for _, x := range []struct {
		is   any
		want string
	}{{nil, "nil"}, {struct{}{}, "{}"}, {map[string]int{}, "{}"}, {"", `""`}, {quiet(3), "3"}, {model.Optional[int]{}, "none"}} {
		if got := s.value(x.is); got != x.want {
			t.Errorf("%#v is written %q, not %q", x.is, got, x.want)
		}
	}
}

// An operation with an unknown result may have taken effect: the states after it include its effects.
func TestStatesBehindAnUnknownResult(t *testing.T) {
	add := func(state any, _ model.NodeID, op any) []model.Effect {
		n, _ := state.(int)
		return []model.Effect{{State: n + op.(int), Result: n + op.(int)}}
	}
	s := &scene{claim: model.Claim{Object: model.Object{Name: "counter", Step: add, Unknown: "lost"}}}
	op := func(call int, result any) operation {
		return operation{call: observation{Observation: model.Observation{Kind: model.Invoked, Value: call}},
			returned: &observation{Observation: model.Observation{Kind: model.Returned, Value: result}}}
	}
	if got := s.statesAfter([]operation{op(2, "lost"), op(3, 5)}); len(got) != 1 || got[0] != 5 {
		t.Errorf("the states are %v", got)
	}
	placed, states := s.needed([]operation{op(2, "lost")})
	if len(placed) != 0 || len(states) != 1 || states[0] != nil {
		t.Errorf("%v is needed, and leads to %v", placed, states)
	}
}
