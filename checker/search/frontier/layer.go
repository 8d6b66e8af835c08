package frontier

import (
	"contend/checker/search/storage"
)

// A Layer is the states that the workers found in the layer before.
type Layer struct {
	parts  []Part
	States int64 // in all parts
}

// A Place is a chunk of a layer.
type Place struct {
	of *Part
	i  int
}

// Load returns the chunk. A chunk in a file is read into the buffer.
func (p Place) Load(b *Buffer) (Chunk, error) { return p.of.load(p.i, b) }

// Chunks returns the chunks.
func (l *Layer) Chunks() []Place {
	var all []Place
	for k := range l.parts {
		for i := range l.parts[k].pieces {
			all = append(all, Place{&l.parts[k], i})
		}
	}
	return all
}

// Replace makes the found states the layer. The workers reuse the memory of the old layer.
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

// Close removes the states, and closes the files.
func (l *Layer) Close() {
	for i := range l.parts {
		l.parts[i].Close()
	}
	*l = Layer{}
}

// A Saved is a reference to a saved layer.
type Saved struct {
	File   storage.Ref // the file
	Chunks []int       // words of each
	States int64
}

// kind is the kind of the files of layers.
const kind = "layer"

// Save writes the layer into a new file, and syncs it.
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

// Load restores a saved layer. Its chunks stay in the file.
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

// Verify reads every chunk, to find damage at once.
func (l *Layer) Verify() error {
	var b Buffer
	for _, p := range l.Chunks() {
		if _, err := p.Load(&b); err != nil {
			return err
		}
	}
	return nil
}
