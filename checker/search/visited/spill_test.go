package visited

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// layered inserts fingerprints in layers, some of them again and again, into a set with little
// memory, and returns how many each layer found that were new. The second of the workers inserts
// the same.
func layered(disk *faulty.FS, wide bool, workers int) (widths []int, err error) {
	files := storage.Temporary(disk)
	defer files.Close()
	set := New(wide, workers)
	defer set.Close()
	set.SpillTo(files, 1)
	r := rand.New(rand.NewPCG(1, 2))
	var all []fingerprint.Print
	for layer := 1; layer <= 6; layer++ {
		for range 700 {
			all = append(all, set.Stored(fingerprint.Print{A: r.Uint64(), B: r.Uint64()}))
		}
		set.BeginLayer(layer)
		found, err := insertLayer(set, all, workers)
		if err != nil {
			return nil, err
		}
		if found, err = winnowed(set, found); err != nil {
			return nil, err
		}
		widths = append(widths, len(found))
		for _, p := range found {
			if note := set.Find(p); note != nil {
				Settle(note)
			}
		}
		for _, p := range found[:min(3, len(found))] {
			if _, ok, err := set.NoteOf(p); err != nil || !ok {
				return nil, errors.Join(err, fmt.Errorf("%v has no note", p))
			}
		}
	}
	if n := set.runs[0].n; n < 2000 {
		return nil, fmt.Errorf("runs are not merged: the first has %d", n)
	}
	return widths, nil
}

// insertLayer lets workers insert the same in an order of their own, and returns what was new.
func insertLayer(set *Set, keys []fingerprint.Print, workers int) (found []fingerprint.Print, err error) {
	var wait sync.WaitGroup
	var failed atomic.Pointer[error]
	var mu sync.Mutex
	for k := range workers {
		wait.Go(func() {
			order := rand.New(rand.NewPCG(uint64(k), 1)).Perm(len(keys))
			for chunk := range slices.Chunk(order, 100) {
				batch := make([]Lookup, len(chunk))
				for i, n := range chunk {
					batch[i].Begin(keys[n], 0, 0)
				}
				if err := set.Room(len(batch)); err != nil {
					failed.Store(&err)
					return
				}
				set.InsertAll(batch)
				fresh := int64(0)
				mu.Lock()
				for i := range batch {
					if l := &batch[i]; l.Fresh {
						fresh++
						*set.Note(l) = 3
						found = append(found, l.Print)
					}
				}
				mu.Unlock()
				set.Done(len(batch), fresh)
			}
		})
	}
	wait.Wait()
	if e := failed.Load(); e != nil {
		err = *e
	}
	return found, err
}

// winnowed returns what was found and is new.
func winnowed(set *Set, found []fingerprint.Print) (fresh []fingerprint.Print, err error) {
	slices.SortFunc(found, fingerprint.Compare)
	var claimants []Claimant
	for i, p := range found {
		claimants = append(claimants, Claimant{p, int64(i)})
	}
	known := map[int64]bool{}
	if err := set.Winnow(claimants, func(n int64) { known[n] = true }, func() bool { return false }); err != nil {
		return nil, err
	}
	for i, p := range found {
		if !known[int64(i)] {
			fresh = append(fresh, p)
		}
	}
	return fresh, nil
}

// Each call of the files fails in turn: every worker gets an error that names the file, or each
// layer finds what it should, which is once what was not there before. No lock stays held.
func TestSpillFails(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, wide := range []bool{false, true} {
			var whole faulty.FS
			if widths, err := layered(&whole, wide, workers); err != nil || fmt.Sprint(widths) != "[700 700 700 700 700 700]" {
				t.Fatal(widths, err)
			}
			step := 1 + whole.Calls()/8 // TestEachCallFails has them all, without workers
			for call := 1; call <= whole.Calls(); call += step {
				disk := &faulty.FS{At: call, Fault: faulty.Fault(1 + call%4)}
				watched(t, disk, func() {
					widths, err := layered(disk, wide, workers)
					var named *storage.Error
					if err != nil && !errors.As(err, &named) || err == nil && fmt.Sprint(widths) != "[700 700 700 700 700 700]" {
						t.Errorf("%s %v: %v, %v", disk.Call(call), disk.Fault, widths, err)
					}
				})
			}
		}
	}
}

// watched fails when something hangs.
func watched(t *testing.T, disk *faulty.FS, what func()) {
	done := make(chan bool)
	go func() { what(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		panic(fmt.Sprintf("it hangs after %s %v", disk.Call(disk.At), disk.Fault))
	}
}

// A table that was saved with more memory is loaded whole, and written out at the next insertion.
func TestLoadsMoreThanItMayHold(t *testing.T) {
	files := directory(t, &faulty.FS{})
	from, to := New(false, 1), New(false, 1)
	defer from.Close()
	defer to.Close()
	smallest := to.Bytes()
	keys := make([]fingerprint.Print, 50_000)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range keys {
		keys[i] = from.Stored(fingerprint.Print{A: r.Uint64()})
	}
	insertShuffled(from, keys)
	for i := range keys {
		Settle(from.Find(keys[i]))
	}
	saved, err := from.Save(files)
	if err != nil {
		t.Fatal(err)
	}
	to.SpillTo(files, 1<<15)
	if err := to.Load(files, saved); err != nil {
		t.Fatal(err)
	}
	if to.Len() != int64(len(keys)) {
		t.Fatalf("%d of %d are loaded", to.Len(), len(keys))
	}
	to.BeginLayer(1)
	found, err := insertLayer(to, keys, 1)
	if err == nil {
		found, err = winnowed(to, found)
	}
	if err != nil || len(found) > 0 || !to.Spilled() || to.Bytes() > smallest {
		t.Errorf("%d are new, %v; written out: %v; the table has %d bytes", len(found), err, to.Spilled(), to.Bytes())
	}
}
