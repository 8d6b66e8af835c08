// Package heap makes garbage collections rare while the heap is small, and its pages large.
//
// A check allocates a lot and keeps little: with Go's default (GOGC=100) a process with 4 MiB of live heap is collected
// each time it has allocated another 4 MiB, and a fifth of the time of a small check goes there. Room allows [Garbage] bytes of
// garbage instead, or as much as there is live heap, whichever is more. So a process takes up at most Garbage bytes more than
// by default, and a large search is collected as by default.
//
// The percentage that means this depends on the live heap, which is known after each collection. An object with a
// finalizer tells of each collection; the finalizer computes the percentage anew. Between the end of a collection and its finalizer,
// the old percentage is in force: for microseconds.
package heap

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Garbage is how much garbage may be in the heap before it is collected, in bytes, if the live heap is smaller.
// More makes a single search slower, since the pages are new to the process and not in a processor's cache. Less makes many
// small searches slower. docs/performance.md has figures.
const Garbage = 24 << 20

// Room sets the process's garbage collector so, from the first call on. It does nothing where the user has chosen: where GOGC is set
// in the environment, and as long as somebody else has called [debug.SetGCPercent]. A limit of memory (GOMEMLIMIT, [debug.SetMemoryLimit])
// holds as before.
func Room() { once() }

// Prepare does what Room does, and asks for huge pages where the system has them, before the process's first search.
func Prepare() { prepared() }

// ahead is for how much of the heap huge pages are asked, in bytes: more than small searches need. Of it nothing is taken up before it is
// used.
const ahead = 64 << 20

var prepared = sync.OnceFunc(func() {
	askForHugePages()
	debug.FreeOSMemory() // collects what stood for it, and leaves it to the system until it is used
	Room()
})

var once = sync.OnceFunc(func() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const byDefault = 100
	if was := debug.SetGCPercent(byDefault); was != byDefault {
		debug.SetGCPercent(was)
		return
	}
	r := &room{percent: byDefault, samples: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}}
	r.collected()
})

// room is the state of Room: the percentage that it set last.
type room struct {
	percent int
	samples []metrics.Sample
}

// tick is collected once: its finalizer tells of a collection.
type tick struct{ of *room }

// collected computes the percentage after a collection, unless it is not the one that was set here, and waits for the next collection.
func (r *room) collected() {
	metrics.Read(r.samples)
	if now := r.samples[1].Value.Uint64(); now == uint64(r.percent) {
		r.percent = percent(r.samples[0].Value.Uint64())
		debug.SetGCPercent(r.percent)
	}
	runtime.SetFinalizer(&tick{of: r}, func(t *tick) { t.of.collected() })
}

// leastLive is what live heap is taken to be at least, in bytes: before the first collection it is unknown.
const leastLive = 4 << 20

// percent is the percentage of garbage for so many bytes of live heap.
func percent(live uint64) int {
	return int(math.Ceil(max(100, Garbage*100/float64(max(live, leastLive)))))
}
