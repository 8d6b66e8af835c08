package claims_test

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

// A keeper stores the proposed values. Only the stable values survive a crash. It shows its values after each start and each sync.
type keeper struct {
	late   bool  // it acknowledges a value before the value is stable
	quiet  bool  // it shows its values only after a sync
	drops  bool  // it forgets the older values with each new value
	Stable []int `contend:"stable"`
	Values []int
}

type (
	keeps struct{ Value int }
	drop  struct{ Value int }
	has   struct{ Values []int }
)

func (k *keeper) Start(env model.Env) {
	k.Values = slices.Clone(k.Stable)
	if !k.quiet {
		env.Note(has{k.Values})
	}
}

func (k *keeper) Invoke(env model.Env, op any) {
	v := op.(propose).Value
	if k.drops {
		for _, old := range k.Values {
			env.Note(drop{old})
		}
		k.Values = nil
	}
	k.Values = append(k.Values, v)
	env.Note(keeps{v})
	if k.late {
		env.After("sync", model.Anytime())
	} else {
		k.sync(env)
	}
	env.Return(nil)
}

func (k *keeper) Receive(model.Env, model.NodeID, any) {}

func (k *keeper) Timeout(env model.Env, _ any) { k.sync(env) }

func (k *keeper) sync(env model.Env) {
	k.Stable = slices.Clone(k.Values)
	env.Note(has{k.Values})
}

// store recognizes the notes of keepers.
var store = claims.Store{
	Acknowledges: func(o model.Observation) (any, bool) { k, ok := o.Value.(keeps); return k.Value, ok },
	Forgets:      func(o model.Observation) (any, bool) { d, ok := o.Value.(drop); return d.Value, ok },
	Shows: func(o model.Observation) (func(any) bool, bool) {
		h, ok := o.Value.(has)
		return func(item any) bool { return slices.Contains(h.Values, item.(int)) }, ok
	},
}

func TestStore(t *testing.T) {
	keepers := func(k keeper, proposals ...int) scene {
		s := scene{faults: model.Faults{Restarts: 1}}
		for i := range 2 {
			n := node(i, tiny{}, propose{proposals[0]}, propose{proposals[1]})
			n.New, n.Crash = func() model.Node { c := k; return &c }, model.CrashRecovery
			s.nodes = append(s.nodes, n)
		}
		return s
	}
	unforgotten := store
	unforgotten.Forgets = nil
	last := func(o model.Observation) (any, bool) {
		h, ok := o.Value.(has)
		return len(h.Values), ok
	}
	decide(t, []verdict{
		{"synced", keepers(keeper{}, 1, 2), store.Durable(), checker.Holds},
		{"late", keepers(keeper{late: true}, 1, 2), store.Durable(), checker.Violated},
		{"drops", keepers(keeper{drops: true}, 1, 2), store.Durable(), checker.Holds},
		{"drops and keeps", keepers(keeper{drops: true}, 1, 2), unforgotten.Durable(), checker.Violated},
		{"drops, and keeps again", keepers(keeper{drops: true}, 1, 1), unforgotten.Durable(), checker.Holds},
		{"synced", keepers(keeper{}, 1, 2), claims.Converge(model.Peer, last), checker.Holds},
		{"late", keepers(keeper{late: true}, 1, 2), claims.Converge(model.Peer, last), checker.Violated},
		{"quiet", keepers(keeper{quiet: true}, 1, 2), claims.Converge(model.Peer, last), checker.Violated},
		{"nobody shows", keepers(keeper{}, 1, 2), claims.Converge(model.Peer, claims.Delivers), checker.Violated},
	})
}

// StoreNotes reads items from notes that are strings, and from nothing else.
func TestStoreNotes(t *testing.T) {
	s := claims.StoreNotes
	note := func(v any) model.Observation { return model.Observation{Kind: model.Noted, Value: v} }
	if is, ok := s.Acknowledges(note("keeps x=1")); !ok || is != "x=1" {
		t.Errorf("%v, %v", is, ok)
	}
	if is, ok := s.Forgets(note("forgets x=1")); !ok || is != "x=1" {
		t.Errorf("%v, %v", is, ok)
	}
	for _, o := range []model.Observation{note("keeps"), note(1), note("forgets x=1"), {Kind: model.Returned, Value: "keeps x=1"}} {
		if is, ok := s.Acknowledges(o); ok {
			t.Errorf("%v: %v", o, is)
		}
	}
	has, ok := s.Shows(note("shows x=1 y=2"))
	if !ok || !has("x=1") || !has("y=2") || has("x") || has("x=2") {
		t.Errorf("%v: it has other items", ok)
	}
	if has, ok := s.Shows(note("shows ")); !ok || has("x=1") {
		t.Errorf("%v: it has an item", ok)
	}
}
