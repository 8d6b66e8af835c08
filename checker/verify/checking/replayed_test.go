package checking

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify/console"
	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
	"contend/model"
)

// A counterexample is replayed once for its picture, its explanation, its page and the printed run.
func TestACounterexampleIsReplayedOnce(t *testing.T) {
	p, built := *starter.Protocol, 0
	p.Build = func(c model.Config) (*model.System, error) { built++; return starter.Protocol.Build(c) }
	count := func(args ...string) int {
		built = 0
		tl := &tool.Tool{Suite: []*model.Protocol{&p}, Out: io.Discard, Err: io.Discard, Status: console.NewStatus(io.Discard), Seconds: func(float64) float64 { return 0 }}
		c := Check(tl)
		c.SetArgs(append(args, "--out", t.TempDir()))
		require.NoError(t, c.Execute())
		return built
	}
	jobs, err := listed(tool.Target{Protocol: &p, Variant: "grants-twice"}, nil)
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	planned := built
	for _, args := range [][]string{{p.Name + "/grants-twice"}, {p.Name + "/grants-twice", "--json"}} {
		assert.Equal(t, 3*planned, count(args...), "%v: builds, a third each for the plan, the replay, and its explanation by the run without the mutant", args)
	}
}
