package visited

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
)

// When memory is short, the table is written to a run and emptied. A fingerprint in a run then seems new when it is met
// again. The runs decide at the end of the layer (see [Set.Winnow]). So the last bit of a note means that its fingerprint
// was met in the present layer. The caller sets this bit, and [Settle] clears it.

// mostRuns is the number of runs above which earlier runs are merged into one. atOnce is the greatest number that is
// merged at once: each takes a buffer.
const mostRuns, atOnce = 8, 16

// SpillTo makes the set write its table into a directory when the table would exceed most bytes. Even the smallest
// table may have more room than that; the rest of it stays unused.
func (s *Set) SpillTo(d *storage.Directory, most int64) {
	s.directory, s.most = d, most
	s.setLimit()
}

// Shrink reduces the maximum of the table. If the table is larger, the next insertion writes it to a file and
// frees the memory. The caller must not hold the lock of Room.
func (s *Set) Shrink(most int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = most
	s.setLimit()
}

// BeginLayer sets the number of the present layer, which runs record.
func (s *Set) BeginLayer(layer int) { s.layer = layer }

// spill writes the table to a file if it would become too large. It returns false if the table may grow. The
// caller holds the lock.
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

// cut shortens the table as far as necessary, before it is emptied.
func (s *Set) cut() {
	for s.groups > firstGroups && s.allocated.Load() > s.most {
		s.groups = max(firstGroups, s.groups*3/4)
		s.allocated.Store(int64(s.size()) * 8)
	}
	s.arena.Resize(s.size())
	s.words = s.arena.Words
	s.setLimit()
}

// mergeRuns merges runs of earlier layers if there are many.
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
		_ = m.blocks.Close() // the file stays as long as the last checkpoint needs it
	}
	s.runs = append([]*Run{r}, rest...)
	return nil
}

// DiskBytes returns the bytes of all runs.
func (s *Set) DiskBytes() (n int64) {
	for _, r := range s.runs {
		n += r.blocks.Bytes()
	}
	return n
}

// Spilled reports whether there are runs.
func (s *Set) Spilled() bool { return len(s.runs) > 0 }

// A Claimant is a fingerprint that was found in a layer, with its number among the found ones. It may be in a run.
type Claimant struct {
	Key    fingerprint.Print
	Number int64
}

// Winnow calls known for claimants that are in runs of earlier layers, and for second copies, which were met
// before and after the table was emptied. The claimants are sorted by fingerprint and then by number, and include
// all that have the same fingerprint. Winnow calls stop now and then, and returns early if stop reports true.
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

// aLookup is the number of entries of a run that are read in order in the time of one lookup.
const aLookup = 1024

// often is the number of claimants or entries between two calls of stop.
const often = 1 << 12

// old reports whether an entry of a run was met in an earlier layer. Entries that the present layer wrote are
// claimants themselves.
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

// winnowBy reads the claimants and a run in parallel.
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

// NoteOf returns the note of a fingerprint. It combines the notes in all runs, as if the table had never been
// written to a file.
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

// Parents returns the fingerprints with a tag, in order.
func (s *Set) Parents(tag uint32) ([]fingerprint.Print, error) {
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
