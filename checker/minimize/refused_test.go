package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/traces"
)

// A run that strict replay refuses is not kept, whatever the minimiser makes of it, and is counted.
func TestWhatDoesNotReplayIsRefused(t *testing.T) {
	tr, err := traces.Load("../../traces/testdata/backoff-lease-delta-lemma-1.json")
	require.NoError(t, err)
	m, err := begin(backoff.Protocol, tr, Options{})
	require.NoError(t, err)
	best := m.best
	m.judge = func(t *taking) bool { return len(t.records) == 2 } // two steps break nothing
	assert.False(t, m.try(m.plan()))
	assert.Same(t, best, m.best)
	assert.Same(t, tr, m.trace)
	assert.EqualValues(t, 1, m.report.Refused)
	assert.EqualValues(t, 1, m.report.Tried)
}
