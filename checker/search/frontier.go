package search

// A frontier holds the states of a layer in chunks, which workers take one by one.
// A state's record is its key, the length of its vector, and the vector.
type frontier struct {
	chunks []chunk
	states int64
	spare  []chunk // of layers that are done, to be used again
}

type chunk []uint32

const (
	chunkWords = 1 << 14
	recordHead = 5
)

// add appends a state.
func (f *frontier) add(key print, v []uint32) {
	need := recordHead + len(v)
	if n := len(f.chunks); n == 0 || len(f.chunks[n-1])+need > cap(f.chunks[n-1]) {
		f.chunks = append(f.chunks, f.chunk(need))
	}
	last := &f.chunks[len(f.chunks)-1]
	*last = append(append(*last, uint32(key.a), uint32(key.a>>32), uint32(key.b), uint32(key.b>>32), uint32(len(v))), v...)
	f.states++
}

func (f *frontier) chunk(need int) chunk {
	size := max(f.chunkSize(), need)
	if n := len(f.spare); n > 0 && cap(f.spare[n-1]) >= size {
		c := f.spare[n-1][:0]
		f.spare = f.spare[:n-1]
		return c
	}
	return make(chunk, 0, size)
}

// chunkSize is small at first, since most layers are.
func (f *frontier) chunkSize() int { return min(chunkWords, 1<<8<<len(f.chunks)) }

// next takes the first record off a chunk.
func (c chunk) next() (key print, v []uint32, rest chunk) {
	end := recordHead + int(c[4])
	key = print{uint64(c[0]) | uint64(c[1])<<32, uint64(c[2]) | uint64(c[3])<<32}
	return key, c[recordHead:end:end], c[end:]
}

func (f *frontier) bytes() int64 {
	n := int64(0)
	for _, c := range f.chunks {
		n += int64(cap(c)) * 4
	}
	return n
}
