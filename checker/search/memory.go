package search

import (
	"runtime/debug"
	"runtime/metrics"
)

// What a search takes up is measured, not estimated: the heap that was in use after the last
// collection, on which all is but the table, and the table. The collector is told how much the
// heap may take up, so that what is garbage is collected in time. When what is in use comes near
// the bound, the table and the chunks of layers give way, and go to files earlier, again and
// again by half; when they are small already, or have to stay in memory, the search stops.

// besides is about what the process takes up besides: its code, stacks, and what the runtime keeps.
const besides = 16 << 20

// leastTable is how small a table is made when memory is short, in bytes.
const leastTable = 1 << 20

// live names the measure of the heap in use.
const live = "/gc/heap/live:bytes"

// shareMemory says how much of the memory that a search may take up is for the table, and how
// much for the chunks of layers; what is beyond that goes to files. A graph numbers the states
// with the notes of the table, so that then all stay. It returns what undoes it.
func (x *explorer) shareMemory() (undo func()) {
	if x.opt.MaxMemory == 0 {
		return func() {}
	}
	x.forTable = max(x.opt.MaxMemory-besides, 0) / 2
	x.held.Most = x.forTable / 2
	if x.opt.table != 0 {
		x.forTable, x.held.Most = x.opt.table, x.opt.chunks
	}
	if x.graph != nil {
		x.held.Most = 0
	}
	if x.set != nil && x.graph == nil {
		x.set.SpillTo(x.files, x.forTable)
	}
	old := debug.SetMemoryLimit(-1)
	x.limitHeap()
	return func() { debug.SetMemoryLimit(old) }
}

// tableBytes is what the table takes up.
func (x *explorer) tableBytes() int64 {
	if x.set == nil {
		return 0
	}
	return x.set.Bytes()
}

// limitHeap tells the collector what is left for the heap.
func (x *explorer) limitHeap() {
	table := x.tableBytes()
	if x.set != nil && x.graph == nil {
		table = max(table, min(x.forTable, 2*table))
	}
	if left := max(x.opt.MaxMemory-besides-table, 1<<20); left != x.heapLimit {
		x.heapLimit = left
		debug.SetMemoryLimit(left)
	}
}

// measure measures what the search takes up.
func (x *explorer) measure() {
	if x.sample == nil {
		x.sample = []metrics.Sample{{Name: live}}
	}
	metrics.Read(x.sample)
	x.heap = int64(x.sample[0].Value.Uint64())
	if x.opt.MaxMemory > 0 {
		x.limitHeap()
	}
}

// memory is what the search takes up, in bytes, as it was measured last.
func (x *explorer) memory() int64 { return x.heap + x.tableBytes() }

// short sees to it that the search stays within its memory; true when it cannot.
func (x *explorer) short() bool {
	most := x.opt.MaxMemory - x.opt.MaxMemory/16
	if x.memory()+besides < most {
		return false
	}
	if x.set == nil || x.graph != nil || x.opt.table != 0 || x.forTable <= leastTable {
		return true
	}
	if x.gaveWay == x.heap {
		return false // what gave way is not collected yet
	}
	x.gaveWay = x.heap
	x.forTable = max(x.forTable/2, leastTable)
	x.held.Most = x.forTable / 2
	x.set.Shrink(x.forTable)
	return false
}
