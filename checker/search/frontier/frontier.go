// Package frontier holds the states of the layers of a breadth-first search: the present one,
// and what is found of the next.
//
// A state's record is its fingerprint, the length of its vector, and the vector. Records stand
// in chunks, which workers take one by one; each worker adds what it finds to a [Part] of its
// own. When memory is short, chunks go to a file, and are loaded when their turn comes. What
// the numbers in a vector mean, this package does not know.
package frontier

import (
	"sync/atomic"
	"unsafe"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
)

// Memory is what the chunks of a search take up, in bytes, and what they may: the parts that
// share it put chunks into files of the directory beyond that.
type Memory struct {
	atomic.Int64
	Most      int64 // 0: any amount
	Directory *storage.Directory
}

// short reports whether chunks take up the memory that is for them.
func (m *Memory) short() bool { return m.Most > 0 && m.Load() > m.Most }

// A Part is what one worker finds.
type Part struct {
	memory *Memory
	pieces []piece
	States int64           // that it has found
	spare  []Chunk         // of layers that are done, to be used again
	file   *storage.Blocks // of the chunks that are not in memory
}

// A Chunk is records of states, back to back.
type Chunk []uint32

// A piece is a chunk, or where it is in the file and how many words it has.
type piece struct {
	chunk Chunk
	first int64 // its block
	words int
}

// A Buffer is what chunks from files are loaded by way of. Each worker has one.
type Buffer struct {
	chunk Chunk
	raw   []byte
}

const (
	chunkWords = 1 << 14
	recordHead = 5
)

// NewPart makes a part in which nothing was found yet.
func NewPart(m *Memory) Part { return Part{memory: m} }

// Add appends a state.
func (f *Part) Add(key fingerprint.Print, v []uint32) error {
	need := recordHead + len(v)
	n := len(f.pieces)
	if n == 0 || len(f.pieces[n-1].chunk)+need > cap(f.pieces[n-1].chunk) {
		if err := f.begin(need); err != nil {
			return err
		}
		n = len(f.pieces)
	}
	last := &f.pieces[n-1].chunk
	*last = append(append(*last, uint32(key.A), uint32(key.A>>32), uint32(key.B), uint32(key.B>>32), uint32(len(v))), v...)
	f.States++
	return nil
}

// begin begins a chunk. The one before it goes to the file when memory is short.
func (f *Part) begin(need int) error {
	if n := len(f.pieces); n > 0 && f.memory.short() {
		if err := f.put(&f.pieces[n-1]); err != nil {
			return err
		}
	}
	var c Chunk
	if n := len(f.spare); n > 0 && cap(f.spare[n-1]) >= need {
		c, f.spare = f.spare[n-1][:0], f.spare[:n-1]
	} else {
		c = make(Chunk, 0, max(min(chunkWords, 1<<8<<min(len(f.pieces), 8)), need)) // small at first, since most layers are
		f.memory.Add(int64(cap(c)) * 4)
	}
	f.pieces = append(f.pieces, piece{chunk: c})
	return nil
}

// put writes a chunk to the file.
func (f *Part) put(p *piece) (err error) {
	if f.file == nil {
		if f.file, err = f.memory.Directory.Create("layer", false); err != nil {
			return err
		}
	}
	first, err := f.file.Append(asBytes(p.chunk))
	if err != nil {
		return err
	}
	f.spare = append(f.spare, p.chunk)
	*p = piece{first: first, words: len(p.chunk)}
	return nil
}

// load returns a chunk, if need be from the file by way of a buffer.
func (f *Part) load(i int, b *Buffer) (Chunk, error) {
	p := f.pieces[i]
	if p.chunk != nil {
		return p.chunk, nil
	}
	if cap(b.chunk) < p.words {
		b.chunk = make(Chunk, p.words)
	}
	c := b.chunk[:p.words]
	return c, f.file.Read(p.first, asBytes(c), &b.raw)
}

// Each hands on every state in the order in which they were added.
func (f *Part) Each(b *Buffer, do func(key fingerprint.Print, v []uint32) error) error {
	for i := range f.pieces {
		c, err := f.load(i, b)
		if err != nil {
			return err
		}
		for len(c) > 0 {
			var key fingerprint.Print
			var v []uint32
			key, v, c = c.Next()
			if err := do(key, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func asBytes(c Chunk) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c))), 4*len(c))
}

// Beside makes a part in which nothing was found yet, with the same memory.
func (f *Part) Beside() Part { return NewPart(f.memory) }

// Close forgets the states, and closes the file.
func (f *Part) Close() {
	f.empty()
	f.drop(f.spare)
	f.spare = nil
}

// empty forgets the states, and returns the memory of their chunks.
func (f *Part) empty() []Chunk {
	free := f.spare
	for _, p := range f.pieces {
		if p.chunk != nil {
			free = append(free, p.chunk)
		}
	}
	if f.file != nil {
		_ = f.file.Close() // it is not needed any more
	}
	*f = Part{memory: f.memory, spare: free}
	return free
}

// drop leaves chunks to be collected.
func (f *Part) drop(chunks []Chunk) {
	for _, c := range chunks {
		f.memory.Add(-int64(cap(c)) * 4)
	}
}

// Next takes the first record off a chunk.
func (c Chunk) Next() (key fingerprint.Print, v []uint32, rest Chunk) {
	end := recordHead + int(c[4])
	key = fingerprint.Print{A: uint64(c[0]) | uint64(c[1])<<32, B: uint64(c[2]) | uint64(c[3])<<32}
	return key, c[recordHead:end:end], c[end:]
}
