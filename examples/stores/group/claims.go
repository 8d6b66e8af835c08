package group

import (
	"cmp"
	"slices"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

// claimed returns the claims of a store.
func claimed(source string) []model.Claim {
	reopens := claims.From(program.Reopens(func(o model.Observation) bool { _, shows := noted(o, "shows "); return shows }), source, "")
	reopens.Name = "a store that was open opens"
	return []model.Claim{
		{Name: "linearizable", Kind: model.Linearizable, Source: source, Object: pairs},
		claims.From(kept.Durable(), source, ""),
		claims.From(program.NoExit(), source, ""), // the store opens after each crash
		reopens,
		{Name: "no call fails", Kind: model.Always, Source: source,
			Monitor: func(s *model.System) model.Monitor {
				return &fails{MayFail: program.FullDisks.Of(s.Config)+program.BadSyncs.Of(s.Config) > 0}
			}},
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

// kept recognizes the notes about items "KEY=VALUE". An acknowledged removal is the item "KEY=".
var kept = claims.Store{
	Acknowledges: func(o model.Observation) (any, bool) { return noted(o, "keeps ") },
	Forgets:      func(o model.Observation) (any, bool) { return noted(o, "forgets ") },
	Shows: func(o model.Observation) (func(any) bool, bool) {
		all, ok := noted(o, "shows ")
		return func(item any) bool { return slices.Contains(strings.Fields(all), item.(string)) }, ok
	},
}

// noted returns the rest of a note that begins with a word.
func noted(o model.Observation, word string) (string, bool) {
	note, is := o.Value.(string)
	rest, ok := strings.CutPrefix(note, word)
	return rest, ok && is && o.Kind == model.Noted
}

// fails claims that the store fails no call, unless the disk may fail.
type fails struct{ MayFail bool }

func (f *fails) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Returned {
		w.Witness()
	}
	if what, ok := noted(o, "fails: "); ok && !f.MayFail {
		w.Violate("it fails: %s", what)
	}
}
