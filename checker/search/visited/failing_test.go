package visited

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// A countingDisk knows how many of its files are open.
type countingDisk struct {
	*faulty.FS
	open int
}

type countedFile struct {
	storage.File
	disk *countingDisk
}

func (d *countingDisk) counted(f storage.File, err error) (storage.File, error) {
	if err != nil {
		return nil, err
	}
	d.open++
	return countedFile{f, d}, nil
}

func (d *countingDisk) Create(path string) (storage.File, error) { return d.counted(d.FS.Create(path)) }
func (d *countingDisk) Open(path string) (storage.File, error)   { return d.counted(d.FS.Open(path)) }

func (f countedFile) Close() error {
	f.disk.open--
	return f.File.Close()
}

// spilled are nine runs, of layers 1 to 9, of several blocks each, in which the multiples of five are met again.
func spilled(t *testing.T, wide bool) (files map[string][]byte, runs []Saved) {
	t.Helper()
	disk := &faulty.FS{}
	d := directory(t, disk)
	for layer := uint64(1); layer <= 9; layer++ {
		r, err := write(d, wide, int(layer), func(yield func(Entry) bool) {
			for i := range uint64(900) {
				e := Entry{fingerprint.Print{A: i << 45, B: 3}, uint32(layer) << 1}
				if i%5 > 0 {
					e.A += layer
				}
				if !wide {
					e.B = 0
				}
				yield(e)
			}
		})
		require.NoError(t, err)
		runs = append(runs, r.Saved())
	}
	return disk.Files(), runs
}

// within is a set with these runs, which has met a few fingerprints in layer 10.
func within(t *testing.T, d *storage.Directory, wide bool, runs []Saved) *Set {
	t.Helper()
	set := New(wide, 1)
	for _, s := range runs {
		r, err := open(d, wide, s)
		require.NoError(t, err)
		set.runs = append(set.runs, r)
	}
	set.SpillTo(d, 1)
	set.BeginLayer(10)
	met(t, set, 1<<50+1, 1<<50+2, 5<<45, 10<<45)
	return set
}

// met inserts fingerprints into a set, as the present layer meets them.
func met(t *testing.T, set *Set, all ...uint64) {
	t.Helper()
	batch := make([]Lookup, len(all))
	for i, a := range all {
		batch[i].Begin(set.Stored(fingerprint.Print{A: a, B: 3}), 8, 0)
	}
	require.NoError(t, set.Room(len(batch)))
	set.InsertAll(batch)
	fresh := int64(0)
	for i := range batch {
		if LeastParent(set.Note(&batch[i]), 8); batch[i].Fresh {
			fresh++
		}
	}
	set.Done(len(batch), fresh)
}

// Whatever call of the files fails: what a set is asked it answers as it would, or with an error that names the file. No file stays open that
// is not needed, and where no room could be made once none is made again.
func TestEachCallFails(t *testing.T) {
	claimants := func(n int) (all []Claimant) {
		for i := range n {
			all = append(all, Claimant{fingerprint.Print{A: uint64(i) << 45, B: 3}, int64(i)})
		}
		return all
	}
	for name, do := range map[string]func(set *Set, d *storage.Directory) (any, error){
		"room": func(set *Set, _ *storage.Directory) (any, error) {
			err := set.Room(510)
			if err == nil {
				set.Done(510, 0)
			} else if again := set.makeRoom(1); again != err {
				t.Errorf("it has no room by %v, and then by %v", err, again)
			}
			var runs []string
			for _, r := range set.runs {
				runs = append(runs, fmt.Sprint(r.Layer, r.n))
			}
			return append(runs, fmt.Sprint(set.Len())), err
		},
		"winnow by": func(set *Set, _ *storage.Directory) (any, error) { return knownBy(set, claimants(900)) },
		"winnow few": func(set *Set, _ *storage.Directory) (any, error) {
			return knownFew(set, claimants(6))
		},
		"note": func(set *Set, _ *storage.Directory) (any, error) {
			note, ok, err := set.NoteOf(set.Stored(fingerprint.Print{A: 10 << 45, B: 3}))
			return []any{note, ok}, err
		},
		"named": func(set *Set, _ *storage.Directory) (any, error) { return set.Parents(Tag(5 << 45)) },
		"verify": func(set *Set, _ *storage.Directory) (any, error) {
			return "sound", set.Verify()
		},
		"save and load": func(set *Set, d *storage.Directory) (any, error) {
			saved, err := set.Save(d)
			if err != nil {
				return nil, err
			}
			again := New(set.wide, 1)
			defer again.Close()
			if err := again.Load(d, saved); err != nil {
				return nil, err
			}
			return []any{len(again.runs), again.DiskBytes(), again.Len()}, nil
		},
	} {
		for _, wide := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/wide=%v", name, wide), func(t *testing.T) {
				files, runs := spilled(t, wide)
				tried := func(at int, fault faulty.Fault) (got any, calls [2]int) {
					disk := &countingDisk{FS: &faulty.FS{Fault: fault}}
					disk.SetFiles(files)
					d, err := storage.Keep(disk, "/kept")
					require.NoError(t, err)
					defer d.Close()
					d.SetNext(len(runs))
					set := within(t, d, wide, runs)
					if calls[0] = disk.Calls(); at > 0 {
						disk.At = calls[0] + at
					}
					got, err = do(set, d)
					calls[1] = disk.Calls()
					set.Close()
					assert.Zero(t, disk.open, "files are left open after %s %v", disk.Call(max(disk.At, 1)), fault)
					var named *storage.Error
					if err != nil && (at == 0 || !errors.As(err, &named)) {
						t.Fatalf("%s %v: %v", disk.Call(max(disk.At, 1)), fault, err)
					}
					if fails := fault == faulty.Refused || fault == faulty.Short; fails && err == nil && at > 0 && !strings.HasPrefix(disk.Call(disk.At), "remove") {
						t.Errorf("%s %v is not noticed", disk.Call(disk.At), fault)
					}
					if err != nil {
						return nil, calls
					}
					return got, calls
				}
				want, calls := tried(0, faulty.None)
				faults := []faulty.Fault{faulty.Refused, faulty.Short, faulty.Refused, faulty.Short, faulty.Full, faulty.PowerLost}
				for at := 1; at <= calls[1]-calls[0]; at++ {
					k := at
					if wide {
						k += 3 // so that each call is refused, or done by half, in one of the two
					}
					if got, _ := tried(at, faults[k%6]); got != nil {
						assert.Equal(t, want, got, "call %d, %v", at, faults[k%6])
					}
				}
			})
		}
	}
}

func knownBy(set *Set, all []Claimant) (known []int64, err error) {
	return winnowedBy(set, all, set.winnowBy)
}

func knownFew(set *Set, all []Claimant) (known []int64, err error) {
	return winnowedBy(set, all, set.winnowFew)
}

// winnowedBy are the claimants that runs know, looked up in one way: as [Set.Winnow] finds them.
func winnowedBy(set *Set, all []Claimant, way func(*Run, []Claimant, func(int64), func() bool) error) (known []int64, err error) {
	never := func() bool { return false }
	for _, r := range set.runs {
		if err := way(r, all, func(i int64) { known = append(known, i) }, never); err != nil {
			return nil, err
		}
	}
	var whole []int64
	err = set.Winnow(all, func(i int64) { whole = append(whole, i) }, never)
	slices.Sort(whole)
	slices.Sort(known)
	if err == nil && !slices.Equal(whole, known) {
		return nil, errors.Join(io.ErrUnexpectedEOF, fmt.Errorf("%v is known, and %v", whole, known))
	}
	return known, err
}
