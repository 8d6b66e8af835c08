package group

import (
	"cmp"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

// claimed returns the claims of a store.
func claimed(source string) []model.Claim {
	reopens := claims.From(program.Reopens(func(o model.Observation) bool { _, shows := o.Note("shows "); return shows }), source, "")
	reopens.Name = "a store that was open opens"
	return []model.Claim{
		{Name: "linearizable", Kind: model.Linearizable, Source: source, Object: pairs},
		claims.From(claims.StoreNotes.Durable(), source, ""), // of items "KEY=VALUE", and "KEY=" for a removal
		claims.From(program.NoExit(), source, ""),            // the store opens after each crash
		reopens,
		claims.From(program.NoFailure("fails: "), source, ""),
	}
}

// A State is the contents of the store.
type State struct{ X, Y string } // "" where there is none

// pairs is the sequential specification.
var pairs = model.Object{
	Name: "store", Init: State{}, Types: []any{State{}}, Unknown: "unknown",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		s, words := state.(State), append(strings.Fields(op.(string)), "", "") // a removed key has the value ""
		at := &s.X
		if words[1] == "y" {
			at = &s.Y
		}
		switch words[0] {
		case "get":
			return []model.Effect{{State: s, Result: cmp.Or(*at, "none")}}
		case "put", "del":
			*at = words[2]
		}
		return []model.Effect{{State: s, Result: "ok"}}
	},
}
