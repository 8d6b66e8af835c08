package search

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"sort"
)

// A run is a file of fingerprints with their notes, sorted, each once: what the table
// held when memory was short.
type run struct {
	file  *os.File
	n     int64
	wide  bool
	layer int // in which it was written
}

// size is how many bytes an entry takes up.
func (r *run) size() int64 {
	if r.wide {
		return 20
	}
	return 12
}

func (r *run) decode(b []byte) entry {
	e := entry{print: print{a: binary.LittleEndian.Uint64(b)}}
	if b = b[8:]; r.wide {
		e.b = binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	e.note = binary.LittleEndian.Uint32(b)
	return e
}

func (r *run) encode(b []byte, e entry) []byte {
	b = binary.LittleEndian.AppendUint64(b, e.a)
	if r.wide {
		b = binary.LittleEndian.AppendUint64(b, e.b)
	}
	return binary.LittleEndian.AppendUint32(b, e.note)
}

// writeRun writes sorted entries, as each hands them on, into a file.
func writeRun(path string, wide bool, layer int, each func(yield func(entry) bool)) (*run, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r := &run{file: file, wide: wide, layer: layer}
	w := bufio.NewWriterSize(file, 1<<20)
	var b []byte
	each(func(e entry) bool {
		b = r.encode(b[:0], e)
		_, err = w.Write(b)
		r.n++
		return err == nil
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		r.remove()
		return nil, err
	}
	return r, nil
}

// openRun opens a run that was written before.
func openRun(path string, wide bool, layer int) (*run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &run{file: file, wide: wide, layer: layer}
	info, err := file.Stat()
	if err == nil && info.Size()%r.size() != 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	r.n = info.Size() / r.size()
	return r, nil
}

func (r *run) remove() {
	r.file.Close()
	os.Remove(r.file.Name())
}

// at reads the i-th entry. A file that was written and cannot be read ends the search.
func (r *run) at(i int64) entry {
	var b [20]byte
	if _, err := r.file.ReadAt(b[:r.size()], i*r.size()); err != nil {
		panic(Storage{err})
	}
	return r.decode(b[:])
}

// seek returns the number of the first entry not less than a fingerprint.
func (r *run) seek(p print) int64 {
	return int64(sort.Search(int(r.n), func(i int) bool { return !r.at(int64(i)).less(p) }))
}

// find returns the entry of a fingerprint.
func (r *run) find(p print) (entry, bool) {
	if i := r.seek(p); i < r.n {
		e := r.at(i)
		return e, e.print == p
	}
	return entry{}, false
}

// tagged returns the fingerprints that go by a name among parents.
func (r *run) tagged(tag uint32) []print {
	first := print{a: uint64(tag) << 33}
	if tag == 1 {
		first = print{} // it stands for 0 as well
	}
	var out []print
	for i := r.seek(first); i < r.n; i++ {
		e := r.at(i)
		if tagOf(e.a) != tag {
			break
		}
		out = append(out, e.print)
	}
	return out
}

// all hands on every entry in order.
func (r *run) all(yield func(entry) bool) {
	for c := r.read(); c.advance(); {
		if !yield(c.entry) {
			return
		}
	}
}

// A cursor reads a run from its beginning.
type cursor struct {
	entry
	run  *run
	in   *bufio.Reader
	left int64
	ok   bool // there is an entry
	b    [20]byte
}

func (r *run) read() *cursor {
	return &cursor{run: r, in: bufio.NewReaderSize(io.NewSectionReader(r.file, 0, r.n*r.size()), 1<<18), left: r.n}
}

// advance reads the next entry; false when there is none.
func (c *cursor) advance() bool {
	if c.ok = c.left > 0; !c.ok {
		return false
	}
	if _, err := io.ReadFull(c.in, c.b[:c.run.size()]); err != nil {
		panic(Storage{err})
	}
	c.left--
	c.entry = c.run.decode(c.b[:])
	return true
}

// Storage is the panic of a search that cannot write or read its files.
type Storage struct{ Err error }

func (s Storage) Error() string { return "the search's files: " + s.Err.Error() }

func (s Storage) Unwrap() error { return s.Err }

// merged hands on the entries of runs in order, each fingerprint once: with the note
// that the first of the runs has for it, which is the one of its own layer.
func merged(runs []*run) func(yield func(entry) bool) {
	return func(yield func(entry) bool) {
		var cursors []*cursor
		for _, r := range runs {
			c := r.read()
			c.advance()
			cursors = append(cursors, c)
		}
		for {
			var least *cursor
			for _, c := range cursors {
				if c.ok && (least == nil || c.less(least.print)) {
					least = c
				}
			}
			if least == nil {
				return
			}
			e := least.entry
			for _, c := range cursors {
				if c.ok && c.print == e.print {
					c.advance()
				}
			}
			if e.note &^= 1; !yield(e) {
				return
			}
		}
	}
}

// sorted hands on the entries of the table in order. One whose group is g is in this
// group or in one of the few behind it.
func (t *table) sorted(yield func(entry) bool) {
	var waiting [spread][]entry // by group
	last := t.groups + spread
	for g := uint64(0); g < last+spread; g++ {
		if g >= spread {
			due := &waiting[g%spread]
			slices.SortFunc(*due, func(a, b entry) int { return compare(a.print, b.print) })
			for _, e := range *due {
				if !yield(e) {
					return
				}
			}
			*due = (*due)[:0]
		}
		if g >= last {
			continue
		}
		for at := g * groupSize; at < (g+1)*groupSize; at++ {
			b := t.bucketAt(at)
			for i := range t.taken(b) {
				e := t.entry(b, i)
				home := &waiting[t.group(e.a)%spread]
				*home = append(*home, e)
			}
		}
	}
}

func compare(p, q print) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) }
