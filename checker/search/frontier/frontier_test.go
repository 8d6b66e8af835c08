package frontier

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// A record is a state of a layer.
type record struct {
	key fingerprint.Print
	v   []uint32
}

func (r record) equal(s record) bool { return r.key == s.key && slices.Equal(r.v, s.v) }

// states draws states of many lengths, among them none at all and more than a chunk holds.
func states(r *rand.Rand, n int) (all []record) {
	for i := range n {
		v := make([]uint32, r.IntN(40))
		if i%500 == 499 {
			v = make([]uint32, chunkWords+r.IntN(100))
		}
		for k := range v {
			v[k] = r.Uint32()
		}
		all = append(all, record{fingerprint.Print{A: r.Uint64(), B: r.Uint64()}, v})
	}
	return all
}

// filled is a part with states.
func filled(t *testing.T, p *Part, all []record) *Part {
	t.Helper()
	for _, r := range all {
		if err := p.Add(r.key, r.v); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// listed reads a part.
func listed(t *testing.T, p *Part) (all []record) {
	t.Helper()
	if err := p.Each(&Buffer{}, func(key fingerprint.Print, v []uint32) error {
		all = append(all, record{key, slices.Clone(v)})
		_ = append(v, 9) // who is given a state may add to it
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// layered reads a layer, by way of one buffer.
func layered(t *testing.T, l *Layer) (all []record) {
	t.Helper()
	var b Buffer
	for _, place := range l.Chunks() {
		c, err := place.Load(&b)
		if err != nil {
			t.Fatal(err)
		}
		for len(c) > 0 {
			var r record
			r.key, r.v, c = c.Next()
			r.v = slices.Clone(r.v)
			all = append(all, r)
		}
	}
	if int64(len(all)) != l.States {
		t.Errorf("%d states are there, %d are counted", len(all), l.States)
	}
	return all
}

// memories are memory without an end, and so little that all but the last chunk of a part go to
// a file.
func memories(t *testing.T) map[string]*Memory {
	d := storage.Temporary(&faulty.FS{})
	t.Cleanup(d.Close)
	return map[string]*Memory{"in memory": {}, "in files": {Most: 1, Directory: d}}
}

// States come out as they went in, in order, over many chunks.
func TestStatesComeOutInOrder(t *testing.T) {
	for name, m := range memories(t) {
		all := states(rand.New(rand.NewPCG(1, 1)), 3000)
		fresh := NewPart(m)
		p := filled(t, &fresh, all)
		if got := listed(t, p); !slices.EqualFunc(got, all, record.equal) || p.States != int64(len(all)) {
			t.Errorf("%s: %d states went in, %d came out, %d are counted", name, len(all), len(got), p.States)
		}
		if inFile := p.file != nil; inFile != (m.Most > 0) || len(p.pieces) < 5 {
			t.Errorf("%s: %d chunks, of which some are in a file: %v", name, len(p.pieces), inFile)
		}
		broken := errors.New("enough")
		if err := p.Each(&Buffer{}, func(fingerprint.Print, []uint32) error { return broken }); err != broken {
			t.Errorf("%s: an error is lost: %v", name, err)
		}
		p.Close()
		if m.Load() != 0 {
			t.Errorf("%s: %d bytes are counted when all is closed", name, m.Load())
		}
	}
}

// When a layer replaces another it holds what all workers found, in their order, and nothing of the
// one before, though it uses that one's memory: with workers that come and go. At last no
// memory is counted any more.
func TestLayerReplacesAnother(t *testing.T) {
	for name, m := range memories(t) {
		r := rand.New(rand.NewPCG(2, 2))
		var layer Layer
		for turn, workers := range []int{1, 3, 3, 2, 4, 1} {
			var found []*Part
			var want []record
			for k := range workers {
				all := states(r, r.IntN(1200)*min(1, k+turn%2))
				p := NewPart(m)
				found, want = append(found, filled(t, &p, all)), append(want, all...)
			}
			layer.Replace(found)
			for _, p := range found {
				if p.States != 0 || len(listed(t, p)) > 0 {
					t.Errorf("%s, layer %d: a worker still has what it found", name, turn)
				}
				filled(t, p, states(r, 300)) // in the memory of the layer before
			}
			if got := layered(t, &layer); !slices.EqualFunc(got, want, record.equal) {
				t.Errorf("%s, layer %d: %d states came out, not the %d that went in", name, turn, len(got), len(want))
			}
			for _, p := range found {
				p.Close()
			}
		}
		layer.Close()
		if m.Load() != 0 {
			t.Errorf("%s: %d bytes are counted when all is closed", name, m.Load())
		}
	}
}

// A layer that is saved is loaded as it was, and damage to its file is found at once.
func TestSavedLayerIsLoaded(t *testing.T) {
	for name, m := range memories(t) {
		var disk faulty.FS
		d, err := storage.Keep(&disk, "/kept")
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 3))
		var before, after Layer
		a, b := NewPart(m), NewPart(m)
		before.Replace([]*Part{filled(t, &a, states(r, 900)), filled(t, &b, states(r, 700))})
		want := layered(t, &before)
		saved, err := before.Save(d)
		if err != nil {
			t.Fatal(err)
		}
		load := func() error {
			if err := after.Load(&Memory{Directory: d}, saved); err != nil {
				return err
			}
			return after.Verify()
		}
		if err := load(); err != nil {
			t.Fatal(err)
		}
		if got := layered(t, &after); !slices.EqualFunc(got, want, record.equal) {
			t.Errorf("%s: %d states are loaded, not the %d that were saved", name, len(got), len(want))
		}
		files := disk.Files()
		for path, text := range files {
			text[len(text)*2/3] ^= 4
			files[path] = text
		}
		disk.SetFiles(files)
		if err := load(); err == nil {
			t.Errorf("%s: a damaged layer is loaded", name)
		}
	}
}
