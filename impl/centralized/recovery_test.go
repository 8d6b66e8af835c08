package centralized

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/variant"
)

// That a coordinator serves nobody any more when it has come back is seen.
func TestRecoverySurvived(t *testing.T) {
	for _, doubts := range []bool{false, true} {
		p := *Protocol
		v, err := p.Variant("stable")
		require.NoError(t, err)
		v.Edit = variant.All(number, variant.Nodes(func(c StableCoordinator) model.Node {
			return &doubtfulCoordinator{StableCoordinator: c, doubts: doubts}
		}))
		p.Variants = []model.Variant{v}
		c := model.Check{Variant: v.Name, Config: variant.Faulty(sized(1, 1), model.Faults{Restarts: 1}), Claims: []string{"a recovery is survived"}}
		rows, err := checker.Check(&p, c, checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, !doubts, rows[0].Claims[0].Verdict == checker.Holds, rows[0].Claims[0].Text)
	}
}

// A doubtfulCoordinator takes the section for in use when it comes back, to be on the safe side.
type doubtfulCoordinator struct {
	StableCoordinator `contend:"stable"`
	Booted            bool `contend:"stable"`
	doubts            bool
}

func (c *doubtfulCoordinator) Start(env model.Env) {
	if c.Booted && c.doubts {
		c.Inside = model.Some(env.Self())
	}
	c.Booted = true
}
