package visited

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage/faulty"
)

// In a bucket with so many places taken each fingerprint is found at its place, and one that is not there at none.
func TestPlacesOfABucket(t *testing.T) {
	for _, wide := range []bool{false, true} {
		set := New(wide, 1)
		defer set.Close()
		for taken := range set.per + 1 {
			b := &bucket{}
			for i := range taken {
				*set.word(b, i) = 10 + uint64(i)
				if wide {
					*second(set.word(b, i)) = 20 + uint64(i)
				}
			}
			assert.Equal(t, taken, set.taken(b))
			for i := range taken {
				l := Lookup{Print: fingerprint.Print{A: 10 + uint64(i), B: 20 + uint64(i)}, bucket: b}
				assert.Equal(t, i, set.held(&l), "wide %v, %d of %d", wide, i, taken)
			}
			assert.GreaterOrEqual(t, set.held(&Lookup{Print: fingerprint.Print{A: 9, B: 20}, bucket: b}), taken)
			if wide && taken > 0 {
				assert.Equal(t, set.per, set.held(&Lookup{Print: fingerprint.Print{A: 10, B: 19}, bucket: b}), "its second half is another's")
			}
		}
	}
}

// Wide fingerprints with one first half have a note each, and zero is stored as something else.
func TestHalves(t *testing.T) {
	set := New(true, 1)
	defer set.Close()
	lookups := make([]Lookup, 4)
	for i := range lookups {
		lookups[i].Begin(fingerprint.Print{A: 7, B: uint64(i) + 1}, 0, 0)
	}
	require.NoError(t, set.Room(len(lookups)))
	set.InsertAll(lookups)
	for i := range lookups {
		*set.Note(&lookups[i]) = uint32(i) + 50
	}
	set.Done(len(lookups), int64(len(lookups)))
	for i := range lookups {
		assert.EqualValues(t, i+50, *set.Find(lookups[i].Print))
	}
	assert.Nil(t, set.Find(fingerprint.Print{A: 7, B: 9}))
	assert.Equal(t, fingerprint.Print{A: 1, B: 1}, set.Stored(fingerprint.Print{}))
	assert.Equal(t, fingerprint.Print{A: 1}, (&Set{}).Stored(fingerprint.Print{B: 5}))
}

// A table takes as many as its limit, and grows for one more; all that it holds is found again with its note.
func TestTheTableGrows(t *testing.T) {
	for _, workers := range []int{1, 4} {
		for _, wide := range []bool{false, true} {
			t.Run(fmt.Sprintf("wide=%v/workers=%d", wide, workers), func(t *testing.T) {
				set := New(wide, workers)
				defer set.Close()
				limit := int(set.limit)
				require.NoError(t, set.Room(limit))
				assert.EqualValues(t, firstGroups, set.groups)
				set.Done(limit, 0)
				require.NoError(t, set.Room(limit+1))
				assert.EqualValues(t, 2*firstGroups, set.groups)
				set.Done(limit+1, 0)

				r := rand.New(rand.NewPCG(3, 4))
				keys := make([]fingerprint.Print, 35_000*workers) // with 4 workers a stretch is shared
				for i := range keys {
					keys[i] = set.Stored(fingerprint.Print{A: r.Uint64(), B: r.Uint64()})
				}
				assert.EqualValues(t, len(keys), insertShuffled(set, keys))
				assert.Zero(t, insertShuffled(set, keys))
				for _, k := range keys {
					if note := set.Find(k); note == nil || *note != uint32(k.A) {
						t.Fatalf("%v has note %v", k, note)
					}
				}
			})
		}
	}
}

// What a run holds is known, each claimant of it and no other, and its notes are those that were written.
func TestWinnowedByKey(t *testing.T) {
	d := directory(t, &faulty.FS{})
	print := func(a uint64) fingerprint.Print { return fingerprint.Print{A: a} }
	r := runWith(t, d, Entry{Print: print(5), Note: 70}, Entry{Print: print(8), Note: 90})
	for a, note := range map[uint64]uint32{5: 70, 8: 90} {
		e, ok, err := r.find(print(a))
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, note, e.Note)
	}
	set := &Set{runs: []*Run{r}, layer: 2}
	all := []Claimant{{print(4), 1}, {print(5), 2}, {print(5), 3}, {print(6), 4}, {print(8), 5}, {print(8), 6}, {print(9), 7}}
	for name, winnow := range map[string]func(*Run, []Claimant, func(int64), func() bool) error{"few": set.winnowFew, "by": set.winnowBy} {
		var known []int64
		require.NoError(t, winnow(r, all, func(n int64) { known = append(known, n) }, func() bool { return false }))
		assert.Equal(t, []int64{2, 3, 5, 6}, known, name)
		require.NoError(t, winnow(r, nil, nil, nil), "there may be no claimant")
	}
}

// A run whose file is gone is not opened.
func TestARunThatIsGone(t *testing.T) {
	d := directory(t, &faulty.FS{})
	s := runOf(t, d, []uint64{1}).Saved()
	_, err := open(d, false, s)
	require.NoError(t, err)
	s.File.Name += "x"
	_, err = open(d, false, s)
	assert.Error(t, err)
}

// Each run is saved, and each is read when they are verified.
func TestEachRunIsSaved(t *testing.T) {
	disk := &faulty.FS{}
	d := directory(t, disk)
	set := New(false, 1)
	defer set.Close()
	set.runs = []*Run{runOf(t, d, []uint64{1, 2}), runOf(t, d, []uint64{3})}
	saved, err := set.Save(d)
	require.NoError(t, err)
	assert.Len(t, saved, 3)
}
