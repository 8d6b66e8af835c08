package visited

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"sort"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
)

// A Run is a file of sorted fingerprints with their notes: the content of the table when memory was short. One
// goroutine reads it at a time.
type Run struct {
	Layer  int // in which it was written
	blocks *storage.Blocks
	n      int64
	wide   bool
	page   []byte // the block that was read last
	number int64  // of that block
	buffer []byte
}

// A Saved is a reference to a saved run.
type Saved struct {
	File  storage.Ref // the file
	N     int64       // of fingerprints
	Layer int         // in which it was written
}

// Saved returns the reference to the run.
func (r *Run) Saved() Saved { return Saved{r.blocks.Ref(), r.n, r.Layer} }

// kind is the kind of the files of runs.
const kind = "states"

// ahead is the number of blocks of a run that are read and written at once.
const ahead = 16

// size returns the bytes of an entry.
func size(wide bool) int {
	if wide {
		return 20
	}
	return 12
}

// per returns the number of entries of a block.
func (r *Run) per() int64 { return int64(storage.BlockHolds / size(r.wide)) }

func decode(b []byte, wide bool) Entry {
	e := Entry{Print: fingerprint.Print{A: binary.LittleEndian.Uint64(b)}}
	if b = b[8:]; wide {
		e.B = binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	e.Note = binary.LittleEndian.Uint32(b)
	return e
}

func encode(b []byte, e Entry, wide bool) []byte {
	b = binary.LittleEndian.AppendUint64(b, e.A)
	if wide {
		b = binary.LittleEndian.AppendUint64(b, e.B)
	}
	return binary.LittleEndian.AppendUint32(b, e.Note)
}

// write writes the sorted entries of each into a file of a directory.
func write(d *storage.Directory, wide bool, layer int, each func(yield func(Entry) bool)) (*Run, error) {
	blocks, err := d.Create(kind, true)
	if err != nil {
		return nil, err
	}
	r := &Run{Layer: layer, blocks: blocks, wide: wide, number: -1}
	b := make([]byte, 0, ahead*storage.BlockHolds)
	each(func(e Entry) bool {
		b = encode(b, e, wide)
		r.n++
		if len(b) == cap(b) {
			_, err = blocks.Append(b)
			b = b[:0]
		}
		return err == nil
	})
	if err == nil {
		_, err = blocks.Append(b)
	}
	if err != nil {
		_ = blocks.Close()
		return nil, err
	}
	return r, nil
}

// open opens a saved run.
func open(d *storage.Directory, wide bool, s Saved) (*Run, error) {
	blocks, err := d.Open(kind, s.File)
	if err != nil {
		return nil, err
	}
	return &Run{Layer: s.Layer, blocks: blocks, n: s.N, wide: wide, number: -1}, nil
}

// at returns the i-th entry.
func (r *Run) at(i int64) (Entry, error) {
	if number := i / r.per(); number != r.number {
		count := min(r.per(), r.n-number*r.per())
		r.page = append(r.page[:0], make([]byte, int(count)*size(r.wide))...)
		r.number = -1
		if err := r.blocks.Read(number, r.page, &r.buffer); err != nil {
			return Entry{}, err
		}
		r.number = number
	}
	return decode(r.page[int(i%r.per())*size(r.wide):], r.wide), nil
}

// seek returns the number of the first entry not less than a fingerprint. Fingerprints are spread nearly evenly.
// So seek starts at the place for an even spread, and goes on in strides that double until the entry lies between
// two places. It reads three or four blocks, and not one for each bit of n.
func (r *Run) seek(p fingerprint.Print) (int64, error) {
	var failed error
	less := func(i int64) bool {
		e, err := r.at(i)
		failed = cmp.Or(failed, err)
		return err == nil && e.Less(p)
	}
	guess, _ := bits.Mul64(p.A, uint64(r.n))
	lo, hi := int64(0), r.n // what is before lo is less; what is from hi on is not
	for at, stride := int64(guess), r.per(); lo < hi && failed == nil; stride *= 2 {
		if at = min(max(at, lo), hi-1); less(at) {
			lo, at = at+1, at+stride
		} else {
			hi, at = at, at-stride
		}
		if lo > 0 && hi < r.n {
			break
		}
	}
	i := lo + int64(sort.Search(int(hi-lo), func(i int) bool { return !less(lo + int64(i)) }))
	return i, failed
}

// find returns the entry of a fingerprint.
func (r *Run) find(p fingerprint.Print) (e Entry, ok bool, err error) {
	i, err := r.seek(p)
	if err != nil || i == r.n {
		return Entry{}, false, err
	}
	e, err = r.at(i)
	return e, e.Print == p, err
}

// tagged returns the fingerprints with a tag.
func (r *Run) tagged(tag uint32) (out []fingerprint.Print, err error) {
	i, err := r.seek(fingerprint.Print{A: firstTagged(tag)})
	for ; err == nil && i < r.n; i++ {
		var e Entry
		if e, err = r.at(i); Tag(e.A) != tag {
			break
		}
		out = append(out, e.Print)
	}
	return out, err
}

// A cursor reads the entries of a run in order.
type cursor struct {
	Entry
	run          *Run
	next         int64 // entry to be decoded
	here         []byte
	page, buffer []byte
	ok           bool // there is an entry, unless there is an error
	err          error
}

// read returns a cursor before the first entry that is not less than a fingerprint.
func (r *Run) read(from fingerprint.Print) *cursor {
	c := &cursor{run: r}
	if from != noPrint {
		c.next, c.err = r.seek(from)
	}
	return c
}

// advance reads the next entry. It returns false at the end, or after an error.
func (c *cursor) advance() bool {
	if c.ok = c.err == nil && c.next < c.run.n; !c.ok {
		return false
	}
	if len(c.here) == 0 {
		if c.err = c.load(); c.err != nil {
			return false
		}
	}
	c.Entry = decode(c.here, c.run.wide)
	c.here = c.here[size(c.run.wide):]
	c.next++
	return true
}

// load reads some blocks, beginning with the block of the next entry.
func (c *cursor) load() error {
	first := c.next / c.run.per()
	count := min(ahead*c.run.per(), c.run.n-first*c.run.per())
	if c.page == nil {
		c.page = make([]byte, ahead*storage.BlockHolds)
	}
	c.here = c.page[:int(count)*size(c.run.wide)]
	if err := c.run.blocks.Read(first, c.here, &c.buffer); err != nil {
		return err
	}
	c.here = c.here[int(c.next%c.run.per())*size(c.run.wide):]
	return nil
}

// merged yields the entries of runs in order, each fingerprint once, with its [parent].
func merged(runs []*Run, err *error) func(yield func(Entry) bool) {
	return func(yield func(Entry) bool) {
		var cursors []*cursor
		for _, r := range runs {
			c := r.read(noPrint)
			c.advance()
			cursors = append(cursors, c)
		}
		for least := first(cursors); least != nil; least = first(cursors) {
			e := Entry{Print: least.Print}
			var p parent
			for _, c := range cursors {
				if c.ok && c.Print == e.Print {
					p.add(c.Note, c.run.Layer)
					c.advance()
				}
			}
			if e.Note = p.note; p.open && p.layer == runs[len(runs)-1].Layer {
				e.Note |= 1 // runs of its layer may follow, with other parents
			}
			if !yield(e) {
				break
			}
		}
		for _, c := range cursors {
			if c.err != nil {
				*err = c.err
			}
		}
	}
}

// first returns the cursor with the least fingerprint; nil if all are at their ends.
func first(cursors []*cursor) (least *cursor) {
	for _, c := range cursors {
		if c.err != nil {
			return nil
		}
		if c.ok && (least == nil || c.Less(least.Print)) {
			least = c
		}
	}
	return least
}
