package replay_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/traces"
	"contend/traces/replay"
)

// A run continues automatically until nothing can happen any more, and then does not change.
func TestFurther(t *testing.T) {
	tr, err := traces.Load(filepath.Join("..", "testdata", "backoff-gives-up-corollary-2.json"))
	require.NoError(t, err)
	run, err := replay.Replay(backoff.Protocol, tr, nil)
	require.NoError(t, err)
	on, ended, err := run.Further(100)
	require.NoError(t, err)
	assert.True(t, ended)
	assert.Greater(t, len(on.Records), len(run.Records))
	assert.True(t, on.World.Stuck(), "neither client was granted, and none tries again")
	assert.Len(t, run.Records, len(tr.Steps))
	on, ended, err = run.Further(1)
	require.NoError(t, err)
	assert.False(t, ended)
	assert.Len(t, on.Records, len(run.Records)+1)
}
