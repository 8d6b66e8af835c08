package frontier

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// Whoever takes them, and in whatever order, each chunk is taken once.
func TestShareHandsOutEachChunkOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 5, 300, 4000} {
		var l Layer
		l.Replace([]*Part{filled(t, &Part{memory: &Memory{}}, states(r, n)), filled(t, &Part{memory: &Memory{}}, states(r, n/3))})
		for workers := 1; workers <= 5; workers++ {
			share, taken := l.Divide(workers), map[Place]int{}
			for left := workers; left > 0; {
				if p, more := share.Take(r.IntN(workers)); more {
					taken[p]++
				} else {
					left--
				}
			}
			for _, p := range l.Chunks() {
				if taken[p] != 1 {
					t.Errorf("%d states, %d workers: chunk %d is taken %d times", n, workers, p.i, taken[p])
				}
			}
			if len(taken) != len(l.Chunks()) {
				t.Errorf("%d states, %d workers: %d chunks are taken of %d", n, workers, len(taken), len(l.Chunks()))
			}
		}
	}
}

// A worker goes through a stretch of its own from its first chunk to its last, and then helps
// the others from the ends of theirs.
func TestShareGivesStretches(t *testing.T) {
	var l Layer
	l.Replace([]*Part{filled(t, &Part{memory: &Memory{}}, states(rand.New(rand.NewPCG(4, 4)), 4000))})
	all := l.Chunks()
	n := len(all)
	if n < 8 {
		t.Fatalf("%d chunks are too few for this test", n)
	}
	share := l.Divide(2)
	for i := range n / 2 {
		if p, _ := share.Take(0); p != all[i] {
			t.Errorf("take %d is chunk %d", i, p.i)
		}
	}
	if p, _ := share.Take(0); p != all[n-1] {
		t.Errorf("the first to help takes chunk %d of %d", p.i, n)
	}
	if p, _ := share.Take(1); p != all[n/2] {
		t.Errorf("the other begins with chunk %d of %d", p.i, n)
	}
}

// Workers take at once.
func TestShareIsShared(t *testing.T) {
	var l Layer
	l.Replace([]*Part{filled(t, &Part{memory: &Memory{}}, states(rand.New(rand.NewPCG(5, 5)), 4000))})
	share, taken := l.Divide(4), make([]int, 4)
	var wait sync.WaitGroup
	for i := range taken {
		wait.Go(func() {
			for _, more := share.Take(i); more; _, more = share.Take(i) {
				taken[i]++
			}
		})
	}
	wait.Wait()
	if sum := taken[0] + taken[1] + taken[2] + taken[3]; sum != len(l.Chunks()) {
		t.Errorf("%d chunks are taken of %d", sum, len(l.Chunks()))
	}
}
