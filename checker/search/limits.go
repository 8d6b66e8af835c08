package search

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"slices"

	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/visited"
)

// look looks at the limits, and now and then tells of the progress. One worker does so for all.
func (x *explorer) look() {
	states := x.met()
	if x.looks&63 == 0 {
		x.measure()
		x.tell(states)
	}
	switch limit := x.notes.limit(states); {
	case x.opt.MaxStates > 0 && states >= x.opt.MaxStates:
		x.res.Limit = decide.Limit{Code: States, Detail: fmt.Sprint(x.opt.MaxStates)}
	case !limit.None():
		x.res.Limit = limit
	case x.opt.MaxMemory > 0 && x.short():
		x.outOfMemory()
	}
	x.looks++
	if x.called() || !x.res.Limit.None() {
		x.stop.Store(true)
	}
}

// overdue reports whether what follows the states of a layer has to stop, and makes the reason the limit. How
// many states there are is none.
func (x *explorer) overdue() bool {
	x.measure()
	x.tell(x.met())
	short := x.opt.MaxMemory > 0 && x.short()
	if short {
		x.outOfMemory()
	}
	return x.called() || short
}

// outOfMemory stops a search that cannot stay within its memory.
func (x *explorer) outOfMemory() {
	x.res.Limit = decide.Limit{Code: Memory, Detail: fmt.Sprintf("%d MiB", x.opt.MaxMemory>>20)}
}

// glance stops the layer, or whatever workers share, when the search is to stop. Any worker may do so:
// the one that looks may have nothing left to do, while a state of another takes long.
func (x *explorer) glance() {
	if x.outside() != "" {
		x.stop.Store(true)
	}
}

// outside says what stops the search from outside, or "". Any worker may ask.
func (x *explorer) outside() string {
	if limit := x.halted.Load(); limit != nil {
		return *limit
	}
	limit := ""
	if !x.opt.Deadline.IsZero() && x.opt.Now().After(x.opt.Deadline) {
		limit = Timeout
	}
	select {
	case <-x.opt.Interrupt:
		limit = Interrupted
	default:
	}
	if limit != "" {
		x.halted.CompareAndSwap(nil, &limit)
	}
	return limit
}

// called reports whether the search is to stop, from outside, and makes that its limit.
func (x *explorer) called() bool {
	limit := x.outside()
	if limit != "" {
		x.res.Limit = decide.Limited(limit)
	}
	return limit != ""
}

// halt is the panic that ends what follows a search, when it is stopped from outside meanwhile.
type halt struct{}

// afterwards does what follows a search. It has to beat now and then: when the search is stopped from
// outside meanwhile, it ends there, and the search is not complete. Where it was stopped before, what
// follows has to be little, and is brought to its end.
func (x *explorer) afterwards(do func(beat func())) {
	stopped := x.stopped()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case halt:
			x.res.Complete = false
		default:
			panic(p)
		}
	}()
	do(func() {
		if x.tell(x.states); !stopped && x.called() {
			panic(halt{})
		}
	})
}

// stopped reports whether the search was stopped from outside.
func (x *explorer) stopped() bool {
	return x.res.Limit.Code == Timeout || x.res.Limit.Code == Interrupted
}

// The codes of what stops a search: the last two come from outside.
const (
	States      = "states"
	Memory      = "memory"
	Timeout     = "timeout"
	Interrupted = "interrupted"
)

// met returns how many states were met so far, as far as the table knows.
func (x *explorer) met() int64 { return x.states + x.fresh.Load() }

// tell tells of the progress, with so many states met so far.
func (x *explorer) tell(states int64) {
	x.opt.Progress(Progress{
		Generated: x.generated.Load(), Distinct: states, Depth: x.res.Depth, Bytes: x.memory(), Frontier: x.width(),
		Widths: slices.Clip(x.res.Widths), Growth: growthOf(x.res.Widths), Estimate: estimate(x.res.Widths),
	})
}

// width is how many states the present layer has; none is present before the first states are found.
func (x *explorer) width() int64 {
	if n := len(x.res.Widths); n > 0 {
		return x.res.Widths[n-1]
	}
	return 0
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
	if !x.notes.spills() {
		x.held.Most = 0
	}
	x.traversal.spill()
	old := debug.SetMemoryLimit(-1)
	x.limitHeap()
	return func() { debug.SetMemoryLimit(old) }
}

// limitHeap tells the collector what is left for the heap.
func (x *explorer) limitHeap() {
	table := x.traversal.bytes()
	if x.notes.spills() {
		table = max(table, min(x.forTable, 2*table))
	}
	if left := max(x.opt.MaxMemory-besides-table, 1<<20); left != x.heapLimit {
		x.heapLimit = left
		debug.SetMemoryLimit(left)
	}
}

// Collect frees what searches before have left, if that is more than an eighth of what the next one may take up
// (in bytes; 0 means any amount): the heap counts as the search's. To collect a heap after each of many small
// searches would take longer than they do.
func Collect(maxMemory int64) {
	inUse := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(inUse)
	if maxMemory > 0 && int64(inUse[0].Value.Uint64()) > maxMemory/8 {
		debug.FreeOSMemory()
	}
}

// measure measures what the search takes up.
func (x *explorer) measure() {
	metrics.Read(x.sample[:])
	x.heap = int64(x.sample[0].Value.Uint64())
	if x.opt.MaxMemory > 0 {
		x.limitHeap()
	}
}

// memory is what the search takes up, in bytes, as it was measured last.
func (x *explorer) memory() int64 { return x.heap + x.traversal.bytes() }

// short sees to it that the search stays within its memory; true when it cannot.
func (x *explorer) short() bool {
	most := x.opt.MaxMemory - x.opt.MaxMemory/16
	return x.memory()+besides >= most && !x.traversal.shrink()
}

// Storage is the panic, and then the error, of a search that cannot write or read its files.
type Storage struct{ Err error }

func (s Storage) Error() string { return "the search's files: " + s.Err.Error() }

func (s Storage) Unwrap() error { return s.Err }

// must ends the search when its files fail. Whoever calls it holds no lock that others wait for.
func must(err error) {
	if err != nil {
		panic(Storage{err})
	}
}

// mostClaimants is how many of what was found in a layer are sorted at once: they take up a
// hundredth of the memory or so.
func (x *explorer) mostClaimants() int64 { return min(max(x.opt.MaxMemory>>12, 1<<12), mostSorted) }

// mostSorted is how many are sorted at once wherever there is memory enough.
var mostSorted int64 = 1 << 20

// winnow removes from what was found in a layer the states that runs of earlier layers
// hold, and second copies: those met before and after the table was emptied. When there are
// many they are gone through several times, and those of one stretch of fingerprints are
// sorted each time, so that this takes little memory: but a bit for each. Where the search is
// stopped meanwhile, some that are known stay, and are counted again.
func (x *discreteSearch) winnow() error {
	if !x.set.Spilled() {
		return nil
	}
	if x.res.Limit.None() {
		defer x.keepStopped()
	}
	stop := x.stopping()
	all := x.found()
	known := make([]uint64, all/64+1)
	dropped := false
	stretches := uint64(all/x.mostClaimants() + 1)
	for k := range stretches {
		claimants := x.claimants(k, stretches)
		err := x.set.Winnow(claimants, func(number int64) { known[number/64] |= 1 << (number % 64); dropped = true }, stop)
		if err != nil {
			return err
		}
		if stop() {
			break
		}
	}
	number := int64(0)
	for _, s := range x.workers {
		if dropped {
			number = s.drop(known, number)
		}
	}
	return nil
}

// stopping returns what looks for a reason to stop in the midst of what is done between layers. Where
// the search is stopped already, that is brought to its end.
func (x *explorer) stopping() func() bool {
	if !x.res.Limit.None() {
		return func() bool { return false }
	}
	return func() bool {
		if x.res.Limit.None() && !x.called() {
			x.tell(x.met())
		}
		return !x.res.Limit.None()
	}
}

// claimants lists what was found with a fingerprint in one of so many stretches, in order.
func (x *explorer) claimants(stretch, stretches uint64) []visited.Claimant {
	width := ^uint64(0)/stretches + 1 // 0 stands for 2⁶⁴
	var all []visited.Claimant
	number := int64(0)
	for _, s := range x.workers {
		s.each(func(key fingerprint.Print, _ []uint32) {
			if width == 0 || key.A/width == stretch {
				all = append(all, visited.Claimant{Key: key, Number: number})
			}
			number++
		})
	}
	slices.SortFunc(all, func(a, b visited.Claimant) int {
		return cmp.Or(fingerprint.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
	})
	return all
}

// drop removes the states that are known from what a searcher found, whose first has a number,
// and returns the number of the first behind it.
func (s *searcher) drop(known []uint64, number int64) int64 {
	all := s.next
	defer all.Close()
	s.next = all.Beside()
	must(all.Each(&s.loaded, func(key fingerprint.Print, v []uint32) error {
		if known[number/64]>>(number%64)&1 == 0 {
			must(s.next.Add(key, v))
		}
		number++
		return nil
	}))
	return number
}
