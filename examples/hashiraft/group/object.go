package group

import (
	"slices"
	"strings"

	"contend/model"
)

// A State is that of the list, with the words of which nobody knows whether and when they are appended.
type State struct{ Words, Maybe []string }

// object is the sequential specification. A word whose call returns "unknown" may be appended at any time after, or never.
var object = model.Object{
	Name: "list", Init: State{}, Types: []any{State{}},
	Step: func(state any, _ model.NodeID, op any) (all []model.Effect) {
		call, _ := op.(string)
		for _, s := range state.(State).later() {
			all = append(all, s.step(call)...)
		}
		return all
	},
}

// later lists what the state may be once some words are appended of which nobody knows.
func (s State) later() []State {
	all := []State{s}
	for i := 0; i < len(all); i++ {
		for k, word := range all[i].Maybe {
			all = append(all, State{plus(all[i].Words, word), slices.Delete(slices.Clone(all[i].Maybe), k, k+1)})
		}
	}
	return all
}

func (s State) step(call string) []model.Effect {
	none := model.Effect{State: s, Result: "no leader"}
	word, is := strings.CutPrefix(call, "append ")
	if !is {
		return []model.Effect{{State: s, Result: "[" + strings.Join(s.Words, " ") + "]"}, none}
	}
	maybe := plus(s.Maybe, word)
	slices.Sort(maybe)
	return []model.Effect{{State: State{plus(s.Words, word), s.Maybe}, Result: "ok"}, {State: State{s.Words, maybe}, Result: "unknown"}, none}
}

func plus(words []string, word string) []string { return append(slices.Clone(words), word) }
