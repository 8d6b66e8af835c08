package group

import (
	"cmp"
	"slices"
	"strings"

	"contend/model"
	"contend/model/program"
)

var claimed = []model.Claim{
	{Name: "linearizable", Kind: model.Linearizable, Source: source + `, README.md: "High durability"`, Object: store},
	{Name: "the server starts", Kind: model.Always, Source: source + `, README.md: "High durability"`,
		Monitor: func(*model.System) model.Monitor { return &starts{} }},
	{Name: "no call fails", Kind: model.Always, Source: source + `, wal.go: TruncateFront, "the entry at index becomes the first entry in the log"`,
		Monitor: func(s *model.System) model.Monitor {
			return &fails{MayBeFull: Room.Of(s.Config)+program.FullDisks.Of(s.Config) > 0}
		}},
	{Name: "changes are answered", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &answered{} }},
}

// A State is that of the store, with the changes of which nobody knows whether and when they are made.
type State struct {
	X, Y  string // "" where there is none
	Maybe []string
}

// store is the sequential specification. A change that returns "unknown" may be made at any time after, or never. It is enough to make it
// right before a read: one that was overwritten before anybody read it might as well not have been made.
var store = model.Object{
	Name: "store", Init: State{}, Types: []any{State{}},
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		s, call := state.(State), op.(string)
		words := strings.Fields(call)
		if words[0] == "get" {
			return append(s.read(words[1]), model.Effect{State: s, Result: "failed"})
		}
		unknown := s
		unknown.Maybe = append(slices.Clone(s.Maybe), call)
		slices.Sort(unknown.Maybe)
		return []model.Effect{{State: s.with(call), Result: "ok"}, {State: s, Result: "failed"}, {State: unknown, Result: "unknown"}}
	},
}

// read is what a read may find: what is there, or what one of the changes leaves of which nobody knows.
func (s State) read(key string) []model.Effect {
	all := []model.Effect{{State: s, Result: cmp.Or(*s.at(key), "none")}}
	for i, call := range s.Maybe {
		if strings.Fields(call)[1] == key {
			next := s.with(call)
			next.Maybe = slices.Delete(slices.Clone(s.Maybe), i, i+1)
			all = append(all, model.Effect{State: next, Result: cmp.Or(*next.at(key), "none")})
		}
	}
	return all
}

// with is the state after a change.
func (s State) with(call string) State {
	words := append(strings.Fields(call), "") // a key that is removed has the value ""
	*s.at(words[1]) = words[2]
	return s
}

func (s *State) at(key string) *string {
	if key == "x" {
		return &s.X
	}
	return &s.Y
}

// starts claims that the server does not end by itself, after a crash above all.
type starts struct{}

func (*starts) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case program.Exited:
		w.Violate("the server ends with the exit code %d", v.Code)
	case string:
		if v == "serves" {
			w.Witness()
		}
	}
}

// fails claims that the server answers no call with an error of the log, unless the disk may be full.
type fails struct{ MayBeFull bool }

func (f *fails) Observe(w model.Watch, o model.Observation) {
	v, is := o.Value.(string)
	if is && o.Kind == model.Returned {
		w.Witness()
	}
	if is && o.Kind == model.Noted && strings.HasPrefix(v, "fails: ") && !f.MayBeFull {
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
