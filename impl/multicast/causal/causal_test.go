package causal_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/multicast"
	"contend/impl/multicast/causal"
	"contend/model"
)

// A copy in a later step follows messages that its sender received in between. Its timestamp does not count them.
func TestReceiptsBetweenCopies(t *testing.T) {
	const claim = "causal order, of receipts"
	c := model.Config{N: 3, Faults: model.Faults{Crashes: 1}}.With(multicast.Senders.Is(3), multicast.Messages.Is(1))
	for anyway, want := range map[bool]checker.Verdict{false: checker.NotClaimed, true: checker.Violated} {
		rows, err := checker.Check(causal.Protocol,
			model.Check{Variant: "counts-receipts", Config: c, Claims: []string{claim}, AssumeAnyway: anyway}, checker.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, rows)
		require.Len(t, rows[0].Claims, 1)
		assert.Equal(t, want, rows[0].Claims[0].Verdict)
	}
}
