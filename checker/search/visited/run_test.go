package visited

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// runOf writes a run of fingerprints, which are sorted, each once.
func runOf(t *testing.T, d *storage.Directory, keys []uint64) *Run {
	t.Helper()
	r, err := write(d, false, 1, func(yield func(Entry) bool) {
		for _, k := range keys {
			if !yield(Entry{Print: fingerprint.Print{A: k}, Note: 2}) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// However its fingerprints are spread, a run finds the place of each, and of what is between, before
// and after them.
func TestSeek(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func() uint64{
		"even":    random.Uint64,
		"low":     func() uint64 { return random.Uint64N(1 << 20) },
		"high":    func() uint64 { return ^random.Uint64N(1 << 20) },
		"crowded": func() uint64 { return 1<<63 + random.Uint64N(1<<20) },
		"skewed":  func() uint64 { return random.Uint64() >> random.IntN(60) },
	} {
		for _, n := range []int{0, 1, 2, 700, 20_000} {
			files := storage.Temporary(&faulty.FS{})
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = draw()
			}
			slices.Sort(keys)
			keys = slices.Compact(keys)
			r := runOf(t, files, keys)
			for range 300 {
				p := draw()
				if len(keys) > 0 && random.IntN(2) == 0 {
					p = keys[random.IntN(len(keys))]
				}
				want, there := slices.BinarySearch(keys, p)
				got, err := r.seek(fingerprint.Print{A: p})
				_, found, failed := r.find(fingerprint.Print{A: p})
				if err != nil || failed != nil || got != int64(want) || found != there {
					t.Fatalf("%s, %d: %x is at %d (%v, %v, %v), want %d (%v)", name, n, p, got, found, err, failed, want, there)
				}
			}
			files.Close()
		}
	}
}

// Who is told to stop says nothing more of what was found, whichever way he looks.
func TestWinnowStops(t *testing.T) {
	files := storage.Temporary(&faulty.FS{})
	defer files.Close()
	keys := make([]uint64, 20_000)
	for i := range keys {
		keys[i] = uint64(i) << 40
	}
	set := &Set{runs: []*Run{runOf(t, files, keys)}, layer: 2}
	var claimants []Claimant
	for i, k := range keys {
		claimants = append(claimants, Claimant{fingerprint.Print{A: k}, int64(i)})
	}
	for name, winnow := range map[string]func(*Run, []Claimant, func(int64), func() bool) error{"few": set.winnowFew, "by": set.winnowBy} {
		said, asked := 0, 0
		err := winnow(set.runs[0], claimants, func(int64) { said++ }, func() bool { asked++; return asked > 1 })
		if err != nil || said < often || said > 2*often {
			t.Errorf("%s: it says %d of %d (%v)", name, said, len(keys), err)
		}
	}
}
