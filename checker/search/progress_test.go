package search

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/storage/faulty"
	"contend/model"
)

// Progress never goes back, nor beyond what the search comes to; each layer is told when it begins, with the layers before it.
func TestProgressIsOfTheSearch(t *testing.T) {
	searched := 0
	for seed := range uint64(few(60, 12)) {
		s := somewhere(seed)
		s.Faults.Duplication, s.Faults.Restarts = 0, 0 // which are not read in dense time
		for name, c := range map[string]struct {
			opt   Options
			claim model.Claim
		}{
			"untimed":       {Options{MaxStates: 5_000}, never(0)},
			"on the grid":   {Options{MaxStates: 5_000, Timed: true}, never(0)},
			"in dense time": {Options{MaxStates: 5_000, Timed: true, Dense: true, Merge: true}, never(0)},
			"of liveness":   {Options{MaxStates: 5_000}, reach(model.Eventually, 0)},
			"of workers":    {Options{MaxStates: 5_000, Workers: 3}, never(0)},
			"with a limit":  {Options{MaxStates: 100}, never(0)},
		} {
			var told []Progress
			c.opt.Progress = func(p Progress) { p.Widths = slices.Clone(p.Widths); told = append(told, p) }
			var r *Result
			tuned(t, 1, math.MaxInt64, func() { r = explore(t, s, c.opt, c.claim) })
			own := func(note string) bool { return !strings.HasPrefix(note, "dense time:") }
			if slices.ContainsFunc(r.Notes, own) { // it may have begun again, or looked on finer grids
				continue
			}
			if last := told[len(told)-1]; last.Bytes < r.Bytes && !c.opt.Dense {
				t.Errorf("system %d, %s: %d bytes at last, of which the set takes up %d", seed, name, last.Bytes, r.Bytes)
			}
			if what := strange(r, told, c.opt.Dense); what != "" {
				t.Errorf("system %d, %s: %s", seed, name, what)
			}
			searched++
		}
	}
	if searched < 50 {
		t.Errorf("only %d searches were compared", searched)
	}
}

// strange says what is wrong with the progress of a search that ended so, or "". What is found in a layer may be merged as it ends.
func strange(r *Result, told []Progress, merged bool) string {
	begun := make([]bool, len(r.Widths))
	for i, p := range told {
		last := Progress{}
		if i > 0 {
			last = told[i-1]
		}
		sum := int64(0)
		for _, w := range p.Widths {
			sum += w
		}
		n := len(p.Widths)
		switch {
		case p.Generated < last.Generated || p.Distinct < last.Distinct && !merged || p.Depth < last.Depth:
			return fmt.Sprintf("it goes back: %+v after %+v", p, last)
		case p.Generated > r.Transitions || r.Limit.None() && p.Distinct > r.States && !merged || p.Distinct < sum:
			return fmt.Sprintf("%+v of %d states and %d steps", p, r.States, r.Transitions)
		case n > len(r.Widths) || !slices.Equal(p.Widths, r.Widths[:n]) || p.Depth != max(n-1, 0):
			return fmt.Sprintf("%+v of layers %v", p, r.Widths)
		case n > 0 && p.Frontier != p.Widths[n-1]:
			return fmt.Sprintf("%+v", p)
		case n > 0 && !begun[n-1] && p.Distinct != sum:
			return fmt.Sprintf("as a layer begins: %+v", p)
		}
		if n > 0 {
			begun[n-1] = true
		}
	}
	if slices.Contains(begun, false) {
		return fmt.Sprintf("layers that were told: %v", begun)
	}
	return ""
}

// What layers that shrink evenly come to is estimated exactly; nothing is while they do not shrink.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		widths   []int64
		growth   float64
		estimate int64
	}{
		{nil, 1, 0},
		{[]int64{5, 1}, 1, 0},
		{[]int64{512, 256, 128}, 0.5, 1024},
		{[]int64{1, 1024, 512, 256, 128, 64}, 0.5, 1 + 2048},
		{[]int64{300, 100, 100}, 0.5, 600}, // even and odd layers may differ
		{[]int64{10, 20, 40}, 2, 0},
		{[]int64{7, 7, 7, 7}, 1, 0},
		{[]int64{1000, 980, 960}, 1940. / 1980, 0},
	} {
		if g, e := growthOf(c.widths), estimate(c.widths); g != c.growth || e != c.estimate {
			t.Errorf("%v: growth %v, estimate %d; want %v, %d", c.widths, g, e, c.growth, c.estimate)
		}
	}
}

// While a layer is compared with files, too, the progress is told, and the search can be stopped.
func TestProgressWhileALayerIsWinnowed(t *testing.T) {
	told := map[int64]int{}
	for _, most := range []int64{20, 1 << 20} {
		sorted(most, func() {
			explore(t, turning(), Options{MaxMemory: 1 << 40, table: 1, chunks: 1000, files: &faulty.FS{}, Progress: func(Progress) { told[most]++ }}, never(1))
		})
	}
	if told[20] <= told[1<<20] {
		t.Errorf("it is told %d times where layers are compared by stretches of 20 states, and else %d times", told[20], told[1<<20])
	}
}
