package lin_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/lin"
	"contend/model"
)

// The claim detects a coordinator that votes for no process after its restart.
func TestRecoverySurvived(t *testing.T) {
	for _, shy := range []bool{false, true} {
		p := *lin.Protocol
		p.Variants = []model.Variant{{
			Name: "shy", Title: "a coordinator that has come back may be shy",
			Edit: func(s *model.System) {
				for k := range s.Config.N {
					is := s.Nodes[k].New().(*lin.Coordinator)
					s.Nodes[k].New = func() model.Node { return &shyCoordinator{Coordinator: *is, shy: shy} }
				}
			},
		}}
		c := model.Check{
			Variant: "shy", Claims: []string{"a recovery is survived"},
			Config: model.Config{N: 2, Faults: model.Faults{Restarts: 1}}.With(lin.Majority.Is(2), model.Clients.Is(1)),
		}
		rows, err := checker.Check(&p, c, checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, !shy, rows[0].Claims[0].Verdict == checker.Holds, rows[0].Claims[0].Text)
	}
}

// A shyCoordinator receives nothing after its restart.
type shyCoordinator struct {
	lin.Coordinator
	Booted bool `contend:"stable"`
	Back   bool
	shy    bool
}

func (k *shyCoordinator) Start(model.Env) { k.Back, k.Booted = k.Booted, true }

func (k *shyCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if !k.Back || !k.shy {
		k.Coordinator.Receive(env, from, m)
	}
}
