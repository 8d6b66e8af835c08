package backoff_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/backoff"
	"contend/model"
)

// If a quorum is all servers and a server's processing precedes its test, the lease Λ must be max(Δ+δ, δ+p). With two
// servers no less suffices. With one server, the second term does not count. Here δ = Δ = 1.
func TestProcessingBeforeTheTest(t *testing.T) {
	for _, c := range []struct {
		variant    string // Λ is 3, one more where it says whole ticks
		n          int
		processing model.Ticks
		verdict    checker.Verdict
	}{
		{"processing-first", 1, 3, checker.Holds},
		{"processing-first", 2, 2, checker.Holds},
		{"processing-first", 2, 3, checker.Violated},
		{"whole-ticks+processing-first", 2, 3, checker.Holds},
		{"whole-ticks+processing-first", 2, 4, checker.Violated},
	} {
		t.Run(fmt.Sprint(c.variant, " n=", c.n, " p=", c.processing), func(t *testing.T) {
			rows, err := checker.Check(backoff.Protocol, model.Check{
				Variant: c.variant, Reading: model.Dense, Claims: []string{"Lemma 1"},
				Config: model.Config{N: c.n}.With(backoff.Tries.Is(1), backoff.Processing.Is(c.processing)),
			}, checker.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.verdict, rows[0].Claims[0].Verdict)
			assert.True(t, rows[0].Complete || c.verdict == checker.Violated)
		})
	}
}
