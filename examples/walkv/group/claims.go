package group

import (
	"cmp"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

var claimed = []model.Claim{
	{Name: "linearizable", Kind: model.Linearizable, Source: source + `, README.md: "High durability"`, Object: store},
	claims.From(program.NoExit(), source+`, README.md: "High durability"`, ""), // after a crash above all
	{Name: "no call fails", Kind: model.Always, Source: source + `, wal.go: TruncateFront, "the entry at index becomes the first entry in the log"`,
		Monitor: func(s *model.System) model.Monitor {
			return &fails{MayFail: Room.Of(s.Config)+program.FullDisks.Of(s.Config)+program.BadSyncs.Of(s.Config) > 0}
		}},
	{Name: "changes are answered", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &answered{} }},
}

// A State is the state of the store.
type State struct{ X, Y string } // "" where there is none

// store is the sequential specification.
var store = model.Object{
	Name: "store", Init: State{}, Types: []any{State{}}, Unknown: "unknown",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		s, words := state.(State), append(strings.Fields(op.(string)), "") // a key that is removed has the value ""
		failed := model.Effect{State: s, Result: "failed"}
		if words[0] == "get" {
			return []model.Effect{{State: s, Result: cmp.Or(*s.field(words[1]), "none")}, failed}
		}
		*s.field(words[1]) = words[2]
		return []model.Effect{{State: s, Result: "ok"}, failed}
	},
}

func (s *State) field(key string) *string {
	if key == "x" {
		return &s.X
	}
	return &s.Y
}

// fails claims that the server answers no call with an error of the log, unless the disk may be full.
type fails struct{ MayFail bool }

func (f *fails) Observe(w model.Watch, o model.Observation) {
	v, is := o.Value.(string)
	if is && o.Kind == model.Returned {
		w.Witness()
	}
	if is && o.Kind == model.Noted && strings.HasPrefix(v, "fails: ") && !f.MayFail {
		w.Violate("the server %s", v)
	}
}

// answered is reached when a change of each client has been answered.
type answered struct{ Of map[model.NodeID]bool }

func (a *answered) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Returned && o.Value == "ok" {
		if a.Of == nil {
			a.Of = map[model.NodeID]bool{}
		}
		a.Of[o.Node] = true
	}
}

// Reached implements [model.Goal].
func (a *answered) Reached() bool { return len(a.Of) >= 2 }
