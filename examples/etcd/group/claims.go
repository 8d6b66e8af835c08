package group

import (
	"fmt"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

var claimed = []model.Claim{
	{Name: "linearizable", Kind: model.Linearizable, Source: source, Object: store},
	claims.From(program.NoExit(), source, ""),
	{Name: "changes are answered", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &answered{} }},
}

// A State is the state of the store.
type State struct {
	Revision int
	X, Y     string // "VALUE@REVISION", or "none"
}

// store is the sequential specification.
var store = model.Object{
	Name: "store", Init: State{1, "none", "none"}, Types: []any{State{}}, Unknown: "unknown",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		s, words := state.(State), strings.Fields(op.(string))
		at := &s.X
		if words[1] == "y" {
			at = &s.Y
		}
		switch words[0] {
		case "get":
			return []model.Effect{{State: s, Result: fmt.Sprint(*at, " ", s.Revision)}, {State: s, Result: "failed"}}
		case "put":
			s.Revision++
			*at = fmt.Sprintf("%s@%d", words[2], s.Revision)
		case "del":
			if *at != "none" {
				s.Revision++
				*at = "none"
			}
		}
		return []model.Effect{{State: s, Result: fmt.Sprint("ok ", s.Revision)}}
	},
}

// answered is reached when a change has been answered.
type answered struct{ Reads, Changes int }

func (a *answered) Observe(_ model.Watch, o model.Observation) {
	if text, is := o.Value.(string); is && o.Kind == model.Returned && strings.HasPrefix(text, "ok ") {
		a.Changes++
	}
}

// Reached implements [model.Goal].
func (a *answered) Reached() bool { return a.Changes >= 2 }
