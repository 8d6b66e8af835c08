package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// A table holds each fingerprint once, with its note, however often it grew and however
// many workers inserted it, and each is found by its name among parents.
func TestTable(t *testing.T) {
	for _, wide := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprintf("wide=%v/workers=%d", wide, workers), func(t *testing.T) {
				set := newTable(wide)
				defer set.close()
				set.workers = workers
				keys := make([]print, 250_000)
				r := rand.New(rand.NewPCG(1, 2))
				for i := range keys {
					keys[i] = set.stored(print{r.Uint64(), r.Uint64()})
				}
				keys[0] = set.stored(print{}) // as good as any other
				var fresh atomic.Int64
				var wait sync.WaitGroup
				for range workers {
					wait.Go(func() { fresh.Add(insertShuffled(set, keys)) })
				}
				wait.Wait()
				if n := int64(len(keys)); fresh.Load() != n || set.len() != n {
					t.Fatalf("%d of %d are new; it holds %d", fresh.Load(), n, set.len())
				}
				for i, k := range keys {
					if note := set.find(k); note == nil || *note != uint32(k.a) {
						t.Fatalf("the %d-th has note %v, want %d", i, note, uint32(k.a))
					}
					if i < 200 && !slices.Contains(set.tagged(tagOf(k.a)), k) {
						t.Fatalf("the %d-th is not found by its name", i)
					}
				}
				if set.find(set.stored(print{3, 4})) != nil {
					t.Error("it holds what was not inserted")
				}
			})
		}
	}
}

// insertShuffled inserts fingerprints in batches in an order of its own, and returns how
// many were new.
func insertShuffled(set *table, keys []print) (fresh int64) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	order := r.Perm(len(keys))
	for len(order) > 0 {
		batch := make([]lookup, min(100, len(order)))
		for i := range batch {
			batch[i].print = keys[order[i]]
		}
		order = order[len(batch):]
		set.room(len(batch))
		set.insertAll(batch)
		before := fresh
		for _, l := range batch {
			if l.fresh {
				fresh++
				*set.note(l.bucket, uintptr(l.i)) = uint32(l.a)
			}
		}
		set.done(len(batch), fresh-before)
	}
	return fresh
}

// In an exact search the least parent is kept until the layer is complete, and none is
// taken after.
func TestLeastParent(t *testing.T) {
	var note uint32
	for _, tag := range []uint32{7, 5, 9} {
		leastParent(&note, tag)
	}
	settle(&note)
	leastParent(&note, 3)
	if note>>1 != 5 {
		t.Errorf("the parent is %d, want 5", note>>1)
	}
}

// A table for which room was reserved takes fingerprints in order, as a checkpoint has
// them; and it hands them out in order again.
func TestTableInOrder(t *testing.T) {
	for _, wide := range []bool{false, true} {
		from, to := newTable(wide), newTable(wide)
		defer from.close()
		defer to.close()
		keys := make([]print, 200_000)
		r := rand.New(rand.NewPCG(3, 4))
		for i := range keys {
			keys[i] = from.stored(print{r.Uint64(), r.Uint64()})
		}
		insertShuffled(from, keys)
		to.reserve(from.len())
		for e := range from.sorted {
			to.load(e)
		}
		slices.SortFunc(keys, compare)
		i := 0
		for e := range to.sorted {
			if e.print != keys[i] || e.note != uint32(keys[i].a) {
				t.Fatalf("the %d-th is %v with note %d, want %v", i, e.print, e.note, keys[i])
			}
			i++
		}
		if i != len(keys) || to.len() != int64(i) {
			t.Fatalf("%d of %d are handed out; it holds %d", i, len(keys), to.len())
		}
	}
}
