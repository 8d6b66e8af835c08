package visited

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"sort"

	"contend/checker/search/fingerprint"
)

// A Run is a file of fingerprints with their notes, sorted, each once: what the table
// held when memory was short.
type Run struct {
	Layer int // in which it was written
	file  *os.File
	n     int64
	wide  bool
}

// Name is the path of its file.
func (r *Run) Name() string { return r.file.Name() }

// Len is how many fingerprints it holds.
func (r *Run) Len() int64 { return r.n }

// Bytes is how long its file is.
func (r *Run) Bytes() int64 { return r.n * r.size() }

// Close closes its file.
func (r *Run) Close() error { return r.file.Close() }

// Unreadable is the panic of a run that was written and cannot be read.
type Unreadable struct{ Err error }

func (u Unreadable) Error() string { return u.Err.Error() }

func (u Unreadable) Unwrap() error { return u.Err }

// size is how many bytes an entry takes up.
func (r *Run) size() int64 {
	if r.wide {
		return 20
	}
	return 12
}

func (r *Run) decode(b []byte) Entry {
	e := Entry{Print: fingerprint.Print{A: binary.LittleEndian.Uint64(b)}}
	if b = b[8:]; r.wide {
		e.B = binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	e.Note = binary.LittleEndian.Uint32(b)
	return e
}

func (r *Run) encode(b []byte, e Entry) []byte {
	b = binary.LittleEndian.AppendUint64(b, e.A)
	if r.wide {
		b = binary.LittleEndian.AppendUint64(b, e.B)
	}
	return binary.LittleEndian.AppendUint32(b, e.Note)
}

// WriteRun writes sorted entries, as each hands them on, into a file.
func WriteRun(path string, wide bool, layer int, each func(yield func(Entry) bool)) (*Run, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r := &Run{file: file, wide: wide, Layer: layer}
	w := bufio.NewWriterSize(file, 1<<20)
	var b []byte
	each(func(e Entry) bool {
		b = r.encode(b[:0], e)
		_, err = w.Write(b)
		r.n++
		return err == nil
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		r.Remove()
		return nil, err
	}
	return r, nil
}

// OpenRun opens a run that was written before.
func OpenRun(path string, wide bool, layer int) (*Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Run{file: file, wide: wide, Layer: layer}
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

// Remove closes its file and removes it.
func (r *Run) Remove() {
	r.file.Close()
	os.Remove(r.file.Name())
}

// at reads the i-th entry. A file that was written and cannot be read ends the search.
func (r *Run) at(i int64) Entry {
	var b [20]byte
	if _, err := r.file.ReadAt(b[:r.size()], i*r.size()); err != nil {
		panic(Unreadable{err})
	}
	return r.decode(b[:])
}

// seek returns the number of the first entry not less than a fingerprint.
func (r *Run) seek(p fingerprint.Print) int64 {
	return int64(sort.Search(int(r.n), func(i int) bool { return !r.at(int64(i)).Less(p) }))
}

// Find returns the Entry of a fingerprint.
func (r *Run) Find(p fingerprint.Print) (Entry, bool) {
	if i := r.seek(p); i < r.n {
		e := r.at(i)
		return e, e.Print == p
	}
	return Entry{}, false
}

// Tagged returns the fingerprints that go by a name among parents.
func (r *Run) Tagged(tag uint32) []fingerprint.Print {
	first := fingerprint.Print{A: uint64(tag) << 33}
	if tag == 1 {
		first = fingerprint.Print{} // it stands for 0 as well
	}
	var out []fingerprint.Print
	for i := r.seek(first); i < r.n; i++ {
		e := r.at(i)
		if Tag(e.A) != tag {
			break
		}
		out = append(out, e.Print)
	}
	return out
}

// All hands on every entry in order.
func (r *Run) All(yield func(Entry) bool) {
	for c := r.read(); c.advance(); {
		if !yield(c.Entry) {
			return
		}
	}
}

// A cursor reads a run from its beginning.
type cursor struct {
	Entry
	run  *Run
	in   *bufio.Reader
	left int64
	ok   bool // there is an entry
	b    [20]byte
}

func (r *Run) read() *cursor {
	return &cursor{run: r, in: bufio.NewReaderSize(io.NewSectionReader(r.file, 0, r.n*r.size()), 1<<18), left: r.n}
}

// advance reads the next entry; false when there is none.
func (c *cursor) advance() bool {
	if c.ok = c.left > 0; !c.ok {
		return false
	}
	if _, err := io.ReadFull(c.in, c.b[:c.run.size()]); err != nil {
		panic(Unreadable{err})
	}
	c.left--
	c.Entry = c.run.decode(c.b[:])
	return true
}

// Merged hands on the entries of runs in order, each fingerprint once, with its [Parent].
func Merged(runs []*Run) func(yield func(Entry) bool) {
	return func(yield func(Entry) bool) {
		var cursors []*cursor
		for _, r := range runs {
			c := r.read()
			c.advance()
			cursors = append(cursors, c)
		}
		for {
			var least *cursor
			for _, c := range cursors {
				if c.ok && (least == nil || c.Less(least.Print)) {
					least = c
				}
			}
			if least == nil {
				return
			}
			e := Entry{Print: least.Print}
			var parent Parent
			for _, c := range cursors {
				if c.ok && c.Print == e.Print {
					parent.Add(c.Note, c.run.Layer)
					c.advance()
				}
			}
			if e.Note = parent.Note; !yield(e) {
				return
			}
		}
	}
}
