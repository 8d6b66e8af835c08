package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// session keeps a file of eighteen blocks in a directory, and reads it again under another name.
func session(disk storage.FS, dir string) error {
	d, err := storage.Keep(disk, dir)
	if err != nil {
		return err
	}
	defer d.Close()
	b, err := d.Create("states", true)
	if err != nil {
		return err
	}
	text := bytes.Repeat([]byte{7}, 17*storage.BlockHolds+1)
	if _, err := b.Append(text); err != nil {
		return err
	}
	p := make([]byte, len(text))
	if err := b.Read(0, p, new([]byte)); err != nil {
		return err
	}
	ref := b.Ref()
	for _, do := range []func() error{b.Sync, b.Close, func() error { return d.Replace(b, "checkpoint-1") }, d.Sync} {
		if err := do(); err != nil {
			return err
		}
	}
	names, err := d.Files()
	if err != nil {
		return err
	}
	if ref.Name = "checkpoint-1"; !slices.Equal(names, []string{ref.Name}) {
		return fmt.Errorf("there are %v", names)
	}
	again, err := d.Open("states", ref)
	if err != nil {
		return err
	}
	if err := again.Read(0, p, new([]byte)); err != nil || !bytes.Equal(p, text) {
		return errors.Join(err, fmt.Errorf("read is something else"))
	}
	return again.Close()
}

// Whichever call fails, the error names it and its file, and is of what failed; and a file that could not be
// begun is gone.
func TestErrorsNameTheCall(t *testing.T) {
	var whole faulty.FS
	if err := session(&whole, dir); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(t.TempDir(), "kept")
	if err := session(storage.OS{}, kept); err != nil {
		t.Error("on the system's disk:", err)
	}
	ops := map[string]string{"stat": "read", "mkdir": "make", "fsync": "sync"}
	seen := map[string]bool{}
	for at := 1; at <= whole.Calls(); at++ {
		word, path, _ := strings.Cut(whole.Call(at), " ")
		disk := faulty.FS{At: at, Fault: faulty.Refused}
		err := session(&disk, dir)
		if at == whole.Calls() && err == nil { // the lock's end, which is not told
			continue
		}
		var failed *storage.Error
		if !errors.As(err, &failed) {
			t.Errorf("call %d, %s: %v", at, whole.Call(at), err)
			continue
		}
		op := word
		if other, is := ops[word]; is {
			op = other
		}
		if word == "rename" {
			path = dir + "/checkpoint-1"
		}
		seen[word] = true
		if damage := (storage.Damage{}); errors.As(err, &damage) {
			t.Errorf("call %d, %s: the file is said to be damaged: %v", at, whole.Call(at), err)
		}
		if failed.Op != op || !strings.HasPrefix(path, failed.Path) || failed.Err == nil || strings.Count(err.Error(), failed.Path) != 1 {
			t.Errorf("call %d, %s: the error is of %s %s: %v", at, whole.Call(at), failed.Op, failed.Path, err)
		}
		if left := disk.Files(); word == "write" && at < 5 && len(left) > 1 {
			t.Errorf("call %d, %s: %d files are left", at, whole.Call(at), len(left))
		}
	}
	for _, op := range []string{"mkdir", "lock", "create", "write", "read", "stat", "fsync", "sync", "rename", "list", "open"} {
		if !seen[op] {
			t.Errorf("no call to %s failed", op)
		}
	}
}

// stuck is a file system whose files do not close.
type stuck struct{ storage.FS }

type stuckFile struct{ storage.File }

func (s stuck) Create(path string) (storage.File, error) {
	f, err := s.FS.Create(path)
	return stuckFile{f}, err
}

func (s stuckFile) Close() error { return errors.New("stuck") }

// held is a file system that removes nothing while it is held.
type held struct {
	*faulty.FS
	is *bool
}

func (h held) Remove(path string) error {
	if *h.is {
		return errors.New("held")
	}
	return h.FS.Remove(path)
}

// What cannot be removed while it is open is removed in the end, with its directory.
func TestFilesThatAreHeld(t *testing.T) {
	var disk faulty.FS
	is := true
	d := storage.Temporary(held{&disk, &is})
	for range 3 {
		b, err := d.Create("layer", false)
		if err != nil {
			t.Fatal(err)
		}
		_ = b.Close()
	}
	if len(disk.Files()) != 3 || d.Path() == "" {
		t.Errorf("%d files are held, in %q", len(disk.Files()), d.Path())
	}
	made := 0
	for at := range disk.Calls() {
		if strings.HasPrefix(disk.Call(at+1), "mkdir") {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d directories are made, and one is used", made)
	}
	is = false
	before, path := disk.Calls(), d.Path()
	d.Close()
	if left := disk.Files(); len(left) > 0 || disk.Calls() != before+4 || disk.Call(before+4) != "remove "+path {
		t.Errorf("%v are left; the last call is %s", left, disk.Call(disk.Calls()))
	}
}

// That a file does not close is told.
func TestFilesThatDoNotClose(t *testing.T) {
	d, err := storage.Keep(stuck{&faulty.FS{}}, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	b, err := d.Create("states", true)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err == nil || err.Error() != "close /kept/states-1: stuck" {
		t.Errorf("%v", err)
	}
}

// A temporary directory goes with its first file, and is made again for the next; where neither can be
// removed, both go in the end.
func TestTemporaryDirectoriesGo(t *testing.T) {
	for name, files := range map[string]int{"one": 1, "three": 3} {
		var whole faulty.FS
		use := func(disk *faulty.FS) error {
			d := storage.Temporary(disk)
			defer d.Close()
			for range files {
				b, err := d.Create("layer", false)
				if err != nil {
					return err
				}
				if err := b.Close(); err != nil {
					return err
				}
			}
			return nil
		}
		if err := use(&whole); err != nil {
			t.Fatal(name, err)
		}
		if left := whole.Files(); len(left) > 0 {
			t.Errorf("%s: %v are left", name, left)
		}
		for at := range whole.Calls() {
			word, path, _ := strings.Cut(whole.Call(at+1), " ")
			if want := []string{"mkdir", "create", "write", "remove", "remove"}[at%5]; word != want || word == "create" && filepath.Dir(path) == "." {
				t.Errorf("%s: call %d is %s, want %s", name, at+1, whole.Call(at+1), want)
			}
		}
		for at := 1; at <= whole.Calls(); at++ {
			word, _, _ := strings.Cut(whole.Call(at), " ")
			disk := faulty.FS{At: at, Fault: faulty.Refused}
			err := use(&disk)
			if (err != nil) != (word != "remove") {
				t.Errorf("%s: call %d, %s: %v", name, at, whole.Call(at), err)
			}
			if left := disk.Files(); len(left) > 0 {
				t.Errorf("%s: call %d, %s: %v are left", name, at, whole.Call(at), left)
			}
		}
	}
	var disk faulty.FS
	d := storage.Temporary(&disk)
	if d.Path() != "" {
		t.Errorf("before the first file the directory is %q", d.Path())
	}
	disk.At, disk.Fault = 1, faulty.Refused
	if _, err := d.Create("layer", false); err == nil || err.Error()[:5] != "make " {
		t.Errorf("no directory: %v", err)
	}
}

// A kept directory's files keep their names; those that are not for keeping have none.
func TestFilesThatAreNotForKeeping(t *testing.T) {
	var disk faulty.FS
	d, err := storage.Keep(&disk, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []bool{true, false} {
		b, err := d.Create("states", keep)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%s/states-%d", dir, d.Next()); b.Path() != want {
			t.Errorf("for keeping %v: it is at %s, not at %s", keep, b.Path(), want)
		}
		if names, err := d.Files(); err != nil || !slices.Equal(names, []string{"states-1"}) || d.Path() != dir {
			t.Errorf("for keeping %v: %v, %v, in %s", keep, names, err, d.Path())
		}
		_ = b.Close()
	}
	d.Close()
	if _, ok := disk.Files()[dir+"/states-1"]; !ok {
		t.Error("a file that is kept is gone with its search")
	}
}

// What is known of a file by its name alone is read whatever its number and length; less than a block, or no
// number of blocks, is refused; and so is a read from the end on, of nothing written there.
func TestFilesKnownByName(t *testing.T) {
	files, ref, text := written(t)
	path := dir + "/" + ref.Name
	for _, c := range []struct {
		cut  int
		ref  storage.Ref
		want string
	}{
		{0, storage.Ref{Name: ref.Name}, ""},
		{storage.BlockSize, storage.Ref{Name: ref.Name}, "it ends before block 4"},
		{storage.BlockSize, ref, "it is 16384 bytes long, but was written with 20480"},
		{4*storage.BlockSize + 1, storage.Ref{Name: ref.Name}, "it ends before its first block does"},
		{5 * storage.BlockSize, ref, "it ends before its first block does"},
		{4 * storage.BlockSize, storage.Ref{Name: ref.Name}, "it ends before block 4"},
		{1, ref, "it is 20479 bytes long, which is no number of blocks"},
		{0, storage.Ref{Name: ref.Name, ID: ref.ID + 2, Blocks: ref.Blocks}, "it is another file than the one that was written"},
	} {
		some := map[string][]byte{path: files[path][:len(files[path])-c.cut]}
		_, err := reread(some, c.ref, len(text))
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%d bytes less, by %+v: %v, want %q", c.cut, c.ref, err, c.want)
		}
	}
}

// A file of one kind is none of another, though their names are as long and nothing else tells of it.
func TestKindsOfFiles(t *testing.T) {
	files, ref, _ := written(t)
	var disk faulty.FS
	disk.SetFiles(files)
	if _, err := storage.Open(&disk, dir, "staves", storage.Ref{Name: ref.Name}); err == nil || !strings.HasSuffix(err.Error(), "it is not a file of staves, or of another version") {
		t.Errorf("%v", err)
	}
}

// Every block tells its place among many, and one read goes to the end of what is there.
func TestPlacesOfManyBlocks(t *testing.T) {
	var disk faulty.FS
	d := storage.Temporary(&disk)
	defer d.Close()
	b, err := d.Create("states", false)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for k := range 40 {
		if first, err := b.Append([]byte{byte(k)}); err != nil || first != int64(k) || b.Len() != int64(k+1) {
			t.Fatal(first, err)
		}
	}
	buffer := make([]byte, storage.BlockSize)
	was := &buffer[0]
	for k := range int64(40) {
		p := []byte{99}
		if err := b.Read(k, p, &buffer); err != nil || p[0] != byte(k) || &buffer[0] != was || !bytes.Contains(buffer, []byte{1, 0, 0, 0, byte(k)}) {
			t.Errorf("block %d: %v, %v; in the same buffer: %v, %v", k, p, err, &buffer[0] == was, buffer[:20])
		}
	}
	full := bytes.Repeat([]byte{5}, storage.BlockHolds)
	last := make([]byte, len(full))
	if _, err := b.Append(full); err != nil || b.Read(40, last, &buffer) != nil || !bytes.Equal(last, full) {
		t.Error("a full block at the end:", err)
	}
	before := disk.Calls()
	if _, err := b.Append(make([]byte, 17*storage.BlockHolds)); err != nil || disk.Calls() != before+2 {
		t.Errorf("seventeen blocks take %d calls, of at most sixteen each; %v", disk.Calls()-before, err)
	}
	for _, k := range []int64{58, 59} {
		if err := b.Read(k, []byte{1}, &buffer); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("it ends before block %d", k+1)) {
			t.Errorf("block %d: %v", k, err)
		}
	}
}

// What could not be written is no part of a file: the next bytes take its place.
func TestWritingGoesOn(t *testing.T) {
	for _, fault := range []faulty.Fault{faulty.Refused, faulty.Short} {
		var disk faulty.FS
		d := storage.Temporary(&disk)
		b, err := d.Create("states", false)
		if err != nil {
			t.Fatal(err)
		}
		disk.At, disk.Fault = disk.Calls()+1, fault
		if _, err := b.Append(make([]byte, 3*storage.BlockHolds)); err == nil || b.Len() != 0 {
			t.Errorf("%v: %d blocks are there, %v", fault, b.Len(), err)
		}
		p := make([]byte, 4)
		if first, err := b.Append([]byte("here")); err != nil || first != 0 || b.Read(0, p, new([]byte)) != nil || string(p) != "here" {
			t.Errorf("%v: behind it, at block %d, is %q, %v", fault, first, p, err)
		}
		_ = b.Close()
		d.Close()
	}
}

// The system's directories list all that they hold, can be entered, and what is not there is an error.
func TestFilesOfTheSystem(t *testing.T) {
	fs, at := storage.OS{}, t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		f, err := fs.Create(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		if size, err := f.Size(); err == nil || size != 0 {
			t.Errorf("a closed file has %d bytes", size)
		}
	}
	if names, err := fs.List(at); err != nil || !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("%v, %v", names, err)
	}
	inner := filepath.Join(at, "d", "e")
	if err := fs.MkdirAll(inner); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(at, "f"), 0o777); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(inner); err != nil || info.Mode() != mode(t, filepath.Join(at, "f")) {
		t.Errorf("the directory is %v, %v", info.Mode(), err)
	}
	lock, err := fs.Lock(filepath.Join(at, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(at, "lock")); err != nil || info.Mode().Perm()&0o600 != 0o600 || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("the lock is %v, %v", info.Mode(), err)
	}
	_ = lock.Close()
	d, err := storage.Keep(fs, inner)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := d.Files(); err != nil || len(names) > 0 {
		t.Errorf("in a directory that is locked there are %v, %v", names, err)
	}
	b, err := d.Create("states", true)
	if err != nil || b.Close() != nil {
		t.Fatal(err)
	}
	if names, err := fs.List(filepath.Dir(inner)); err != nil || !slices.Equal(names, []string{"e"}) {
		t.Errorf("beside a directory that is locked there are %v, %v", names, err)
	}
	d.Forget()
	if names, err := fs.List(filepath.Dir(inner)); err != nil || len(names) > 0 {
		t.Errorf("a search that came to its end leaves %v, %v", names, err)
	}
	if _, err := fs.Lock(filepath.Join(at, "none", "lock")); err == nil || errors.Is(err, storage.ErrLocked) {
		t.Errorf("a lock where there is no directory: %v", err)
	}
	if err := fs.SyncDir(filepath.Join(at, "none")); err == nil {
		t.Error("what is not there is synced")
	}
	name, err := fs.MkdirTemp()
	if err != nil || fs.Remove(name) != nil {
		t.Errorf("a temporary directory: %q, %v", name, err)
	}
	_, err = storage.Open(fs, at, "states", storage.Ref{Name: "none"})
	var failed *storage.Error
	if !errors.As(err, &failed) || strings.Count(err.Error(), filepath.Join(at, "none")) != 1 {
		t.Errorf("the error names its file twice, or not: %v", err)
	}
}

// mode is that of a file.
func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}
