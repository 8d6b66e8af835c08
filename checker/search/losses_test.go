package search

import (
	"errors"
	"strings"
	"testing"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/parts"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// lends is a crew that starts nobody, and whose store is asked.
type lends struct {
	store parts.Store
	err   error
}

func (l lends) Gather(error) (parts.Exchange, parts.Store, error) { return nil, l.store, l.err }

// unreachable is a store that says how often it is asked, and fails, or has nothing.
type unreachable struct {
	parts.Store
	asked int
	empty bool
}

func (u *unreachable) Fetch(string) (bool, error) {
	if u.asked++; u.empty {
		return false, nil
	}
	return false, errors.New("the store does not answer")
}

// Where parts were lost, the search begins anew if it keeps no checkpoints, or kept none yet, and else from what the store has; it ends if the store cannot
// be asked, or the parts cannot be started.
func TestWhereLostPartsGoOn(t *testing.T) {
	lost := parts.Lost{Err: errors.New("part 1 is lost")}
	for _, c := range []struct {
		name, checkpoint string
		stored, empty    bool
		gather           error
		asked            int
		why              string
	}{
		{name: "no checkpoints"},
		{name: "no checkpoints, and a store", stored: true},
		{name: "checkpoints", checkpoint: kept, stored: true, asked: 1, why: "the store does not answer"},
		{name: "no checkpoint yet", checkpoint: kept, stored: true, empty: true, asked: 1},
		{name: "checkpoints of one process", checkpoint: kept},
		{name: "nobody to start", checkpoint: kept, stored: true, gather: errors.New("no machine is left"), why: "no machine is left"},
	} {
		store := &unreachable{empty: c.empty}
		crew := lends{err: c.gather}
		if c.stored {
			crew.store = store
		}
		x := unsearched(t, never(1))
		disk := &faulty.FS{}
		x.files = storage.Temporary(disk)
		from, err := (&losses{}).goOn(x, &Options{Crew: crew, Checkpoint: c.checkpoint}, lost)
		if from != nil || (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) || store.asked != c.asked {
			t.Errorf("%s: from %v, %v; the store is asked %d times", c.name, from, err, store.asked)
		}
	}
}

// A search that is stopped from outside does not go on from parts that are lost.
func TestStoppedAndLost(t *testing.T) {
	x := unsearched(t, never(1))
	x.opt.Deadline, x.opt.Now = time.Unix(1, 0), func() time.Time { return time.Unix(2, 0) }
	lost := parts.Lost{Err: errors.New("part 1 is lost")}
	if from, err := (&losses{}).goOn(x, &Options{Crew: lends{}}, lost); from != nil || err != error(lost) {
		t.Errorf("from %v, %v", from, err)
	}
}

// What a part has left behind of a search of which nothing is kept is gone before it begins anew.
func TestNothingIsLeftBehind(t *testing.T) {
	disk := &faulty.FS{}
	explore(t, turning(), Options{files: disk, Checkpoint: kept, MaxStates: 20}, never(1))
	d, err := storage.Keep(disk, kept)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if names, err := d.Files(); err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	if from, err := (&Options{Checkpoint: kept, Resume: true, Store: &unreachable{empty: true}}).takeUpWhole(d); from != nil || err != nil {
		t.Errorf("from %v, %v", from, err)
	}
	if names, err := d.Files(); err != nil || len(names) > 0 {
		t.Errorf("there are %v, %v", names, err)
	}
}

// refills is a store that has files.
type refills struct {
	parts.Store
	disk  *faulty.FS
	files map[string][]byte
}

func (r refills) Fetch(string) (bool, error) {
	r.disk.Put(r.files)
	return true, nil
}

// Losses count from the last checkpoint: as many as are borne are borne again after the next.
func TestLossesAreCountedFromTheLastCheckpoint(t *testing.T) {
	disk := &faulty.FS{}
	explore(t, turning(), Options{files: disk, Checkpoint: kept, MaxStates: 20}, never(1))
	h, err := checkpoint.Look(disk, kept)
	if err != nil || h.Layer == 0 {
		t.Fatal(h, err)
	}
	lost := parts.Lost{Err: errors.New("part 1 is lost")}
	for _, before := range []int{0, h.Layer} {
		d, err := storage.Keep(disk, kept)
		if err != nil {
			t.Fatal(err)
		}
		x, l := unsearched(t, never(1)), losses{layer: before, since: mostLosses}
		x.files = d
		from, err := l.goOn(x, &Options{Crew: lends{store: refills{disk: disk, files: disk.Files()}}, Checkpoint: kept}, lost)
		if d.Close(); (err == nil) != (before == 0) || (from != nil) != (err == nil) || before == 0 && l != (losses{layer: h.Layer, since: 1}) {
			t.Errorf("the last checkpoint was of layer %d, and now of %d: %v, %+v", before, h.Layer, err, l)
		}
	}
}
