package frontier

import (
	"contend/checker/search/storage"
)

// A Layer is what the workers found in the one before.
type Layer struct {
	parts  []Part
	States int64 // in all parts
}

// A Place is a chunk of a layer.
type Place struct {
	of *Part
	i  int
}

// Load returns the chunk, if need be from its file by way of a buffer.
func (p Place) Load(b *Buffer) (Chunk, error) { return p.of.load(p.i, b) }

// Chunks lists the chunks.
func (l *Layer) Chunks() []Place {
	var all []Place
	for k := range l.parts {
		for i := range l.parts[k].pieces {
			all = append(all, Place{&l.parts[k], i})
		}
	}
	return all
}

// Replace makes a layer of what the workers found, and lets them use the memory of the present
// one.
func (l *Layer) Replace(found []*Part) {
	old := l.parts
	*l = Layer{}
	for i, f := range found {
		memory := f.memory
		l.parts, l.States = append(l.parts, *f), l.States+f.States
		*f = NewPart(memory)
		if i < len(old) {
			f.spare = old[i].empty()
			if memory.short() {
				f.drop(f.spare)
				f.spare = nil
			}
		}
	}
	for i := range old[min(len(found), len(old)):] {
		old[len(found)+i].Close()
	}
}

// Close forgets the states, and closes the files.
func (l *Layer) Close() {
	for i := range l.parts {
		l.parts[i].Close()
	}
	*l = Layer{}
}

// A Saved layer is how it is found again: its file, and how many words each chunk has.
type Saved struct {
	File   storage.Ref // where it is
	Chunks []int       // words of each
	States int64
}

// kind is that of the files of layers.
const kind = "layer"

// Save writes the layer into a file of its own, and syncs it.
func (l *Layer) Save(d *storage.Directory) (saved Saved, err error) {
	file, err := d.Create(kind, true)
	if err != nil {
		return saved, err
	}
	defer file.Close()
	saved.States = l.States
	var b Buffer
	for _, p := range l.Chunks() {
		c, err := p.Load(&b)
		if err != nil {
			return saved, err
		}
		if _, err := file.Append(asBytes(c)); err != nil {
			return saved, err
		}
		saved.Chunks = append(saved.Chunks, len(c))
	}
	saved.File = file.Ref()
	return saved, file.Sync()
}

// Load makes the layer what it was when it was saved. Its chunks stay in the file.
func (l *Layer) Load(m *Memory, saved Saved) error {
	file, err := m.Directory.Open(kind, saved.File)
	if err != nil {
		return err
	}
	f := Part{memory: m, file: file, States: saved.States}
	first := int64(0)
	for _, words := range saved.Chunks {
		f.pieces = append(f.pieces, piece{first: first, words: words})
		first += int64((words*4 + storage.BlockHolds - 1) / storage.BlockHolds)
	}
	*l = Layer{parts: []Part{f}, States: saved.States}
	return nil
}

// Verify reads every chunk, and so finds out at once what was damaged.
func (l *Layer) Verify() error {
	var b Buffer
	for _, p := range l.Chunks() {
		if _, err := p.Load(&b); err != nil {
			return err
		}
	}
	return nil
}
