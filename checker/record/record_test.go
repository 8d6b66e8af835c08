package record_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/record"
	"contend/impl/multicast"
	"contend/impl/multicast/causal"
	"contend/impl/multicast/nack"
	"contend/model"
)

// A parameter whose 0 stands for all N counts as N: three processes that all multicast are what a
// finding of three senders covers, two of three are not.
func TestAllIsCovered(t *testing.T) {
	for _, x := range []struct {
		senders int
		refuted bool
	}{{0, true}, {3, true}, {2, false}} {
		c := model.Config{N: 3}.With(model.Ops.Is(1), multicast.Senders.Is(x.senders))
		assert.Equal(t, x.refuted, record.Refuted(causal.Protocol, "causal order, of receipts", "", c), "%d senders", x.senders)
	}
}

// The trace of a finding is one of its own protocol, variant and claim, and replays.
func TestReproduce(t *testing.T) {
	i := slices.IndexFunc(nack.Protocol.Findings, func(f model.Finding) bool { return f.Claim == "agreement" })
	f := nack.Protocol.Findings[i]
	kept, err := record.Reproduce(nack.Protocol, f)
	require.NoError(t, err)
	assert.Equal(t, "agreement", kept.Claim)
	f.Claim = "validity"
	_, err = record.Reproduce(nack.Protocol, f)
	assert.ErrorContains(t, err, `its trace is of `)
	f.Trace = []byte("none")
	_, err = record.Reproduce(nack.Protocol, f)
	assert.Error(t, err)
}
