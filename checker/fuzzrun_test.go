package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/checker/sample"
	"contend/checker/verify/starter"
	"contend/model"
	"contend/traces/replay"
)

// The trace of an input is the run that the target makes of it, and replays, whether or not it violates a claim.
func TestTraceOfInput(t *testing.T) {
	for variant, claim := range map[string]string{"": "", "grants-twice": "mutual exclusion"} {
		tg := checker.Target{Protocol: starter.Protocol, Configure: func(sample.Choices) model.Check { return model.Check{Variant: variant} }}
		data := []byte{0, 0}
		out, _ := tg.Run(data)
		require.NotEmpty(t, out.Records)
		is, err := tg.Trace(data)
		require.NoError(t, err)
		assert.Equal(t, claim, is.Claim)
		assert.Len(t, is.Steps, len(out.Records))
		run, err := replay.Replay(starter.Protocol, is, judge.Watched(starter.Protocol.Claims))
		require.NoError(t, err)
		assert.Len(t, run.Records, len(out.Records))
	}
}

// Inputs of a target are a function of the seed. Those of a protocol that is right violate nothing; of a mutant each claim has one
// run, the smallest, which replays.
func TestInputs(t *testing.T) {
	for variant, claims := range map[string][]string{"": nil, "grants-twice": {"mutual exclusion"}} {
		tg := checker.Target{Protocol: starter.Protocol, Configure: func(sample.Choices) model.Check { return model.Check{Variant: variant} }}
		is, again := tg.Inputs(1, 300, nil), tg.Inputs(1, 300, nil)
		require.NoError(t, is.Err)
		assert.Equal(t, 300, is.Runs)
		assert.Equal(t, []int64{is.Steps, int64(is.States)}, []int64{again.Steps, int64(again.States)})
		var broken []string
		for i, b := range is.Broken {
			broken = append(broken, b.Claim)
			_, err := replay.Replay(starter.Protocol, b.Trace, judge.Watched(starter.Protocol.Claims))
			require.NoError(t, err)
			assert.Equal(t, b.Trace, again.Broken[i].Trace)
		}
		assert.Equal(t, claims, broken)
	}
	stop := make(chan struct{})
	close(stop)
	assert.Zero(t, checker.Target{Protocol: starter.Protocol}.Inputs(1, 300, stop).Runs)
}
