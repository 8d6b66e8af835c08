package search

import (
	"os"
	"unsafe"
)

// A frontier holds the states of a layer in chunks, which workers take one by one.
// A state's record is its key, the length of its vector, and the vector. When memory is
// short, chunks go to a file, and are loaded when their turn comes.
type frontier struct {
	x      *explorer
	chunks []piece
	states int64
	spare  []chunk  // of layers that are done, to be used again
	file   *os.File // of the chunks that are not in memory
	end    int64    // of the file
}

type chunk []uint32

// A piece is a chunk, or where it is in the file and how many words it has.
type piece struct {
	chunk chunk
	at    int64
	words int
}

const (
	chunkWords = 1 << 14
	recordHead = 5
)

// add appends a state.
func (f *frontier) add(key print, v []uint32) {
	need := recordHead + len(v)
	n := len(f.chunks)
	if n == 0 || f.chunks[n-1].chunk == nil || len(f.chunks[n-1].chunk)+need > cap(f.chunks[n-1].chunk) {
		f.begin(need)
		n = len(f.chunks)
	}
	last := &f.chunks[n-1].chunk
	*last = append(append(*last, uint32(key.A), uint32(key.A>>32), uint32(key.B), uint32(key.B>>32), uint32(len(v))), v...)
	f.states++
}

// begin begins a chunk. The one before it goes to the file when memory is short.
func (f *frontier) begin(need int) {
	if n := len(f.chunks); n > 0 && f.x.chunksAreMany() {
		f.put(&f.chunks[n-1])
	}
	var c chunk
	if n := len(f.spare); n > 0 && cap(f.spare[n-1]) >= need {
		c, f.spare = f.spare[n-1][:0], f.spare[:n-1]
	} else {
		c = make(chunk, 0, max(min(chunkWords, 1<<8<<min(len(f.chunks), 8)), need)) // small at first, since most layers are
	}
	f.x.held.Add(int64(cap(c)) * 4)
	f.chunks = append(f.chunks, piece{chunk: c})
}

// put writes a chunk to the file.
func (f *frontier) put(p *piece) {
	if f.file == nil {
		file, err := os.CreateTemp(f.x.shelf().dir, "layer-")
		if err != nil {
			panic(Storage{err})
		}
		os.Remove(file.Name()) // it is gone when it is closed
		f.file = file
	}
	if _, err := f.file.WriteAt(asBytes(p.chunk), f.end); err != nil {
		panic(Storage{err})
	}
	f.x.held.Add(-int64(cap(p.chunk)) * 4)
	f.spare = append(f.spare, p.chunk)
	*p = piece{at: f.end, words: len(p.chunk)}
	f.end += int64(p.words) * 4
}

// load returns a chunk, if need be from the file by way of a buffer.
func (f *frontier) load(i int, buffer *chunk) chunk {
	p := f.chunks[i]
	if p.chunk != nil {
		return p.chunk
	}
	if cap(*buffer) < p.words {
		*buffer = make(chunk, p.words)
	}
	c := (*buffer)[:p.words]
	if _, err := f.file.ReadAt(asBytes(c), p.at); err != nil {
		panic(Storage{err})
	}
	return c
}

func asBytes(c chunk) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c))), 4*len(c))
}

// close forgets the states, and returns the memory of their chunks.
func (f *frontier) close() []chunk {
	var free []chunk
	for _, p := range f.chunks {
		if p.chunk != nil {
			f.x.held.Add(-int64(cap(p.chunk)) * 4)
			free = append(free, p.chunk)
		}
	}
	if f.file != nil {
		f.file.Close()
	}
	*f = frontier{x: f.x}
	return free
}

// next takes the first record off a chunk.
func (c chunk) next() (key print, v []uint32, rest chunk) {
	end := recordHead + int(c[4])
	key = print{A: uint64(c[0]) | uint64(c[1])<<32, B: uint64(c[2]) | uint64(c[3])<<32}
	return key, c[recordHead:end:end], c[end:]
}

// A layer is what the workers found in the one before.
type layer struct {
	parts  []frontier
	states int64
}

// A place is a chunk of a layer.
type place struct {
	of *frontier
	i  int
}

func (p place) load(buffer *chunk) chunk { return p.of.load(p.i, buffer) }

func (l *layer) chunks() []place {
	var all []place
	for k := range l.parts {
		for i := range l.parts[k].chunks {
			all = append(all, place{&l.parts[k], i})
		}
	}
	return all
}

// replace makes a layer of what was found, and lets the workers use the memory of the
// present one.
func (l *layer) replace(workers []*searcher) layer {
	var next layer
	for i, s := range workers {
		next.parts = append(next.parts, s.next)
		next.states += s.next.states
		s.next = frontier{x: s.x}
		if i >= len(l.parts) {
			continue
		}
		if spare := l.parts[i].close(); !s.x.chunksAreMany() {
			s.next.spare = spare
		}
	}
	return next
}

// chunksAreMany reports whether chunks take up the memory that is for them.
func (x *explorer) chunksAreMany() bool {
	return x.opt.MaxMemory > 0 && x.graph == nil && x.held.Load() > x.opt.forChunks
}
