package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/lab/oracle"
	"contend/model"
)

// stumbles fails at each observation.
type stumbles struct{ N int }

func (*stumbles) Observe(model.Watch, model.Observation) { model.Assert(false, "it stumbles") }

// A monitor that fails is no part of the system: a run goes on, and other claims are decided as without it.
func TestClaimsBesideAFailingMonitor(t *testing.T) {
	done := model.Claim{Name: "done", Kind: model.Sometimes, Done: true}
	never := model.Claim{Name: "never", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}
	fails := model.Claim{Name: "fails", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &stumbles{} }}
	for _, r := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
		j, err := oracle.Judge(twofold(), []model.Claim{done, never, fails}, r, 1000)
		require.NoError(t, err)
		assert.Equal(t, []oracle.Verdict{oracle.Holds, oracle.Holds, oracle.Open}, j.Verdicts, r)
		assert.Equal(t, oracle.Violated, j.NoHandlerFails)
	}
}
