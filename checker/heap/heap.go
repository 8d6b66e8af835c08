// Package heap makes garbage collections rare while the heap is small, and its pages large.
//
// A check allocates much and retains little. With Go's default (GOGC=100) a process with 4 MiB of live heap is
// collected each time it has allocated another 4 MiB; a small check spends a fifth of its time there. Room
// allows [Garbage] bytes of garbage instead, or as much as the live heap if that is more. So a process uses at
// most Garbage bytes more than by default, and a large search is collected as by default.
//
// The corresponding percentage depends on the live heap, known after each collection. An object's finalizer
// runs after each collection, and sets the new percentage. Between a collection and the finalizer the old
// percentage is in force, for microseconds.
package heap

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Garbage is the amount of garbage in bytes at which a collection starts, if the live heap is smaller. A higher
// value makes a single search slower, since its pages are new and not in a processor's cache. A lower value
// makes many small searches slower. docs/performance.md has measurements.
const Garbage = 24 << 20

// Room configures the process's garbage collector, on its first call. It does nothing if GOGC is set in the
// environment, or while the percentage of another [debug.SetGCPercent] call is in force. Memory limits
// (GOMEMLIMIT, [debug.SetMemoryLimit]) stay in force.
func Room() { roomOnce() }

// Prepare calls Room, and requests huge pages if the system has them. It is called before the process's first
// search.
func Prepare() { prepareOnce() }

// hugePageBytes is the size of the heap, in bytes, for which huge pages are requested: more than small searches
// need. Memory is used only when touched.
const hugePageBytes = 64 << 20

var prepareOnce = sync.OnceFunc(func() {
	askForHugePages()
	debug.FreeOSMemory() // collects the requested memory, and returns it to the system
	Room()
})

var roomOnce = sync.OnceFunc(func() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const byDefault = 100
	if was := debug.SetGCPercent(byDefault); was != byDefault {
		debug.SetGCPercent(was)
		return
	}
	r := &collector{percent: byDefault, samples: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}}
	r.update()
})

// A collector holds the percentage that Room set last.
type collector struct {
	percent int
	samples []metrics.Sample
}

// A sentinel is garbage at once: its finalizer runs after the next collection.
type sentinel struct{ collector *collector }

// update sets the percentage after a collection, and waits for the next. It leaves a percentage that Room did
// not set.
func (r *collector) update() {
	metrics.Read(r.samples)
	if now := r.samples[1].Value.Uint64(); now == uint64(r.percent) {
		r.percent = percent(r.samples[0].Value.Uint64())
		debug.SetGCPercent(r.percent)
	}
	runtime.SetFinalizer(&sentinel{collector: r}, func(t *sentinel) { t.collector.update() })
}

// minLive is the minimum assumed live heap in bytes, since it is unknown before the first collection.
const minLive = 4 << 20

// percent returns the GC percentage for an amount of live heap in bytes.
func percent(live uint64) int {
	return int(math.Ceil(max(100, Garbage*100/float64(max(live, minLive)))))
}
