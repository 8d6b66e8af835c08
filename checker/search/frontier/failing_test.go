package frontier

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// Whichever call to the file system fails, states come out as they went in, or there is an error.
func TestEachCallFails(t *testing.T) {
	all := states(rand.New(rand.NewPCG(5, 5)), 150)
	for _, fault := range []faulty.Fault{faulty.Full, faulty.Short, faulty.Refused} {
		failed := 0
		for call := 1; ; call++ {
			disk := &faulty.FS{At: call, Fault: fault}
			got, err := roundTrip(disk, all)
			if disk.Calls() < call {
				if err != nil {
					t.Errorf("without a fault: %v", err)
				}
				break
			}
			if err != nil {
				failed++
			} else if !slices.EqualFunc(got, slices.Concat(all, all), record.equal) {
				t.Errorf("%v at %s: %d states came out, not %d, and no error", fault, disk.Call(call), len(got), 2*len(all))
			}
		}
		if failed < 6 {
			t.Errorf("%v: %d calls matter", fault, failed)
		}
	}
}

// roundTrip puts states into a part in files and reads it, saves a layer of it, and reads that.
func roundTrip(disk *faulty.FS, all []record) (got []record, err error) {
	d := storage.Temporary(disk)
	defer d.Close()
	m := &Memory{Most: 1, Directory: d}
	p := NewPart(m)
	for _, r := range all {
		if err := p.Add(r.key, r.v); err != nil {
			return nil, err
		}
	}
	if lost(disk, 0) {
		return nil, nil
	}
	collect := func(key fingerprint.Print, v []uint32) error {
		got = append(got, record{key, slices.Clone(v)})
		return nil
	}
	if err := p.Each(&Buffer{}, collect); err != nil {
		return nil, err
	}
	var layer Layer
	layer.Replace([]*Part{&p})
	kept, err := storage.Keep(disk, "/kept")
	if err != nil {
		return nil, err
	}
	before := disk.Calls()
	saved, err := layer.Save(kept)
	if err == nil && lost(disk, before) {
		return nil, nil
	}
	if err := errors.Join(err, kept.Sync()); err != nil {
		return nil, err
	}
	layer.Close()
	defer kept.Close()
	var again Layer
	if err := again.Load(&Memory{Directory: kept}, saved); err != nil {
		return nil, err
	}
	if err := again.Verify(); err != nil {
		return nil, err
	}
	var b Buffer
	for _, place := range again.Chunks() {
		c, err := place.Load(&b)
		if err != nil {
			return nil, err
		}
		for len(c) > 0 {
			var r record
			r.key, r.v, c = c.Next()
			got = append(got, record{r.key, slices.Clone(r.v)})
		}
	}
	return got, nil
}

// lost reports whether the call that failed was one after some, and matters to who made it.
func lost(disk *faulty.FS, before int) bool {
	op, _, _ := strings.Cut(disk.Call(disk.At), " ")
	return before < disk.At && disk.At <= disk.Calls() && op != "close" && op != "remove"
}

// Chunks that fill their blocks are found again behind one another.
func TestWholeBlocks(t *testing.T) {
	for less := range 3 {
		d, err := storage.Keep(&faulty.FS{}, "/kept")
		if err != nil {
			t.Fatal(err)
		}
		m := &Memory{Directory: d}
		p := NewPart(m)
		want := []record{{fingerprint.Print{A: 1}, make([]uint32, storage.BlockHolds/4-recordHead-less)}, {fingerprint.Print{A: 2}, make([]uint32, 5)}}
		filled(t, &p, want)
		var layer, again Layer
		layer.Replace([]*Part{&p})
		saved, err := layer.Save(d)
		if err := errors.Join(err, again.Load(m, saved)); err != nil {
			t.Fatal(err)
		}
		if got := layered(t, &again); !slices.EqualFunc(got, want, record.equal) || len(saved.Chunks) != 2 {
			t.Errorf("%d words less than a block: %v, of chunks %v", less, got, saved.Chunks)
		}
		d.Close()
	}
}

// What is closed has no states and takes up no memory, however often it is closed.
func TestClosedIsEmpty(t *testing.T) {
	m := &Memory{}
	var found []*Part
	for range 3 {
		p := NewPart(m)
		found = append(found, filled(t, &p, states(rand.New(rand.NewPCG(6, 6)), 300)))
	}
	var layer Layer
	layer.Replace(found)
	spare := filled(t, found[0], states(rand.New(rand.NewPCG(7, 7)), 300))
	for range 2 {
		layer.Close()
		spare.Close()
		if len(layer.Chunks()) > 0 || layer.States > 0 || m.Load() != 0 {
			t.Errorf("%d chunks, %d states, %d bytes", len(layer.Chunks()), layer.States, m.Load())
		}
	}
}

// Chunks go to a file only when they take up more than they may, and a chunk is filled to its end before the next.
func TestMemoryIsUsed(t *testing.T) {
	record := make([]uint32, 1<<8-recordHead)                               // it fills the first chunk, two of them the second
	for most, chunks := range map[int64]int{0: 2, 4 << 8: 2, 4<<8 - 1: 3} { // what went to a file leaves its chunk, a small one
		inFile := chunks == 3
		d := storage.Temporary(&faulty.FS{})
		m := &Memory{Most: most, Directory: d}
		p := NewPart(m)
		for i := range 3 {
			if err := p.Add(fingerprint.Print{A: uint64(i)}, record); err != nil {
				t.Fatal(err)
			}
			if i == 0 && (len(p.pieces) != 1 || m.Load() != 4<<8) {
				t.Errorf("most %d: %d chunks of %d bytes hold a record that fits in 1024", most, len(p.pieces), m.Load())
			}
		}
		if (p.pieces[0].chunk == nil) != inFile || len(p.pieces) != chunks {
			t.Errorf("most %d: the first of %d chunks is in a file: %v", most, len(p.pieces), p.pieces[0].chunk == nil)
		}
		p.Close()
		d.Close()
	}
}
