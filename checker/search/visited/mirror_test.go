package visited

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage/faulty"
)

// A mirror is a table beside a plain map of what it has to hold: fingerprints with their notes.
type mirror struct {
	*testing.T
	set   *Set
	notes map[fingerprint.Print]uint32
	r     *rand.Rand
	pool  []fingerprint.Print // that are drawn
}

func newMirror(t *testing.T, wide bool, workers int, seed uint64) *mirror {
	m := &mirror{T: t, set: New(wide, workers), notes: map[fingerprint.Print]uint32{}, r: rand.New(rand.NewPCG(seed, 9))}
	t.Cleanup(m.set.Close)
	crowd := m.r.Uint64()
	for i := range uint64(2600) {
		p := fingerprint.Print{A: m.r.Uint64(), B: m.r.Uint64()}
		switch m.r.IntN(8) {
		case 0, 1, 2: // one sequence of buckets, for more than have room there
			p.A = crowd + i<<16
		case 3: // the last ones, which go on behind the last group
			p.A = ^(i << 16)
		case 4: // the least, which have one name
			p.A = i
		case 5: // one first half, or one name
			p.A = m.pooled(crowd).A ^ m.r.Uint64N(2)*m.r.Uint64N(1<<33)
		case 6: // one second half
			p.B = m.pooled(crowd).B
		}
		m.pool = append(m.pool, m.set.Stored(p))
	}
	return m
}

func (m *mirror) pooled(otherwise uint64) fingerprint.Print {
	if len(m.pool) == 0 {
		return fingerprint.Print{A: otherwise}
	}
	return m.pool[m.r.IntN(len(m.pool))]
}

// insert lets workers insert what is drawn, all at the same time. Each fingerprint is new to one of them, if it was not there.
func (m *mirror) insert(workers, batches, size int) {
	queue := make(chan []Lookup, batches)
	want := map[fingerprint.Print]bool{}
	for range batches {
		batch := make([]Lookup, size)
		for i := range batch {
			p, from := m.pooled(0), 1+m.r.Uint32N(1000)
			batch[i] = Lookup{i: uint8(m.r.IntN(3)), Fresh: true, tried: 7} // of another that was here before
			batch[i].Begin(p, from, uint32(i))
			old, there := m.notes[p]
			if want[p] = want[p] || !there; !there {
				old = ^uint32(0)
			}
			if old&1 == 1 {
				old = min(old, from<<1|1)
			}
			m.notes[p] = old
		}
		queue <- batch
	}
	close(queue)
	maps.DeleteFunc(want, func(_ fingerprint.Print, is bool) bool { return !is })
	var wait sync.WaitGroup
	var mu sync.Mutex
	for range workers {
		wait.Go(func() {
			for batch := range queue {
				if err := m.set.Room(size); err != nil {
					panic(err)
				}
				m.set.InsertAll(batch)
				fresh := int64(0)
				for i := range batch {
					LeastParent(m.set.Note(&batch[i]), batch[i].From)
				}
				mu.Lock()
				for i := range batch {
					l := &batch[i]
					if l.Fresh {
						fresh++
						if !want[l.Print] {
							m.Errorf("%v is new, and was there or is new to another", l.Print)
						}
						delete(want, l.Print)
					}
					if l.End != uint32(i) {
						m.Errorf("the %d-th ends at %d", i, l.End)
					}
				}
				mu.Unlock()
				m.set.Done(size, fresh)
			}
		})
	}
	wait.Wait()
	if len(want) > 0 {
		m.Fatalf("%d are new to nobody", len(want))
	}
}

// settle ends the layer of some of what is there.
func (m *mirror) settle() {
	for p, note := range m.notes {
		if m.r.IntN(3) == 0 {
			Settle(m.set.Find(p))
			m.notes[p] = note &^ 1
		}
	}
}

// same compares what a set says with the map.
func (m *mirror) same(set *Set, notes map[fingerprint.Print]uint32) {
	m.Helper()
	for _, p := range m.pool {
		want, there := notes[p]
		if note := set.Find(p); (note != nil) != there || there && *note != want {
			m.Fatalf("%v has the note %v, and not %d (%v)", p, note, want, there)
		}
		other := p
		if other.B++; m.r.IntN(2) == 0 {
			other = set.Stored(fingerprint.Print{A: m.r.Uint64(), B: p.B})
		}
		if _, there := notes[other]; set.wide && !there && set.Find(other) != nil {
			m.Fatalf("%v is there", other)
		}
	}
	sorted := slices.SortedFunc(maps.Keys(notes), fingerprint.Compare)
	var out []fingerprint.Print
	for e := range set.Sorted {
		if out = append(out, e.Print); e.Note != notes[e.Print] {
			m.Fatalf("%v comes with the note %d, and not %d", e.Print, e.Note, notes[e.Print])
		}
	}
	require.Equal(m, sorted, out)
	if len(sorted) > 0 {
		most, n := 1+m.r.IntN(len(sorted)), 0
		set.Sorted(func(Entry) bool { n++; return n < most })
		require.Equal(m, most, n, "who says that it is enough is told no more")
	}
	for range 10 {
		tag, named := Tag(m.pooled(0).A), []fingerprint.Print(nil)
		for _, p := range sorted {
			if Tag(p.A) == tag {
				named = append(named, p)
			}
		}
		got := set.tagged(tag)
		slices.SortFunc(got, fingerprint.Compare)
		require.Equal(m, named, got)
	}
}

// sound holds a table to how it is made: in each bucket the first places are taken, each fingerprint is in the first of its buckets that had
// room, and stands aside only where none had; and it counts what it holds.
func (m *mirror) sound() {
	m.Helper()
	s, held := m.set, 0
	for at := range (s.groups + spread) * groupSize {
		b := s.bucketAt(at)
		taken := s.taken(b)
		for i := range s.per {
			e := s.entry(b, i)
			if (e.A != 0) != (i < taken) || s.wide && (e.B != 0) != (i < taken) || i >= taken && e.Note != 0 {
				m.Fatalf("place %d of a bucket with %d taken holds %v", i, taken, e)
			}
			if i < taken {
				held++
				m.goesTo(e.Print, b)
			}
		}
	}
	for p, b := range s.aside.entries {
		held++
		m.goesTo(p, nil)
		require.Equal(m, p, s.entry(b, 0).Print)
	}
	require.Len(m, m.notes, held)
	require.Equal(m, []int64{int64(held), int64(held), int64(len(s.aside.entries))}, []int64{s.Len(), s.spoken.Load(), s.aside.n.Load()})
	bytes := int64(s.groups+spread) * groupSize * 64
	require.Equal(m, []int64{bytes, bytes, bytes + int64(len(s.aside.entries))*asideBytes}, []int64{int64(len(s.words)) * 8, s.allocated.Load(), s.Bytes()})
	require.EqualValues(m, s.groups*groupSize*uint64(s.per)*95/100, s.limit)
}

// goesTo holds all buckets that a fingerprint tries before the given one to be full: all of them before none.
func (m *mirror) goesTo(p fingerprint.Print, b *bucket) {
	for n := range uint32(tries * spread) {
		tried := m.set.bucket(p.A, n)
		if tried == b {
			return
		}
		if m.set.taken(tried) < m.set.per {
			m.Fatalf("%v is not in the %d-th bucket that it tries, though that has room", p, n)
		}
	}
	if b != nil {
		m.Fatalf("%v is in a bucket that it does not try", p)
	}
}

// saved is what the set is that is loaded from what was saved: all but the present layer.
func (m *mirror) saved() {
	d := directory(m.T, &faulty.FS{})
	saved, err := m.set.Save(d)
	require.NoError(m, err)
	again := New(m.set.wide, 1)
	defer again.Close()
	require.NoError(m, again.Load(d, saved))
	earlier := maps.Clone(m.notes)
	maps.DeleteFunc(earlier, func(_ fingerprint.Print, note uint32) bool { return note&1 == 1 })
	require.EqualValues(m, len(earlier), again.Len())
	loaded := *m
	loaded.set, loaded.notes = again, earlier
	loaded.same(again, earlier)
	loaded.sound()
}

// A table holds what a map does, however fingerprints crowd, whoever inserts them, and whenever it grows, is emptied, saved and loaded.
func TestATableIsAMap(t *testing.T) {
	aside := 0
	for seed := range uint64(12) {
		wide, workers := seed%2 == 0, 1+int(seed/2)%3
		t.Run(fmt.Sprintf("%d/wide=%v/workers=%d", seed, wide, workers), func(t *testing.T) {
			m := newMirror(t, wide, workers, seed)
			for step := range 14 {
				switch {
				case step%4 == 1:
					m.settle()
				case step == 2:
					m.set.empty()
					clear(m.notes)
				case step == 6:
					m.saved()
				case step >= 10 && m.set.groups < 100:
					grown := m.set.Grown()
					m.set.grow()
					require.Equal(m, grown, m.set.Bytes()-int64(len(m.set.aside.entries))*asideBytes)
				default:
					m.insert(workers, 1+m.r.IntN(12), 1+m.r.IntN(250))
				}
				aside += len(m.set.aside.entries)
				m.sound()
				m.same(m.set, m.notes)
			}
		})
	}
	if aside == 0 {
		t.Error("nothing stands aside")
	}
}

// What each stretch of a table that grows goes to follows from the least and the greatest fingerprints of its groups.
func TestStretches(t *testing.T) {
	for old := uint64(1); old < 40; old++ {
		for groups := old + 1; groups < 3*old; groups++ {
			m := mover{&Set{groups: groups}, old}
			was := &Set{groups: old}
			least := func(g uint64) uint64 { // the first fingerprint of an old group
				if g == 0 {
					return 0
				}
				a := ^uint64(0) / old * g
				for was.group(a) < g {
					a++
				}
				return a
			}
			for g := range old {
				if g > 0 {
					assert.Equal(t, m.group(least(g)-1)+1, m.to(g), "%d of %d to %d", g, old, groups)
				}
				from := m.from(m.group(least(g)))
				assert.GreaterOrEqual(t, m.group(least(from)), m.group(least(g)))
				assert.True(t, from == 0 || m.group(least(from-1)) < m.group(least(g)), "%d of %d to %d", g, old, groups)
				assert.Equal(t, m.from(g)+spread, m.begin(g))
			}
		}
	}
}

// A fingerprint tries different buckets, in its own group and those behind it, and those that begin with one bucket go on
// with many. Groups are in the order of fingerprints, and as large as each other.
func TestTries(t *testing.T) {
	set := New(false, 1)
	defer set.Close()
	number := func(a uint64, n uint32) uint64 {
		for at := range (set.groups + spread) * groupSize {
			if set.bucketAt(at) == set.bucket(a, n) {
				return at
			}
		}
		panic("it is none of the table's")
	}
	r := rand.New(rand.NewPCG(2, 3))
	second := map[uint64]bool{}
	for range 500 {
		second[number(r.Uint64()&^255|7, 1)%groupSize] = true
	}
	assert.Greater(t, len(second), 100, "all of them begin with one bucket of their groups")
	for range 20 {
		a, tried := r.Uint64(), map[uint64]bool{}
		for n := range uint32(tries * spread) {
			at := number(a, n)
			assert.Equal(t, set.group(a)+uint64(n/tries), at/groupSize)
			tried[at] = true
		}
		assert.Len(t, tried, tries*spread)
	}
	third := ^uint64(0)/3 + 1
	assert.Equal(t, []uint64{0, 0, 1, 1, 2, 2}, []uint64{set.group(0), set.group(third - 1), set.group(third), set.group(2*third - 2), set.group(2*third - 1), set.group(^uint64(0))})
}

// A worker who moves a piece of a table writes nothing but that piece and the groups to which it goes, which are no other's. What goes
// elsewhere is left.
func TestPiecesAreApart(t *testing.T) {
	elsewhere := 0
	for seed := range uint64(6) {
		m := newMirror(t, seed%2 == 0, 1, seed)
		m.insert(1, 12, 250)
		for m.set.groups < 24 {
			m.set.grow()
		}
		s, old := m.set, m.set.groups
		s.groups = s.more()
		s.arena.Resize(s.size())
		s.words = s.arena.Words
		v := mover{s, old}
		for first := old / 2; first < old+spread; first += 8 {
			last := min(first+8, old+spread)
			before := slices.Clone(s.words)
			left := v.piece(first, last)
			for g := range s.groups + spread {
				at, end := g*groupSize*line, (g+1)*groupSize*line
				if own := g >= first && g < last || g >= v.to(first) && g < v.to(last); !own && !slices.Equal(before[at:end], s.words[at:end]) {
					t.Fatalf("seed %d: the piece of groups %d to %d writes group %d, and goes to those from %d to %d", seed, first, last, g, v.to(first), v.to(last))
				}
			}
			for i := range left {
				if s.group(left[i].A) < v.to(first) {
					elsewhere++
				}
				s.put(&left[i])
			}
		}
	}
	if elsewhere < 20 {
		t.Errorf("only %d go elsewhere", elsewhere)
	}
}
