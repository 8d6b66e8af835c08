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

// look checks the limits, and sometimes reports the progress. One worker calls it for all.
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

// overdue reports whether what follows the states of a layer must stop, and sets the limit. The number of states
// is no reason.
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

// glance stops the layer, or another shared job, if the search is stopped from outside. Any worker may call it:
// the worker that calls look may have no states left, while a state of another worker takes long.
func (x *explorer) glance() {
	if x.outside() != "" {
		x.stop.Store(true)
	}
}

// outside returns what stops the search from outside; "" if nothing does. Any worker may call it.
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

// called reports whether the search is stopped from outside, and sets the limit.
func (x *explorer) called() bool {
	limit := x.outside()
	if limit != "" {
		x.res.Limit = decide.Limited(limit)
	}
	return limit != ""
}

// halt is the panic that ends what follows a search when it is stopped from outside.
type halt struct{}

// afterwards does what follows a search. do calls beat regularly. If the search is stopped from outside meanwhile,
// beat ends it, and the search is not complete. If the search was stopped before, do has little work and completes
// it.
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

// Codes of the limits that stop a search. The last two come from outside.
const (
	States      = "states"
	Memory      = "memory"
	Timeout     = "timeout"
	Interrupted = "interrupted"
)

// met returns the number of states met so far, as far as the table knows.
func (x *explorer) met() int64 { return x.states + x.fresh.Load() }

// tell reports the progress, with the number of states met so far.
func (x *explorer) tell(states int64) {
	x.opt.Progress(Progress{
		Generated: x.generated.Load(), Distinct: states, Depth: x.res.Depth, Bytes: x.memory(), Frontier: x.width(),
		Widths: slices.Clip(x.res.Widths), Growth: growthOf(x.res.Widths), Estimate: estimate(x.res.Widths),
	})
}

// width returns the number of states of the present layer; 0 before the first states.
func (x *explorer) width() int64 {
	if n := len(x.res.Widths); n > 0 {
		return x.res.Widths[n-1]
	}
	return 0
}

// growthOf returns the ratio of the last two layers' widths. Each is taken with the layer before it, since even
// and odd layers may differ.
func growthOf(widths []int64) float64 {
	n := len(widths)
	if n < 3 {
		return 1
	}
	return float64(widths[n-1]+widths[n-2]) / float64(widths[n-2]+widths[n-3])
}

// estimate returns the number of states if the layers continue to shrink as they do; 0 while they do not shrink.
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

// A search measures its memory: the table, and the heap in use after the last collection. It sets the collector's
// limit, so that garbage is collected in time. Near the bound it halves the shares of the table and of the chunks of
// layers, again and again, so that they go to files earlier. If they are small already, or must stay in memory, it
// stops.

// besides is about the rest of the process's memory: code, stacks, and the runtime.
const besides = 16 << 20

// leastTable is the least share of the table, in bytes.
const leastTable = 1 << 20

// live is the name of the metric of the heap in use.
const live = "/gc/heap/live:bytes"

// shareMemory divides the memory of the search between the table and the chunks of layers. What is beyond a share
// goes to files, unless notes must stay in memory. undo restores the collector's limit.
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

// limitHeap sets the collector's limit to what is left for the heap.
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

// Collect frees the memory of earlier searches if it is more than an eighth of maxMemory, the bytes of the next
// search; 0 means that any amount is fine. The heap counts as the search's. To collect after each of many small
// searches would take longer than they do.
func Collect(maxMemory int64) {
	inUse := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(inUse)
	if maxMemory > 0 && int64(inUse[0].Value.Uint64()) > maxMemory/8 {
		debug.FreeOSMemory()
	}
}

// measure measures the heap.
func (x *explorer) measure() {
	metrics.Read(x.sample[:])
	x.heap = int64(x.sample[0].Value.Uint64())
	if x.opt.MaxMemory > 0 {
		x.limitHeap()
	}
}

// memory returns the bytes that the search uses, as last measured.
func (x *explorer) memory() int64 { return x.heap + x.traversal.bytes() }

// short keeps the search within its memory. It reports true if that is impossible.
func (x *explorer) short() bool {
	most := x.opt.MaxMemory - x.opt.MaxMemory/16
	return x.memory()+besides >= most && !x.traversal.shrink()
}

// Storage is the panic, and then the error, of a search that cannot write or read its files.
type Storage struct{ Err error }

func (s Storage) Error() string { return "the search's files: " + s.Err.Error() }

func (s Storage) Unwrap() error { return s.Err }

// must ends the search if its files fail. The caller holds no lock that others wait for.
func must(err error) {
	if err != nil {
		panic(Storage{err})
	}
}

// mostClaimants returns how many states of a layer are sorted at once: about a hundredth of the memory.
func (x *explorer) mostClaimants() int64 { return min(max(x.opt.MaxMemory>>12, 1<<12), mostSorted) }

// mostSorted is the number of states that are sorted at once if there is enough memory.
var mostSorted int64 = 1 << 20

// winnow removes from the states of a layer those that runs of earlier layers hold, and second copies: states met
// both before and after the table was emptied. If there are many, it sorts those of one range of fingerprints at a
// time, so that it needs little memory: one bit a state. If the search is stopped meanwhile, some known states
// stay, and are counted again.
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

// stopping returns a function that reports whether work between layers must stop. If the search is stopped
// already, that work is completed.
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

// claimants returns the found states with a fingerprint in one of so many ranges, in order.
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

// drop removes the known states from those that a searcher found. number is that of the first; drop returns the
// number behind the last.
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
