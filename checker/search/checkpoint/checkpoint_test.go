package checkpoint_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

const (
	dir  = "/kept"
	path = dir + "/" + checkpoint.Name
)

// progress stands for what a search keeps.
type progress struct {
	Widths []int64
	Text   string
	Of     []checkpoint.Field // of a type that the header has too
}

var (
	check = []checkpoint.Field{{Name: "protocol", Value: "lock"}, {Name: "n", Value: "3"}}
	state = progress{[]int64{1, 2, 5}, strings.Repeat("as long as two blocks. ", 300), check}
)

// header is of a search that needs some files.
func header(layer int, files ...string) *checkpoint.Header {
	return &checkpoint.Header{Check: check, Program: 7, States: int64(layer) * 100, Layer: layer, Spent: time.Minute, Files: files, Next: 12}
}

// kept is a directory with a checkpoint and the file that it needs.
func kept(t *testing.T, disk *faulty.FS, layer int) *storage.Directory {
	t.Helper()
	d, err := storage.Keep(disk, dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Create("states", true)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Sync(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Write(d, header(layer, b.Ref().Name), &state); err != nil {
		t.Fatal(err)
	}
	return d
}

// What is written is read, with the header and without; a second checkpoint takes the place of
// the first, and what only that needed is gone.
func TestWrittenIsRead(t *testing.T) {
	var disk faulty.FS
	d := kept(t, &disk, 1)
	for layer := 1; layer <= 2; layer++ {
		want := header(layer, "states-1")
		if layer == 2 {
			want = header(layer)
			if err := checkpoint.Write(d, want, &state); err != nil {
				t.Fatal(err)
			}
		}
		var got progress
		h, err := checkpoint.Read(d, &got)
		if err != nil || !reflect.DeepEqual(h, want) || !reflect.DeepEqual(got, state) {
			t.Errorf("layer %d: %+v, %v", layer, h, err)
		}
		if h, err := checkpoint.Look(&disk, dir); err != nil || !reflect.DeepEqual(h, want) {
			t.Errorf("layer %d: %+v, %v", layer, h, err)
		}
	}
	if names, err := d.Files(); err != nil || !slices.Equal(names, []string{checkpoint.Name}) {
		t.Errorf("%v are left, %v", names, err)
	}
}

// Wherever a bit of the file is flipped or the file is cut, it is refused by its name. Of a
// block's end that holds nothing, too, every byte counts.
func TestDamagedIsRefused(t *testing.T) {
	var disk faulty.FS
	kept(t, &disk, 1).Close()
	files := disk.Files()
	text := files[path]
	try := func(how string, at int, damaged []byte) {
		t.Helper()
		some := maps.Clone(files)
		some[path] = damaged
		var broken faulty.FS
		broken.SetFiles(some)
		for name, err := range map[string]error{
			"Look": func() error { _, err := checkpoint.Look(&broken, dir); return err }(),
			"Read": func() error { return read(&broken) }(),
		} {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Fatalf("byte %d %s: %s says %v", at, how, name, err)
			}
		}
	}
	for at := 0; at < len(text); at += 3 + at%5 {
		damaged := bytes.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		try("flipped", at, damaged)
	}
	for at := 0; at < len(text); at += storage.BlockSize / 4 {
		try("and all behind it cut off", at, text[:at])
	}
	try("and more", len(text), append(bytes.Clone(text), text[storage.BlockSize:]...))
	try("in which another file begins", 0, files[dir+"/states-1"])
}

func read(disk storage.FS) error {
	d, err := storage.Keep(disk, dir)
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = checkpoint.Read(d, &progress{})
	return err
}

// Without the file there is no checkpoint, whatever else is there: there is nothing to look at,
// and nothing to go on from.
func TestAbsentIsNoCheckpoint(t *testing.T) {
	var disk faulty.FS
	kept(t, &disk, 1).Close()
	files := disk.Files()
	delete(files, path)
	if len(files) == 0 {
		t.Fatal("there are no others")
	}
	disk.SetFiles(files)
	if h, err := checkpoint.Look(&disk, dir); h != nil || err != nil {
		t.Errorf("%v, %v", h, err)
	}
	if err := read(&disk); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("a search goes on from no checkpoint: %v", err)
	}
}

// A checkpoint of another check says in what it differs: each field that is another, that is
// missing, and that is too many.
func TestDiffers(t *testing.T) {
	f := func(pairs ...string) (fields []checkpoint.Field) {
		for i := 0; i < len(pairs); i += 2 {
			fields = append(fields, checkpoint.Field{Name: pairs[i], Value: pairs[i+1]})
		}
		return fields
	}
	for _, c := range []struct {
		is   []checkpoint.Field
		want string
	}{
		{f("protocol", "lock", "n", "3"), ""},
		{f("n", "3", "protocol", "lock"), ""},
		{f("protocol", "lock", "n", "4"), "its n is 3, not 4"},
		{f("protocol", "lock"), "its n is 3, not none"},
		{f("protocol", "lock", "n", "3", "ops", "2"), "its ops is not said, but 2 here"},
		{f("protocol", "lock", "n", "3", "ops", ""), "its ops is not said, but none here"},
		{f("protocol", "queue", "n", "4"), "its protocol is lock, not queue; its n is 3, not 4"},
	} {
		if got := header(1).Differs(c.is); got != c.want {
			t.Errorf("%v: %q, want %q", c.is, got, c.want)
		}
	}
}
