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

// crowds are fingerprints that follow each other in equal steps, as sums of equal parts do: next
// to each other, so that they belong to one group; nearly one and a half times around the table,
// so that a half of it is twice as full as the other; and among others that are spread.
func crowds(n int) map[string]func(i int) uint64 {
	r := rand.New(rand.NewPCG(5, 6))
	return map[string]func(i int) uint64{
		"next to each other": func(i int) uint64 { return 1<<63 + uint64(i) },
		"at the end":         func(i int) uint64 { return 1<<64 - 1 - uint64(i) },
		"around":             func(i int) uint64 { return uint64(i+1) * (1<<63/uint64(n)*3 + 1) },
		"among others": func(i int) uint64 {
			if i%3 == 0 {
				return r.Uint64()
			}
			return 7<<60 + uint64(i)<<4
		},
	}
}

// However fingerprints crowd, the table holds each once, with its note; each is found, by its
// name among parents too, and all are handed out in order.
func TestCrowds(t *testing.T) {
	const n = 11_000
	for name, crowd := range crowds(n) {
		for _, wide := range []bool{false, true} {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/wide=%v/workers=%d", name, wide, workers), func(t *testing.T) {
					set := New(wide, workers)
					defer set.Close()
					var keys []fingerprint.Print
					for i := range n {
						keys = append(keys, set.Stored(fingerprint.Print{A: crowd(i), B: uint64(i)}))
					}
					var fresh atomic.Int64
					var wait sync.WaitGroup
					for range workers {
						wait.Go(func() { fresh.Add(insertShuffled(set, keys)) })
					}
					wait.Wait()
					if fresh.Load() != n || set.Len() != n {
						t.Fatalf("%d of %d are new; it holds %d", fresh.Load(), n, set.Len())
					}
					mustHold(t, set, keys)
				})
			}
		}
	}
}

func mustHold(t *testing.T, set *Set, keys []fingerprint.Print) {
	t.Helper()
	for i, k := range keys {
		if note := set.Find(k); note == nil || *note != uint32(k.A) {
			t.Fatalf("the %d-th has note %v, want %d", i, note, uint32(k.A))
		}
	}
	if k := keys[len(keys)/2]; !slices.Contains(set.tagged(Tag(k.A)), k) {
		t.Error("it is not found by its name")
	}
	sorted := slices.SortedFunc(slices.Values(keys), fingerprint.Compare)
	i := 0
	for e := range set.Sorted {
		if i == len(sorted) || e.Print != sorted[i] || e.Note != uint32(e.A) {
			t.Fatalf("the %d-th handed out is %v with note %d", i, e.Print, e.Note)
		}
		i++
	}
	if i != len(sorted) {
		t.Fatalf("%d of %d are handed out", i, len(sorted))
	}
}

// What stands aside comes back when the table has grown enough, and goes when it is emptied.
func TestAsideComesBack(t *testing.T) {
	set := New(false, 1)
	defer set.Close()
	var keys []fingerprint.Print
	for i := range uint64(4000) {
		keys = append(keys, fingerprint.Print{A: 1<<62 + i<<50}) // in an eighth of the table
	}
	for set.groups < 40 {
		set.grow()
	}
	insertShuffled(set, keys)
	if set.aside.n.Load() != 0 {
		t.Fatalf("%d stand aside in a table with room", set.aside.n.Load())
	}
	for _, k := range keys[:100] {
		*set.noteAt(set.putAside(fingerprint.Print{A: k.A + 1}), 0) = uint32(k.A + 1)
	}
	if set.Bytes() != set.allocated.Load()+100*asideBytes {
		t.Error("what stands aside takes up nothing")
	}
	set.grow()
	if set.aside.n.Load() != 0 || set.Find(fingerprint.Print{A: keys[3].A + 1}) == nil {
		t.Errorf("%d stand aside after the table has grown", set.aside.n.Load())
	}
	set.putAside(fingerprint.Print{A: 5})
	set.empty()
	if set.Find(fingerprint.Print{A: 5}) != nil || set.aside.n.Load() != 0 {
		t.Error("the empty table holds something")
	}
}
