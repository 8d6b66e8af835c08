package replay_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/bully"
	"contend/impl/centralized"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// A run stores when a claim was tested first, and when a goal was reached and left.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		p          *model.Protocol
		kept, name string
		want       []int
	}{
		{bully.Protocol, "bully-recovers-quietly-liveness", "liveness", []int{0, 1, 5, 7}},
		{centralized.Protocol, "centralized-coordinator-forgets-mutual-exclusion", "mutual exclusion", []int{9}},
	} {
		tr, err := traces.Load(filepath.Join("../testdata", c.kept+".json"))
		require.NoError(t, err)
		run, err := replay.Replay(c.p, tr, nil)
		require.NoError(t, err)
		assert.Equal(t, c.want, run.Turns[c.name])
	}
}
