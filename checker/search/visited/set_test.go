package visited

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"contend/checker/search/fingerprint"
)

// A table holds each fingerprint once, with its note, however often it grew and however
// many workers inserted it, and each is found by its name among parents.
func TestTable(t *testing.T) {
	for _, wide := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprintf("wide=%v/workers=%d", wide, workers), func(t *testing.T) {
				set := New(wide, workers)
				defer set.Close()
				keys := make([]fingerprint.Print, 40_000)
				r := rand.New(rand.NewPCG(1, 2))
				for i := range keys {
					keys[i] = set.Stored(fingerprint.Print{A: r.Uint64(), B: r.Uint64()})
				}
				keys[0] = set.Stored(fingerprint.Print{}) // as good as any other
				var fresh atomic.Int64
				var wait sync.WaitGroup
				for range workers {
					wait.Go(func() { fresh.Add(insertShuffled(set, keys)) })
				}
				wait.Wait()
				if n := int64(len(keys)); fresh.Load() != n || set.Len() != n {
					t.Fatalf("%d of %d are new; it holds %d", fresh.Load(), n, set.Len())
				}
				for i, k := range keys {
					if note := set.Find(k); note == nil || *note != uint32(k.A) {
						t.Fatalf("the %d-th has note %v, want %d", i, note, uint32(k.A))
					}
					if i < 200 && !slices.Contains(set.tagged(Tag(k.A)), k) {
						t.Fatalf("the %d-th is not found by its name", i)
					}
				}
				if set.Find(set.Stored(fingerprint.Print{A: 3, B: 4})) != nil {
					t.Error("it holds what was not inserted")
				}
			})
		}
	}
}

// insertShuffled inserts fingerprints in batches in an order of its own, and returns how
// many were new.
func insertShuffled(set *Set, keys []fingerprint.Print) (fresh int64) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	order := r.Perm(len(keys))
	for len(order) > 0 {
		batch := make([]Lookup, min(100, len(order)))
		for i := range batch {
			batch[i].Begin(keys[order[i]], 0, 0)
		}
		order = order[len(batch):]
		if err := set.Room(len(batch)); err != nil {
			panic(err)
		}
		set.InsertAll(batch)
		before := fresh
		for _, l := range batch {
			if l.Fresh {
				fresh++
				*set.Note(&l) = uint32(l.A)
			}
		}
		set.Done(len(batch), fresh-before)
	}
	return fresh
}

// In an exact search the least parent is kept until the layer is complete, and none is
// taken after.
func TestLeastParent(t *testing.T) {
	var note uint32
	for _, tag := range []uint32{7, 5, 9} {
		LeastParent(&note, tag)
	}
	Settle(&note)
	LeastParent(&note, 3)
	if note>>1 != 5 {
		t.Errorf("the parent is %d, want 5", note>>1)
	}
}

// together has workers do something at the same time.
func together(workers int, work func(number int)) {
	var wait sync.WaitGroup
	for k := range workers {
		wait.Go(func() { work(k) })
	}
	wait.Wait()
}

// Of all parents that workers note the least is kept.
func TestLeastParentOfMany(t *testing.T) {
	const workers = 4
	notes := make([]uint32, 500_000)
	tag := func(i, worker int) uint32 { return uint32(fingerprint.Scramble(uint64(i*workers+worker))>>40) + 1 }
	together(workers, func(k int) {
		for i := range notes {
			LeastParent(&notes[i], tag(i, k))
		}
	})
	for i, note := range notes {
		if want := min(tag(i, 0), tag(i, 1), tag(i, 2), tag(i, 3)); note>>1 != want {
			t.Fatalf("the %d-th parent is %d, and the least is %d", i, note>>1, want)
		}
	}
}

// Of workers that insert the same, one by one and at the same time, one finds that a fingerprint is new.
func TestTheSameAtOnce(t *testing.T) {
	for _, wide := range []bool{false, true} {
		set := New(wide, 4)
		defer set.Close()
		const n = 60_000
		var fresh [n]atomic.Int32
		together(4, func(int) {
			l := make([]Lookup, 1)
			for i := range uint64(n) {
				l[0].Begin(fingerprint.Print{A: fingerprint.Scramble(i + 1), B: i + 1}, 0, 0)
				if err := set.Room(1); err != nil {
					panic(err)
				}
				set.InsertAll(l)
				news := int64(0)
				if l[0].Fresh {
					news = 1
					fresh[i].Add(1)
				}
				set.Done(1, news)
			}
		})
		for i := range fresh {
			if fresh[i].Load() != 1 {
				t.Fatalf("the %d-th is new to %d", i, fresh[i].Load())
			}
		}
		if set.Len() != n {
			t.Errorf("it holds %d, and not %d", set.Len(), n)
		}
	}
}

// A table for which room was reserved takes fingerprints in order, as a checkpoint has
// them; and it hands them out in order again.
func TestTableInOrder(t *testing.T) {
	for _, wide := range []bool{false, true} {
		from, to := New(wide, 1), New(wide, 1)
		defer from.Close()
		defer to.Close()
		keys := make([]fingerprint.Print, 30_000)
		r := rand.New(rand.NewPCG(3, 4))
		for i := range keys {
			keys[i] = from.Stored(fingerprint.Print{A: r.Uint64(), B: r.Uint64()})
		}
		insertShuffled(from, keys)
		to.reserve(from.Len())
		for e := range from.Sorted {
			to.load(e)
		}
		slices.SortFunc(keys, fingerprint.Compare)
		i := 0
		for e := range to.Sorted {
			if e.Print != keys[i] || e.Note != uint32(keys[i].A) {
				t.Fatalf("the %d-th is %v with note %d, want %v", i, e.Print, e.Note, keys[i])
			}
			i++
		}
		if i != len(keys) || to.Len() != int64(i) {
			t.Fatalf("%d of %d are handed out; it holds %d", i, len(keys), to.Len())
		}
	}
}
