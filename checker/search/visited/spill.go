package visited

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
)

// When memory is short the table is written out as a run, and emptied. A fingerprint that
// was met before then counts as new when it is met again; whether it is, the runs decide when
// the layer ends (see [Set.Winnow]). So a note must say whether its fingerprint was met in the
// present layer: the last bit of it, which the caller sets, and which [Settle] clears.

// mostRuns are kept before earlier ones are merged into one, and atOnce is how many are merged
// at once: each takes a buffer.
const mostRuns, atOnce = 8, 16

// SpillTo lets the set write its table into a directory when it would take up more bytes than most.
// A table that has room for more, as the smallest has, is not filled then.
func (s *Set) SpillTo(d *storage.Directory, most int64) {
	s.directory, s.most = d, most
	s.setLimit()
}

// Shrink lets the table take up fewer bytes from now on. When it holds more it is written out at
// the next insertion, and gives the memory back. Nobody may hold room who calls it.
func (s *Set) Shrink(most int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = most
	s.setLimit()
}

// BeginLayer says which layer is present: runs know theirs.
func (s *Set) BeginLayer(layer int) { s.layer = layer }

// spill writes the table out, if it would become too large; false when it may grow. The caller
// holds the lock.
func (s *Set) spill() (bool, error) {
	if s.most == 0 || s.Grown() <= s.most {
		return false, nil
	}
	r, err := write(s.directory, s.wide, s.layer, s.Sorted)
	if err != nil {
		return false, err
	}
	s.runs = append(s.runs, r)
	s.cut()
	s.empty()
	return true, s.mergeRuns()
}

// cut makes the table as short as it must be, before it is emptied.
func (s *Set) cut() {
	for s.groups > firstGroups && s.allocated.Load() > s.most {
		s.groups = max(firstGroups, s.groups*3/4)
		s.allocated.Store(int64(s.size()) * 8)
	}
	s.arena.Resize(s.size())
	s.words = s.arena.Words
	s.setLimit()
}

// mergeRuns makes one of runs of earlier layers, if there are many.
func (s *Set) mergeRuns() error {
	old := slices.IndexFunc(s.runs, func(r *Run) bool { return r.Layer == s.layer }) // the last one is of the present layer
	if old = min(old, atOnce); len(s.runs) <= mostRuns || old < 2 {
		return nil
	}
	merging, rest := s.runs[:old], s.runs[old:]
	var unread error
	r, err := write(s.directory, s.wide, merging[old-1].Layer, merged(merging, &unread))
	if err := cmp.Or(unread, err); err != nil {
		if r != nil {
			_ = r.blocks.Close()
		}
		return err
	}
	for _, m := range merging {
		_ = m.blocks.Close() // it stays for as long as the last checkpoint needs it
	}
	s.runs = append([]*Run{r}, rest...)
	return nil
}

// DiskBytes is how long the runs are together.
func (s *Set) DiskBytes() (n int64) {
	for _, r := range s.runs {
		n += r.blocks.Bytes()
	}
	return n
}

// Spilled reports whether there are runs.
func (s *Set) Spilled() bool { return len(s.runs) > 0 }

// A Claimant is a fingerprint found in a layer, whose newness the runs decide, and its number
// among what was found.
type Claimant struct {
	Key    fingerprint.Print
	Number int64
}

// Winnow says of what was found in the present layer what runs of earlier layers hold, and
// what is a second copy, met before and after the table was emptied. The claimants are sorted,
// by fingerprint and then by number, and all that have one fingerprint are among them. It asks now
// and then whether it is to stop, and then leaves the rest unsaid.
func (s *Set) Winnow(claimants []Claimant, known func(number int64), stop func() bool) error {
	for i := 1; i < len(claimants); i++ {
		if claimants[i].Key == claimants[i-1].Key {
			known(claimants[i].Number)
		}
	}
	for _, r := range s.runs {
		winnow := s.winnowBy
		if int64(len(claimants))*aLookup < r.n {
			winnow = s.winnowFew
		}
		if err := winnow(r, claimants, known, stop); err != nil || stop() {
			return err
		}
	}
	return nil
}

// aLookup is how many entries of a run are read one after another while one is looked up.
const aLookup = 1024

// often is how many claimants or entries are gone through between two questions whether to stop.
const often = 1 << 12

// old reports whether an entry of a run was met in an earlier layer: those that the present
// layer wrote are claimants themselves.
func (s *Set) old(r *Run, e Entry) bool { return e.Note&1 == 0 || r.Layer != s.layer }

// winnowFew looks up each claimant in a run.
func (s *Set) winnowFew(r *Run, claimants []Claimant, known func(int64), stop func() bool) error {
	for i, c := range claimants {
		if i%often == often-1 && stop() {
			return nil
		}
		e, ok, err := r.find(c.Key)
		if err != nil {
			return err
		}
		if ok && s.old(r, e) {
			known(c.Number)
		}
	}
	return nil
}

// winnowBy goes through the claimants and a run side by side.
func (s *Set) winnowBy(r *Run, claimants []Claimant, known func(int64), stop func() bool) error {
	if len(claimants) == 0 {
		return nil
	}
	c := r.read(claimants[0].Key)
	for i, read := 0, 0; i < len(claimants) && c.advance(); read++ {
		if read%often == often-1 && stop() {
			return nil
		}
		for i < len(claimants) && claimants[i].Key.Less(c.Print) {
			i++
		}
		for ; i < len(claimants) && claimants[i].Key == c.Print; i++ {
			if s.old(r, c.Entry) {
				known(claimants[i].Number)
			}
		}
	}
	return c.err
}

// NoteOf returns the note of a fingerprint: of all that were made of it the [parent], and as it
// is when nothing was ever written out.
func (s *Set) NoteOf(of fingerprint.Print) (note uint32, ok bool, err error) {
	there := s.Find(of)
	if len(s.runs) == 0 {
		if there == nil {
			return 0, false, nil
		}
		return *there, true, nil
	}
	var p parent
	for _, r := range s.runs {
		e, ok, err := r.find(of)
		if err != nil {
			return 0, false, err
		}
		if ok {
			p.add(e.Note, r.Layer)
		}
	}
	if there != nil {
		p.add(*there, inTable)
	}
	return p.note, p.known, nil
}

// Named returns the fingerprints that go by a name among parents, in order.
func (s *Set) Named(tag uint32) ([]fingerprint.Print, error) {
	all := s.tagged(tag)
	for _, r := range s.runs {
		some, err := r.tagged(tag)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, fingerprint.Compare)
	return slices.Compact(all), nil
}
