package visited

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// What stands aside, since all its buckets are full, is found as others are.
func TestWhatStandsAsideIsFound(t *testing.T) {
	set := New(true, 1)
	defer set.Close()
	lookups := make([]Lookup, 3*tries*spread+10) // one fingerprint by their first halves
	for i := range lookups {
		lookups[i].Begin(fingerprint.Print{A: 1 << 40, B: uint64(i + 1)}, 0, 0)
	}
	require.NoError(t, set.Room(len(lookups)))
	set.InsertAll(lookups)
	set.Done(len(lookups), int64(len(lookups)))
	require.Positive(t, set.aside.n.Load())
	for i := range lookups {
		assert.NotNil(t, set.Find(lookups[i].Print), "%d", i)
	}
}

// A place that another worker took meanwhile, with a fingerprint that has the same first half, is
// not one's own.
func TestPlacesAreToldApartByBothHalves(t *testing.T) {
	set := New(true, 1)
	defer set.Close()
	var there, other Lookup
	for at, l := range map[uintptr]*Lookup{0: &there, 1: &other} {
		l.Begin(fingerprint.Print{A: 7, B: uint64(at) + 1}, 0, 0)
		l.bucket = set.bucket(7, 0)
	}
	assert.EqualValues(t, 0, set.occupy(&there, 0))
	assert.EqualValues(t, 1, set.occupy(&other, 0))
	assert.EqualValues(t, 1, set.occupy(&other, 0))
}

// runWith is a run of entries.
func runWith(t *testing.T, d *storage.Directory, all ...Entry) *Run {
	t.Helper()
	r, err := write(d, false, 1, func(yield func(Entry) bool) {
		for _, e := range all {
			if !yield(e) {
				return
			}
		}
	})
	require.NoError(t, err)
	return r
}

func directory(t *testing.T, disk *faulty.FS) *storage.Directory {
	t.Helper()
	d, err := storage.Keep(disk, "/kept")
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

// The least fingerprints go by the name of the one after them.
func TestTheLeastName(t *testing.T) {
	r := runWith(t, directory(t, &faulty.FS{}), Entry{Print: fingerprint.Print{A: 5}}, Entry{Print: fingerprint.Print{A: 1<<33 + 5}}, Entry{Print: fingerprint.Print{A: 1 << 34}})
	for tag, want := range map[uint32][]fingerprint.Print{1: {{A: 5}, {A: 1<<33 + 5}}, 2: {{A: 1 << 34}}, 3: nil} {
		got, err := r.tagged(tag)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	assert.Equal(t, []uint32{1, 1, 2}, []uint32{Tag(5), Tag(1<<33 + 5), Tag(1 << 34)})
}

// A run that was damaged is found out before it is needed.
func TestDamagedRunsAreFoundOut(t *testing.T) {
	disk := &faulty.FS{}
	d := directory(t, disk)
	saved := runWith(t, d, Entry{Print: fingerprint.Print{A: 5}}).Saved()
	for _, damaged := range []bool{false, true} {
		if damaged {
			files := disk.Files()
			text := files["/kept/"+saved.File.Name]
			text[len(text)-1] ^= 1
			disk.SetFiles(files)
		}
		set := New(false, 1)
		defer set.Close()
		r, err := open(d, false, saved)
		require.NoError(t, err)
		set.runs = []*Run{r}
		assert.Equal(t, damaged, set.Verify() != nil)
	}
}

// What is saved is the table as it was before the present layer.
func TestThePresentLayerIsNotSaved(t *testing.T) {
	d := directory(t, &faulty.FS{})
	set := New(false, 1)
	defer set.Close()
	for i, note := range []uint32{2, 3} { // of an earlier layer, and of this one
		l := []Lookup{{}}
		l[0].Begin(fingerprint.Print{A: uint64(i + 5)}, 0, 0)
		require.NoError(t, set.Room(1))
		set.InsertAll(l)
		*set.Note(&l[0]) = note
		set.Done(1, 1)
	}
	saved, err := set.Save(d)
	require.NoError(t, err)
	again := New(false, 1)
	defer again.Close()
	require.NoError(t, again.Load(d, saved))
	assert.EqualValues(t, 1, again.Len())
	assert.NotNil(t, again.Find(fingerprint.Print{A: 5}))
	assert.Nil(t, again.Find(fingerprint.Print{A: 6}))
}
