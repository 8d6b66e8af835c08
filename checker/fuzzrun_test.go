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
