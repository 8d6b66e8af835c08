package component

import (
	"testing"

	"contend/model"
	"contend/model/purity"
	"contend/model/value"
)

// An actor does what its func says on whatever happens: on names the method, and what is the
// call, message or key. The func is configuration; S and Keys are state.
type actor struct {
	does     func(n *actor, env model.Env, on string, from model.NodeID, what any)
	settings *settings
	S        int
	Keys     map[int]int
}

type settings struct{ k int }

func (n *actor) Start(env model.Env)                             { n.does(n, env, "Start", -1, nil) }
func (n *actor) Invoke(env model.Env, op any)                    { n.does(n, env, "Invoke", -1, op) }
func (n *actor) Receive(env model.Env, from model.NodeID, m any) { n.does(n, env, "Receive", from, m) }
func (n *actor) Timeout(env model.Env, key any)                  { n.does(n, env, "Timeout", -1, key) }

// act is what an actor does when it does not matter on what.
func act(do func(n *actor, env model.Env)) *actor {
	return &actor{does: func(n *actor, env model.Env, _ string, _ model.NodeID, _ any) { do(n, env) }, settings: &settings{}}
}

// A watcher is a monitor that does what its func says.
type watcher struct {
	does func(m *watcher, w model.Watch, on string, what any)
	S    int
}

func (m *watcher) Observe(w model.Watch, o model.Observation) { m.does(m, w, "Observe", o) }
func (m *watcher) Expire(w model.Watch, key any)              { m.does(m, w, "Expire", key) }

// Reached makes it a goal, for claims of kinds that need one.
func (*watcher) Reached() bool { return false }

// A letter is a message that a careless receiver may write into.
type letter struct{ Words []int }

// Slots of the nodes, and of the monitor, if there is one.
const (
	p1 = iota
	p2
	liar
	monitor
)

// stored makes a store of a system of two actors, the second of which does nothing, and a liar.
func stored(t testing.TB, n *actor, change ...func(s *model.System, st *Store)) *Store {
	t.Helper()
	idle := act(func(*actor, model.Env) {})
	s := &model.System{
		Network: model.Network{Delay: model.By(3)}, Types: []any{letter{}, box{}},
		Nodes: []model.NodeSpec{
			{Name: "p1", Role: model.Peer, New: func() model.Node { return n }},
			{Name: "p2", Role: model.Peer, New: func() model.Node { return idle }},
			{Name: "liar", Role: model.Server, Byzantine: true},
		},
	}
	st := NewStore(s, nil, nil, true, Closing)
	for _, c := range change {
		c(s, st)
	}
	var err error
	if st.Codec, err = value.For(s, st.Claims); err != nil {
		t.Fatal(err)
	}
	st.Value(nil) // number 0
	st.Protos = []any{n, idle, nil}
	st.Configurations = []uint64{purity.Configuration(n), purity.Configuration(idle), 0}
	for _, c := range st.Claims {
		m := c.Monitor(s)
		st.Protos, st.Configurations = append(st.Protos, m), append(st.Configurations, purity.Configuration(m))
	}
	return st
}

// watched adds a claim with a monitor.
func watched(kind model.Kind, m *watcher) func(*model.System, *Store) {
	return func(_ *model.System, st *Store) {
		st.Claims = []model.Claim{{Name: "watched", Kind: kind, Monitor: func(*model.System) model.Monitor { return m }}}
	}
}

// first is the state in which a node or monitor is made.
func (st *Store) first(slot int16) uint32 { return st.Local(slot, st.Codec.Node(st.Protos[slot], nil)) }
