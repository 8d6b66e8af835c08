//go:build !wasip1 && !contend_native

package machine

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// garbage collects the garbage of this process between runs only. A collection has to stop all goroutines, and one that runs a program which
// loops without a point cannot be stopped; then not even the watch would run.
type garbage struct {
	runs int
	live uint64 // bytes, after the last collection
}

const (
	lookEvery  = 256      // runs
	mostGrowth = 64 << 20 // bytes
)

// hold begins that, and its result ends it.
func (m *garbage) hold() func() {
	was := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(was) }
}

// collect collects garbage if there may be much.
func (m *garbage) collect() {
	if m.runs++; m.runs%lookEvery != 0 {
		return
	}
	if is := heap(); is > 2*m.live+mostGrowth {
		runtime.GC()
		m.live = heap()
	}
}

// heap is the size of objects in bytes.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
