package visited

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// A ledger is what a set has to know: of each fingerprint the least parent of the layer in which it was met first.
type ledger struct {
	*testing.T
	set     *Set
	parents map[fingerprint.Print]uint32
	r       *rand.Rand
	workers int
	all     []fingerprint.Print // that are drawn
}

func newLedger(t *testing.T, wide bool, workers, n int) *ledger {
	l := &ledger{T: t, set: New(wide, workers), workers: workers, parents: map[fingerprint.Print]uint32{}, r: rand.New(rand.NewPCG(1, 2))}
	t.Cleanup(l.set.Close)
	for len(l.all) < n {
		p := fingerprint.Print{A: l.r.Uint64(), B: l.r.Uint64()}
		for range 1 + l.r.IntN(3) { // some go by one name among parents
			l.all = append(l.all, l.set.Stored(p))
			p.A ^= l.r.Uint64N(2) * l.r.Uint64N(1<<33)
			p.B++
		}
	}
	l.all = append(l.all, l.set.Stored(fingerprint.Print{}), l.set.Stored(fingerprint.Print{A: 1<<64 - 1, B: 1<<64 - 1}))
	slices.SortFunc(l.all, fingerprint.Compare)
	l.all = slices.Compact(l.all)
	return l
}

// layer lets the workers insert so many fingerprints by so many parents, and says which are new.
func (l *ledger) layer(number, n int) {
	l.set.BeginLayer(number)
	now, found := map[fingerprint.Print]uint32{}, []fingerprint.Print{}
	queue := make(chan []Lookup, n/100+1)
	for ; n > 0; n -= 100 {
		batch := make([]Lookup, 100)
		for i := range batch {
			p, from := l.all[l.r.IntN(len(l.all))], Tag(l.r.Uint64())
			batch[i].Begin(p, from, 0)
			if least, met := now[p]; !met || from < least {
				now[p] = from
			}
		}
		queue <- batch
	}
	close(queue)
	var wait sync.WaitGroup
	var mu sync.Mutex
	for range l.workers {
		wait.Go(func() {
			for batch := range queue {
				if err := l.set.Room(len(batch)); err != nil {
					panic(err)
				}
				l.set.InsertAll(batch)
				fresh := int64(0)
				for i := range batch {
					LeastParent(l.set.Note(&batch[i]), batch[i].From)
				}
				mu.Lock()
				for i := range batch {
					if batch[i].Fresh {
						found = append(found, batch[i].Print)
						fresh++
					}
				}
				mu.Unlock()
				l.set.Done(len(batch), fresh)
			}
		})
	}
	wait.Wait()
	news, err := winnowed(l.set, found)
	require.NoError(l, err)
	want := 0
	for p, from := range now {
		if _, met := l.parents[p]; met {
			continue
		}
		l.parents[p] = from
		if want++; !slices.Contains(news, p) {
			l.Fatalf("%v is new in layer %d, but not told to be", p, number)
		}
	}
	if len(news) != want {
		l.Fatalf("%d are told to be new in layer %d, and not %d", len(news), number, want)
	}
	for _, p := range news { // what was met before is not: its parent stands in a run
		if note := l.set.Find(p); note != nil {
			Settle(note)
		}
	}
}

// holds compares what a set knows with the ledger.
func (l *ledger) holds(set *Set) {
	for i, p := range l.all {
		want, met := l.parents[p]
		note, ok, err := set.NoteOf(p)
		if err != nil || ok != met || met && note>>1 != want {
			l.Fatalf("%v has the note %x (%v, %v), and not parent %x (%v)", p, note, ok, err, want, met)
		}
		if i%7 > 0 {
			continue
		}
		var named []fingerprint.Print
		for _, other := range l.all[max(0, i-6):min(len(l.all), i+7)] {
			if _, met := l.parents[other]; met && Tag(other.A) == Tag(p.A) {
				named = append(named, other)
			}
		}
		if got, err := set.Parents(Tag(p.A)); err != nil || !slices.Equal(got, named) {
			l.Fatalf("by the name %x go %v, and not %v: %v", Tag(p.A), got, named, err)
		}
	}
}

// A set knows what is new in each layer, by which parent each fingerprint was met first, and which go by a name, whether all
// stays in memory or is written out and read again; and so does one that is loaded from what was saved.
func TestLedger(t *testing.T) {
	for _, wide := range []bool{false, true} {
		for k, spills := range []bool{false, true, true} {
			workers := max(1, k)
			t.Run(fmt.Sprintf("wide=%v/spills=%v/workers=%d", wide, spills, workers), func(t *testing.T) {
				l := newLedger(t, wide, workers, 4000)
				files := directory(t, &faulty.FS{})
				if spills {
					l.set.SpillTo(files, 1)
				}
				for number := 1; number <= 10; number++ {
					l.layer(number, 300+100*l.r.IntN(12))
					if number%4 == 0 {
						l.holds(l.set)
					}
				}
				require.Equal(t, spills, l.set.Spilled())
				require.Equal(t, spills, l.set.DiskBytes() > 0)
				require.NoError(t, l.set.Verify())
				l.reloaded(files, wide)
			})
		}
	}
}

// reloaded saves the set in the middle of a layer, and loads it again.
func (l *ledger) reloaded(files *storage.Directory, wide bool) {
	l.set.BeginLayer(11)
	before := len(l.set.runs)
	batch := make([]Lookup, 20) // of the layer that is not saved
	for i := range batch {
		batch[i].Begin(l.all[i*30], 1, 0)
	}
	require.NoError(l, l.set.Room(len(batch)))
	l.set.InsertAll(batch)
	fresh := int64(0)
	for i := range batch {
		if LeastParent(l.set.Note(&batch[i]), 1); batch[i].Fresh {
			fresh++
		}
	}
	l.set.Done(len(batch), fresh)
	require.Equal(l, before, len(l.set.runs), "the table is not written out amid the layer")
	saved, err := l.set.Save(files)
	require.NoError(l, err)
	again := New(wide, 1)
	l.Cleanup(again.Close)
	require.NoError(l, again.Load(files, saved))
	l.holds(again)
	if before == 0 {
		require.Equal(l, l.set.Len()-fresh, again.Len())
	}
}

// Of a layer that was written out in more runs than are merged at once, the least parent is known afterwards, wherever it stands.
func TestManyRunsOfALayer(t *testing.T) {
	d := directory(t, &faulty.FS{})
	of := fingerprint.Print{A: 7}
	for least := range atOnce + 4 {
		set := New(false, 1)
		defer set.Close()
		set.SpillTo(d, 1)
		for i := range atOnce + 4 {
			note := uint32(50+i)<<1 | 1
			if i == least {
				note = 20<<1 | 1
			}
			set.runs = append(set.runs, runWith(t, d, Entry{of, note}))
		}
		set.BeginLayer(2)
		met(t, set, 7)
		emptied, err := set.spill()
		require.NoError(t, err)
		require.True(t, emptied)
		require.Len(t, set.runs, 1+4+1, "the first are merged")
		note, ok, err := set.NoteOf(of)
		require.NoError(t, err)
		require.Equal(t, []any{uint32(20), true}, []any{note >> 1, ok}, "it stands in run %d", least)
	}
}
