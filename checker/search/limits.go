package search

import (
	"fmt"
	"math"
)

// look looks at the limits, and tells of the progress. One worker does so for all.
func (x *explorer) look() {
	states := x.states + x.fresh.Load()
	if x.looks&63 == 0 {
		x.measure()
	}
	switch {
	case x.opt.MaxStates > 0 && states >= x.opt.MaxStates:
		x.res.Limit = fmt.Sprintf("states: %d", x.opt.MaxStates)
	case states > math.MaxUint32-1<<20 && x.graph != nil:
		x.res.Limit = "states: 2³² of them are numbered for a liveness claim"
	case x.opt.MaxMemory > 0 && x.short():
		x.res.Limit = fmt.Sprintf("memory: %d MiB", x.opt.MaxMemory>>20)
	}
	if x.looks&63 == 0 {
		x.lookAround(states)
	}
	x.looks++
	if x.res.Limit != "" {
		x.stop.Store(true)
	}
}

// lookAround looks at what is outside of the search.
func (x *explorer) lookAround(states int64) {
	if x.opt.Now != nil && !x.opt.Deadline.IsZero() && x.opt.Now().After(x.opt.Deadline) {
		x.res.Limit = "timeout"
	}
	select {
	case <-x.opt.Interrupt:
		x.res.Limit = "interrupted"
	default:
	}
	if x.opt.Progress != nil {
		x.opt.Progress(Progress{
			Generated: x.generated.Load(), Distinct: states, Depth: x.res.Depth, Bytes: x.memory(), Frontier: x.layer.States,
			Growth: growthOf(x.res.Widths), Estimate: estimate(x.res.Widths),
		})
	}
}

// growthOf is the ratio of the last two layers' widths, each taken with the one before
// it, since even and odd layers may differ.
func growthOf(widths []int64) float64 {
	n := len(widths)
	if n < 3 {
		return 1
	}
	return float64(widths[n-1]+widths[n-2]) / float64(widths[n-2]+widths[n-3])
}

// estimate adds to the layers so far what follows if they go on to shrink as they do;
// 0 while they do not.
func estimate(widths []int64) int64 {
	g := growthOf(widths)
	if g > 0.97 {
		return 0
	}
	sum := int64(0)
	for _, w := range widths {
		sum += w
	}
	return sum + int64(float64(widths[len(widths)-1])*g/(1-g))
}
