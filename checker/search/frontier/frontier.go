// Package frontier stores the states of two layers of a breadth-first search: the present layer, and what is found
// of the next.
//
// The record of a state is its fingerprint, the length of its vector, and the vector. Records are in chunks, and a
// worker expands one chunk at a time. Each worker adds the states that it finds to a [Part] of its own. When
// memory is short, chunks go to a file, and are loaded when they are needed.
package frontier

import (
	"sync/atomic"
	"unsafe"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
)

// A Memory counts the bytes of the chunks of a search, and limits them. Beyond the limit, parts write chunks into
// files of the directory.
type Memory struct {
	atomic.Int64
	Most      int64 // 0: any amount
	Directory *storage.Directory
}

// short reports whether the chunks exceed the limit.
func (m *Memory) short() bool { return m.Most > 0 && m.Load() > m.Most }

// A Part is the states that one worker finds.
type Part struct {
	memory *Memory
	pieces []piece
	States int64           // number of states
	spare  []Chunk         // of earlier layers, for reuse
	file   *storage.Blocks // has the chunks that are not in memory
}

// A Chunk is a sequence of records.
type Chunk []uint32

// A piece is a chunk in memory, or its place in the file and its number of words.
type piece struct {
	chunk Chunk
	first int64 // block
	words int
}

// A Buffer is memory for chunks that are loaded from files. Each worker has one.
type Buffer struct {
	chunk Chunk
	raw   []byte
}

const (
	chunkWords = 1 << 14
	recordHead = 5
)

// NewPart returns an empty part.
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

// begin starts a chunk. If memory is short, the previous chunk goes to the file.
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
		c = make(Chunk, 0, max(min(chunkWords, 1<<8<<min(len(f.pieces), 8)), need)) // small at first: most layers are small
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

// load returns a chunk. A chunk in the file is read into the buffer.
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

// Each calls do for every state, in the order of addition.
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

// Beside returns an empty part with the same memory.
func (f *Part) Beside() Part { return NewPart(f.memory) }

// Close removes the states, and closes the file.
func (f *Part) Close() {
	f.empty()
	f.drop(f.spare)
	f.spare = nil
}

// empty removes the states, and returns the memory of their chunks.
func (f *Part) empty() []Chunk {
	free := f.spare
	for _, p := range f.pieces {
		if p.chunk != nil {
			free = append(free, p.chunk)
		}
	}
	if f.file != nil {
		_ = f.file.Close() // no longer needed
	}
	*f = Part{memory: f.memory, spare: free}
	return free
}

// drop releases chunks to the garbage collector.
func (f *Part) drop(chunks []Chunk) {
	for _, c := range chunks {
		f.memory.Add(-int64(cap(c)) * 4)
	}
}

// Next returns the first record of a chunk, and the rest of the chunk.
func (c Chunk) Next() (key fingerprint.Print, v []uint32, rest Chunk) {
	end := recordHead + int(c[4])
	key = fingerprint.Print{A: uint64(c[0]) | uint64(c[1])<<32, B: uint64(c[2]) | uint64(c[3])<<32}
	return key, c[recordHead:end:end], c[end:]
}
