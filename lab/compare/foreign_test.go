package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/lab/oracle"
)

// A check and brute force agree on random foreign objects. Some objects that hide state are refused. With
// -full there are twenty times as many.
func TestForeign(t *testing.T) {
	n := 20
	if *full {
		n *= 80
	}
	count := map[checker.Verdict]int{}
	violated := 0
	found := []uint64{759, 1350} // a violation that only merged objects reach, and a violation that they hide
	for i := range n {
		c := Foreign(append(found, uint64(i))[min(i, len(found))])
		for _, p := range c.Problems {
			t.Error(p)
		}
		count[c.Claims[0].Verdict]++
		if c.Claims[0].Truth == oracle.Violated {
			violated++
		}
	}
	t.Log(count, violated)
	assert.Greater(t, count[checker.Violated], n/20)
	assert.Greater(t, count[checker.Holds], n/20)
	assert.Positive(t, count[checker.Inconclusive], "refused")
}

// A check that has no time left is no disagreement: it is open.
func TestForeignWithoutTime(t *testing.T) {
	for seed := range uint64(4) {
		c := foreignWithin(seed, time.Nanosecond)
		assert.Empty(t, c.Problems)
		assert.Equal(t, checker.Inconclusive, c.Claims[0].Verdict)
	}
}
