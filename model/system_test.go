package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

type idle struct{}

func (*idle) Receive(model.Env, model.NodeID, any) {}

func newIdle() model.Node { return &idle{} }

func forgeNothing(model.Node, model.NodeID, model.NodeID) []any { return nil }

// valid returns a valid system of a client and two servers. One server is Byzantine.
func valid() *model.System {
	return &model.System{
		Nodes: []model.NodeSpec{
			{Name: "c1", New: newIdle, Script: []model.Op{{}, {After: model.By(1), Release: 1, Stay: model.Exactly(2)}}},
			{Name: "s1", Role: model.Server, New: newIdle},
			{Name: "liar", Role: model.Server, Byzantine: true},
		},
		Network: model.Network{Delay: model.By(1)},
		Forge:   forgeNothing,
		Faults:  model.Faults{Loss: 255, Restarts: 1},
	}
}

func TestSystemValidate(t *testing.T) {
	bad := model.Between(2, 1)
	for _, tc := range []struct {
		want string
		edit func(s *model.System)
	}{
		{"", func(*model.System) {}},
		{"system: it has 0 nodes, but needs 1 to 64", func(s *model.System) { s.Nodes = nil }},
		{"system: it has 65 nodes, but needs 1 to 64", func(s *model.System) { s.Nodes = make([]model.NodeSpec, 65) }},
		{`system: node 1 needs a name of its own, not ""`, func(s *model.System) { s.Nodes[1].Name = "" }},
		{`system: node 1 needs a name of its own, not "c1"`, func(s *model.System) { s.Nodes[1].Name = "c1" }},
		{"system: node liar is Byzantine, but Forge is nil", func(s *model.System) { s.Forge = nil }},
		{"system: node s1 has no New", func(s *model.System) { s.Nodes[1].New = nil }},
		{"script of c1, operation 2: After: window [2, 1]: the upper bound is below the lower", func(s *model.System) { s.Nodes[0].Script[1].After = bad }},
		{"script of c1, operation 1: Stay: window [2, 1]: the upper bound is below the lower", func(s *model.System) { s.Nodes[0].Script[0].Stay = bad }},
		{"network: window [2, 1]: the upper bound is below the lower", func(s *model.System) { s.Network.Delay = bad }},
		{"network: window [2, 1]: the upper bound is below the lower", func(s *model.System) {
			s.Network.Delays = func(from, to model.NodeID) model.Window {
				if from == 2 && to == 1 {
					return bad
				}
				return model.Anytime()
			}
		}},
		{"returned: window [2, 1]: the upper bound is below the lower", func(s *model.System) { s.Returned = bad }},
		{"faults: loss is 256, but must be 0 to 255", func(s *model.System) { s.Faults.Loss = 256 }},
		{"faults: duplication is -1, but must be 0 to 255", func(s *model.System) { s.Faults.Duplication = -1 }},
		{"faults: crashes is -1, but must be 0 to 255", func(s *model.System) { s.Faults.Crashes = -1 }},
		{"faults: restarts is 1, but no node of this system may crash and come back", func(s *model.System) {
			for i := range s.Nodes {
				s.Nodes[i].Crash = model.NoCrashes
			}
		}},
		{"faults: restarts is 999, but must be 0 to 255", func(s *model.System) { s.Faults.Restarts = 999 }},
	} {
		s := valid()
		tc.edit(s)
		if tc.want == "" {
			require.NoError(t, s.Validate())
			continue
		}
		assert.EqualError(t, s.Validate(), tc.want)
	}
}

func TestSystemNames(t *testing.T) {
	s := valid()
	assert.Equal(t, "s1", s.Name(1))
	assert.Equal(t, "node 3", s.Name(3))
	assert.Equal(t, "node -1", s.Name(-1))
	assert.Equal(t, []model.NodeID{1, 2}, s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Server }))
	assert.Empty(t, s.IDs(func(model.NodeSpec) bool { return false }))
}

// A network is synchronous when every pair of nodes is.
func TestSynchronous(t *testing.T) {
	s := valid()
	assert.True(t, s.Synchronous())
	s.Network.Delay = model.Anytime()
	assert.False(t, s.Synchronous())
	s.Network.Delays = func(from, to model.NodeID) model.Window { return model.By(1) }
	assert.True(t, s.Synchronous(), "the window of a pair counts, not the default")
	s.Network.Delays = func(from, to model.NodeID) model.Window {
		if from == 1 && to == 0 {
			return model.Anytime()
		}
		return model.By(1)
	}
	assert.False(t, s.Synchronous())
	s.Network.Delays = nil
	s.Network.Delay = model.By(1)
	require.True(t, s.Synchronous())
	s.Network.Messages = func(model.NodeID, model.NodeID, any) model.Window { return model.Anytime() }
	assert.False(t, s.Synchronous(), "a message may have a window of its own")
}

func TestUnmet(t *testing.T) {
	all := []model.Assumption{model.Timed, model.StableFromStart, model.Synchronous, model.NoLoss, model.NoCrash, model.NoMemoryLoss, model.AtMostOnce}
	calm := func(s *model.System) { s.Faults = model.Faults{} }
	for _, tc := range []struct {
		name    string
		reading model.Reading
		edit    func(s *model.System)
		want    []model.Assumption
	}{
		{"dense and calm", model.Dense, calm, nil},
		{"on the grid", model.Grid, calm, nil},
		{"untimed", model.Untimed, calm, []model.Assumption{model.Timed, model.StableFromStart, model.Synchronous}},
		{"loss is not synchronous", model.Dense, func(s *model.System) { s.Faults = model.Faults{Loss: 1} }, []model.Assumption{model.StableFromStart, model.Synchronous, model.NoLoss}},
		{"asynchronous", model.Dense, func(s *model.System) { calm(s); s.Network.Delay = model.Anytime() }, []model.Assumption{model.StableFromStart, model.Synchronous}},
		{"stable from the start", model.Dense, func(s *model.System) { calm(s); s.Network.Delay, s.StableFromStart = model.Anytime(), true }, []model.Assumption{model.Synchronous}},
		{"crash", model.Dense, func(s *model.System) { s.Faults = model.Faults{Crashes: 1} }, []model.Assumption{model.NoCrash}},
		{"restart", model.Dense, func(s *model.System) { s.Faults = model.Faults{Restarts: 1} }, []model.Assumption{model.NoMemoryLoss}},
		{"duplication", model.Dense, func(s *model.System) { s.Faults = model.Faults{Duplication: 1} }, []model.Assumption{model.AtMostOnce}},
	} {
		s := valid()
		tc.edit(s)
		assert.Equal(t, tc.want, model.Claim{Assumes: all}.Unmet(s, tc.reading), tc.name)
		assert.Empty(t, model.Claim{}.Unmet(s, tc.reading), "a claim that assumes nothing is always claimed")
	}
}
