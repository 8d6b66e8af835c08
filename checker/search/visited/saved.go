package visited

import (
	"slices"

	"contend/checker/search/storage"
)

// Save writes the table as it was before the present layer. It returns references to the runs and, last, to the
// table. All files are synced.
func (s *Set) Save(d *storage.Directory) (saved []Saved, err error) {
	earlier := func(yield func(Entry) bool) {
		s.Sorted(func(e Entry) bool { return e.Note&1 != 0 || yield(e) })
	}
	table, err := write(d, s.wide, s.layer, earlier)
	if err != nil {
		return nil, err
	}
	defer table.blocks.Close()
	for _, r := range append(slices.Clone(s.runs), table) {
		if err := r.blocks.Sync(); err != nil {
			return nil, err
		}
		saved = append(saved, r.Saved())
	}
	return saved, nil
}

// Load restores an empty set from a saved one.
func (s *Set) Load(d *storage.Directory, saved []Saved) error {
	last := len(saved) - 1
	for _, one := range saved[:last] {
		r, err := open(d, s.wide, one)
		if err != nil {
			return err
		}
		s.runs = append(s.runs, r)
	}
	table, err := open(d, s.wide, saved[last])
	if err != nil {
		return err
	}
	defer table.blocks.Close()
	s.reserve(table.n) // they come in order: a table that grew meanwhile would be full at one end
	c := table.read(noPrint)
	for c.advance() {
		s.load(c.Entry)
	}
	return c.err
}

// Verify reads the runs to their ends, to find damage at once.
func (s *Set) Verify() error {
	for _, r := range s.runs {
		c := r.read(noPrint)
		for c.advance() {
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}
