package compare

import (
	"os"
	"strconv"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	to, _ := strconv.Atoi(os.Getenv("TO"))
	limit, _ := strconv.Atoi(os.Getenv("LIMIT"))
	skipped := map[string]int{}
	start := time.Now()
	n := 0
	for seed := from; seed < to; seed++ {
		c := One(uint64(seed), limit)
		if c.Skipped != "" {
			skipped[c.Skipped]++
			continue
		}
		n++
		for _, p := range c.Problems {
			t.Log(p)
		}
	}
	t.Log(n, "compared", time.Since(start), skipped)
}
