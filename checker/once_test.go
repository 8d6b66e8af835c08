package checker_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// A letter arrives at who counts letters on disk, and may crash.
type (
	letter    struct{}
	poster    struct{}
	addressee struct {
		Letters int `contend:"stable"`
	}
)

func (*poster) Start(env model.Env)                             { env.Send(1, letter{}) }
func (r *addressee) Receive(_ model.Env, _ model.NodeID, _ any) { r.Letters++ }

// What arrived before a crash may arrive once more, unless the network says that it does not.
func TestOnce(t *testing.T) {
	for once, verdict := range map[bool]checker.Verdict{false: checker.Violated, true: checker.Holds} {
		p := &model.Protocol{
			Name: "post", Build: func(c model.Config) (*model.System, error) {
				return &model.System{
					Config: c, Types: []any{letter{}}, Network: model.Network{Delay: model.Anytime(), Once: once},
					Nodes: []model.NodeSpec{
						{Name: "poster", Role: model.Peer, Crash: model.NoCrashes, New: func() model.Node { return &poster{} }},
						{Name: "addressee", Role: model.Server, New: func() model.Node { return &addressee{} }},
					},
				}, nil
			},
			Claims: []model.Claim{{Name: "one letter", Kind: model.Always, Invariant: func(nodes []model.Node) error {
				if r, up := nodes[1].(*addressee); up && r.Letters > 1 {
					return errors.New("it has read two letters")
				}
				return nil
			}}},
		}
		rows, err := checker.Check(p, model.Check{Config: model.Config{Faults: model.Faults{Restarts: 1}}}, checker.Options{Workers: 1})
		require.NoError(t, err)
		assert.Equal(t, verdict, rows[0].Claims[0].Verdict, "once: %v", once)
	}
}
