package storage_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

const dir = "/kept"

// written is a file of three and a half blocks, with its content by name, and one beside it.
func written(t *testing.T) (files map[string][]byte, ref storage.Ref, text []byte) {
	t.Helper()
	var disk faulty.FS
	d, err := storage.Keep(&disk, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text = make([]byte, storage.BlockHolds*7/2)
	for i := range text {
		text[i] = byte(i*i>>8 + i)
	}
	for range 2 {
		b, err := d.Create("states", true)
		if err != nil {
			t.Fatal(err)
		}
		if first, err := b.Append(text); err != nil || first != 0 {
			t.Fatal(first, err)
		}
		if b.Len() != 4 || b.Bytes() != 5*storage.BlockSize {
			t.Errorf("%d blocks, %d bytes", b.Len(), b.Bytes())
		}
		if ref.Name == "" {
			ref = b.Ref()
		}
		if err := errors.Join(b.Sync(), b.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return disk.Files(), ref, text
}

// reread opens a file among others, and reads all of it.
func reread(files map[string][]byte, ref storage.Ref, length int) ([]byte, error) {
	var disk faulty.FS
	disk.SetFiles(files)
	b, err := storage.Open(&disk, dir, "states", ref)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	p := make([]byte, length)
	return p, b.Read(0, p, new([]byte))
}

// What is written is read, all of it or the first of it, from each block that an Append began.
func TestWrittenIsRead(t *testing.T) {
	d := storage.Temporary(&faulty.FS{})
	defer d.Close()
	b, err := d.Create("states", false)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	lengths := []int{1, storage.BlockHolds - 1, storage.BlockHolds, storage.BlockHolds + 1, 17*storage.BlockHolds + 5}
	content := func(k, n int) []byte { return bytes.Repeat([]byte{byte(k + 1), byte(n), 3}, n)[:n] }
	var firsts []int64
	for k, n := range lengths {
		first, err := b.Append(content(k, n))
		if err != nil {
			t.Fatal(err)
		}
		firsts = append(firsts, first)
	}
	var buffer []byte
	for k, n := range lengths {
		for _, part := range []int{n, (n + 1) / 2, 1} {
			p := make([]byte, part)
			if err := b.Read(firsts[k], p, &buffer); err != nil || !bytes.Equal(p, content(k, n)[:part]) {
				t.Errorf("the first %d of %d bytes at block %d: %v", part, n, firsts[k], err)
			}
		}
	}
	if err := b.Read(b.Len()-1, make([]byte, storage.BlockSize), &buffer); err == nil {
		t.Error("more is read than is there")
	}
	if err := b.Read(firsts[0], make([]byte, 2), &buffer); err == nil {
		t.Error("more is read of a block than it holds")
	}
}

// A file is refused, by its name, where it is not what was written: whatever bit is flipped,
// and wherever blocks are zeroed, cut off, exchanged, or come from another file.
func TestDamageIsRefused(t *testing.T) {
	files, ref, text := written(t)
	path, other := dir+"/states-1", files[dir+"/states-2"]
	if got, err := reread(files, ref, len(text)); err != nil || !bytes.Equal(got, text) {
		t.Fatal("what is not damaged is refused", err)
	}
	if bytes.Equal(files[path], other) {
		t.Fatal("two files with the same content cannot be told apart")
	}
	try := func(how string, at int, file []byte) {
		t.Helper()
		some := map[string][]byte{path: file}
		_, err := reread(some, ref, len(text))
		if failed := (*storage.Error)(nil); !errors.As(err, &failed) || failed.Path != path || !strings.Contains(err.Error(), path) {
			t.Errorf("block %d %s: %v", at, how, err)
		}
	}
	const size = storage.BlockSize
	for at := range len(files[path]) / size {
		change := func(how string, do func(block, file []byte)) {
			file := bytes.Clone(files[path])
			do(file[at*size:][:size], file)
			try(how, at, file)
		}
		for _, k := range []int{0, 7, 8, 12, 16, 40, size/2 - 1} {
			change("with a bit flipped", func(block, _ []byte) { block[k] ^= 1 << (k % 8) })
		}
		change("zeroed", func(block, _ []byte) { clear(block) })
		change("taken from another file", func(block, _ []byte) { copy(block, other[at*size:]) })
		change("exchanged with the next", func(_, file []byte) {
			next := (at + 1) % (len(file) / size) * size
			copy(file[at*size:][:size], files[path][next:][:size])
			copy(file[next:][:size], files[path][at*size:][:size])
		})
		try("cut before it", at, files[path][:at*size])
		try("cut in it", at, files[path][:at*size+size/2])
		try("repeated at the end", at, append(bytes.Clone(files[path]), files[path][at*size:][:size]...))
	}
	try("of another kind", 0, func() []byte {
		return bytes.Replace(files[path], []byte("contend states"), []byte("contend layers"), 1)
	}())
	try("which is another file's", 0, other)
}

// A file that is not there is an error that names it; so is one opened as another kind.
func TestMissingAndOtherKind(t *testing.T) {
	files, ref, _ := written(t)
	var disk faulty.FS
	disk.SetFiles(files)
	if _, err := storage.Open(&disk, dir, "layer", ref); err == nil || !strings.Contains(err.Error(), ref.Name) {
		t.Error("a file of states is read as one of layers:", err)
	}
	ref.Name = "states-9"
	if _, err := storage.Open(&disk, dir, "states", ref); err == nil || !strings.Contains(err.Error(), "states-9") {
		t.Error("a file that is not there is opened:", err)
	}
}
