package group

import (
	"strings"

	"contend/model"
)

// object is the sequential specification: a list. Its state is the sequence of words.
var object = model.Object{
	Name: "list", Init: "", Types: []any{""}, Unknown: "unknown",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		words, call := state.(string), op.(string)
		none := model.Effect{State: words, Result: "no leader"}
		if strings.HasPrefix(call, "transfer ") {
			return []model.Effect{{State: words, Result: "ok"}, none}
		}
		if word, is := strings.CutPrefix(call, "append "); is {
			return []model.Effect{{State: strings.TrimSpace(words + " " + word), Result: "ok"}, none}
		}
		return []model.Effect{{State: words, Result: "[" + words + "]"}, none}
	},
}
