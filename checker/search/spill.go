package search

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"contend/checker/search/fingerprint"
	"contend/checker/search/visited"
)

// mostRuns are kept before they are merged into one.
const mostRuns = 8

// A disk is where runs, and chunks of layers, are kept. There is none until memory is
// short.
type disk struct {
	mu        sync.Mutex
	dir       string
	temporary bool
	runs      []*visited.Run
	files     int      // made so far
	stale     []string // files that the next checkpoint does without
}

// shelf returns the place for files.
func (x *explorer) shelf() *disk {
	x.disk.mu.Lock()
	defer x.disk.mu.Unlock()
	if x.disk.dir != "" {
		return &x.disk
	}
	if x.opt.Checkpoint != "" {
		x.disk.dir = x.opt.Checkpoint
		return &x.disk
	}
	dir, err := os.MkdirTemp("", "contend-search-")
	if err != nil {
		panic(Storage{err})
	}
	x.disk.dir, x.disk.temporary = dir, true
	return &x.disk
}

// path names a new file.
func (d *disk) path(kind string) string {
	d.files++
	return filepath.Join(d.dir, fmt.Sprintf("%s-%d", kind, d.files))
}

func (d *disk) close() {
	for _, r := range d.runs {
		r.Close()
	}
	if d.temporary {
		os.RemoveAll(d.dir)
	}
}

// The table may take up half of the memory, and the chunks of layers a quarter; the
// rest is for what is remembered of handlers.
func (o *Options) share() {
	if o.forTable == 0 {
		o.forTable, o.forChunks = o.MaxMemory/2, o.MaxMemory/4
	}
}

// spill writes the table out as a run and empties it, if it would become too large.
// What was met before is then found again when the layer ends. The caller holds the
// table's lock.
func (x *explorer) spill() bool {
	if x.opt.MaxMemory == 0 || x.graph != nil || x.set.Grown() <= x.opt.forTable {
		return false
	}
	d := x.shelf()
	r, err := visited.WriteRun(d.path("states"), x.opt.Wide, len(x.res.Widths), x.set.Sorted)
	if err != nil {
		panic(Storage{err})
	}
	d.runs = append(d.runs, r)
	if len(d.runs) > mostRuns {
		x.mergeRuns()
	}
	x.set.Empty()
	return true
}

// mergeRuns makes one of all runs of earlier layers.
func (x *explorer) mergeRuns() {
	d := &x.disk
	old := slices.IndexFunc(d.runs, func(r *visited.Run) bool { return r.Layer == len(x.res.Widths) })
	if old < 0 {
		old = len(d.runs)
	}
	if old < 2 {
		return
	}
	merging, rest := d.runs[:old], d.runs[old:]
	r, err := visited.WriteRun(d.path("states"), x.opt.Wide, merging[old-1].Layer, visited.Merged(merging))
	if err != nil {
		panic(Storage{err})
	}
	for _, m := range merging {
		if x.opt.Checkpoint == "" {
			m.Remove()
			continue
		}
		m.Close()
		d.stale = append(d.stale, m.Name()) // the last checkpoint needs it
	}
	d.runs = append([]*visited.Run{r}, rest...)
}

// Storage is the panic of a search that cannot write or read its files.
type Storage struct{ Err error }

func (s Storage) Error() string { return "the search's files: " + s.Err.Error() }

func (s Storage) Unwrap() error { return s.Err }

// A claimant is a state found in a layer whose newness the runs decide.
type claimant struct {
	key    print
	number int
}

// winnow removes from what was found in a layer the states that runs of earlier layers
// hold, and second copies: those met before and after the table was emptied.
func (x *explorer) winnow() {
	if len(x.disk.runs) == 0 {
		return
	}
	claimants := x.claimants()
	slices.SortFunc(claimants, func(a, b claimant) int {
		return cmp.Or(fingerprint.Compare(a.key, b.key), cmp.Compare(a.number, b.number))
	})
	known := make([]bool, len(claimants))
	for i := 1; i < len(claimants); i++ {
		known[claimants[i].number] = claimants[i].key == claimants[i-1].key
	}
	for _, r := range x.disk.runs {
		x.winnowBy(r, claimants, known)
	}
	if slices.Contains(known, true) {
		for _, s := range x.workers {
			known = s.drop(known)
		}
	}
}

// claimants lists what was found, in order.
func (x *explorer) claimants() []claimant {
	var all []claimant
	for _, s := range x.workers {
		for i := range s.next.chunks {
			for c := s.next.load(i, &s.loaded); len(c) > 0; {
				var key print
				key, _, c = c.next()
				all = append(all, claimant{key, len(all)})
			}
		}
	}
	return all
}

// winnowBy marks the claimants that a run holds. Entries that the present layer wrote
// are claimants themselves.
func (x *explorer) winnowBy(r *visited.Run, claimants []claimant, known []bool) {
	mark := func(i int, e visited.Entry) int {
		for ; i < len(claimants) && claimants[i].key == e.Print; i++ {
			known[claimants[i].number] = true
		}
		return i
	}
	old := func(e visited.Entry) bool { return e.Note&1 == 0 || r.Layer != len(x.res.Widths) }
	if int64(len(claimants))*64 < r.Len() {
		for i := range claimants {
			if e, ok := r.Find(claimants[i].key); ok && old(e) {
				known[claimants[i].number] = true
			}
		}
		return
	}
	i := 0
	r.All(func(e visited.Entry) bool {
		for i < len(claimants) && claimants[i].key.Less(e.Print) {
			i++
		}
		if old(e) {
			i = mark(i, e)
		}
		return i < len(claimants)
	})
}

// drop removes the states that are known from what a searcher found, and returns what is
// said of the states of those after it.
func (s *searcher) drop(known []bool) []bool {
	kept := frontier{x: s.x}
	for i := range s.next.chunks {
		for c := s.next.load(i, &s.loaded); len(c) > 0; known = known[1:] {
			var key print
			var v []uint32
			if key, v, c = c.next(); !known[0] {
				kept.add(key, v)
			}
		}
	}
	s.next.close()
	s.next = kept
	return known
}
