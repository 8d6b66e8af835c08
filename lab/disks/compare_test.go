package disks

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
)

var full = flag.Bool("full", false, "compare a hundred times as many disks")

// Random disks have exactly the states after a crash that the model permits.
func TestDisks(t *testing.T) {
	n, images, many := 2000, 0, 0
	if *full {
		n *= 100
	}
	for seed := range n {
		r := Compare(uint64(seed))
		for _, p := range r.Problems {
			t.Fatalf("seed %d: %s: %s", seed, r.About, p)
		}
		if images += r.Images; r.Images > 8 {
			many++
		}
	}
	t.Log(n, images, many)
	assert.Greater(t, many, n/5, "with more than eight images")
}
