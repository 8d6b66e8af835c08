package faulty

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"syscall"
	"testing"

	"contend/checker/search/storage"
)

// create makes a file with a text; what it does not sync, the power takes.
func create(t *testing.T, f *FS, path, text string) storage.File {
	t.Helper()
	file, err := f.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, text)
	return file
}

func write(t *testing.T, file storage.File, text string) {
	t.Helper()
	if n, err := file.WriteAt([]byte(text), 0); n != len(text) || err != nil {
		t.Fatal(n, err)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// there lists files with their texts.
func there(f *FS) map[string]string {
	all := map[string]string{}
	for path, text := range f.Files() {
		all[path] = string(text)
	}
	return all
}

type files = map[string]string

// What the power leaves: contents that were synced, under names whose directory was. With names,
// the names are those of the last moment, and the contents those that were synced all the same.
func TestPowerTakesWhatIsNotSynced(t *testing.T) {
	for _, c := range []struct {
		what            string
		do              func(f *FS)
		left, leftNamed files
	}{
		{"nothing is synced", func(f *FS) { create(t, f, "/d/a", "new") },
			files{}, files{"/d/a": ""}},
		{"the content, not the name", func(f *FS) { must(t, create(t, f, "/d/a", "new").Sync()) },
			files{}, files{"/d/a": "new"}},
		{"the name, not the content", func(f *FS) { create(t, f, "/d/a", "new"); must(t, f.SyncDir("/d")) },
			files{"/d/a": ""}, files{"/d/a": ""}},
		{"both", func(f *FS) { must(t, create(t, f, "/d/a", "new").Sync(), f.SyncDir("/d")) },
			files{"/d/a": "new"}, files{"/d/a": "new"}},
		{"both, and then written over", func(f *FS) {
			file := create(t, f, "/d/a", "new")
			must(t, file.Sync(), f.SyncDir("/d"))
			write(t, file, "newer")
		}, files{"/d/a": "new"}, files{"/d/a": "new"}},
		{"another directory", func(f *FS) { must(t, create(t, f, "/d/a", "new").Sync(), f.SyncDir("/")) },
			files{}, files{"/d/a": "new"}},
		{"made again", func(f *FS) {
			must(t, create(t, f, "/d/a", "old").Sync(), f.SyncDir("/d"))
			create(t, f, "/d/a", "new")
		}, files{"/d/a": "old"}, files{"/d/a": ""}},
		{"removed", func(f *FS) {
			must(t, create(t, f, "/d/a", "old").Sync(), f.SyncDir("/d"), f.Remove("/d/a"))
		}, files{"/d/a": "old"}, files{}},
		{"removed, and the directory synced", func(f *FS) {
			must(t, create(t, f, "/d/a", "old").Sync(), f.SyncDir("/d"), f.Remove("/d/a"), f.SyncDir("/d"))
		}, files{}, files{}},
		{"renamed over another", func(f *FS) {
			must(t, create(t, f, "/d/a", "old").Sync(), f.SyncDir("/d"))
			must(t, create(t, f, "/d/b", "new").Sync(), f.Rename("/d/b", "/d/a"))
		}, files{"/d/a": "old"}, files{"/d/a": "new"}},
		{"renamed over another, and the directory synced", func(f *FS) {
			must(t, create(t, f, "/d/a", "old").Sync(), f.SyncDir("/d"))
			must(t, create(t, f, "/d/b", "new").Sync(), f.Rename("/d/b", "/d/a"), f.SyncDir("/d"))
		}, files{"/d/a": "new"}, files{"/d/a": "new"}},
	} {
		for named, want := range map[bool]files{false: c.left, true: c.leftNamed} {
			var f FS
			c.do(&f)
			f.Restart(named)
			if got := there(&f); !maps.Equal(got, want) {
				t.Errorf("%s, names kept %v: %v are left, want %v", c.what, named, got, want)
			}
			f.Restart(false) // and what is left is safe
			if got := there(&f); !maps.Equal(got, want) {
				t.Errorf("%s, names kept %v: %v are left after a second time, want %v", c.what, named, got, want)
			}
		}
	}
}

// What each fault makes of a call that writes "abcd" over "....", and of the calls after it.
func TestFaultsOfAWrite(t *testing.T) {
	for _, c := range []struct {
		fault         Fault
		err           error // of the call; nil: none
		n             int
		text          string
		reads, writes error // of the calls that come next
	}{
		{None, nil, 4, "abcd", nil, nil},
		{Full, syscall.ENOSPC, 0, "....", nil, syscall.ENOSPC},
		{Short, syscall.ENOSPC, 2, "ab..", nil, nil},
		{Refused, syscall.EIO, 0, "....", nil, nil},
		{PowerLost, nil, 4, "abcd", errPower, errPower},
	} {
		f := FS{At: 3, Fault: c.fault}
		file := create(t, &f, "/a", "....")
		n, err := file.WriteAt([]byte("abcd"), 0)
		if n != c.n || !errors.Is(err, c.err) || there(&f)["/a"] != c.text {
			t.Errorf("%v: %d bytes are written, %v, and the file is %q; want %d, %v, %q", c.fault, n, err, there(&f)["/a"], c.n, c.err, c.text)
		}
		if named := (*fs.PathError)(nil); err != nil && (!errors.As(err, &named) || named.Path != "/a" || named.Op != "write") {
			t.Errorf("%v: the error does not name the call and the file: %v", c.fault, err)
		}
		if _, err := file.ReadAt(make([]byte, 4), 0); !errors.Is(err, c.reads) {
			t.Errorf("%v: the next read: %v, want %v", c.fault, err, c.reads)
		}
		if _, err := file.WriteAt([]byte("x"), 0); !errors.Is(err, c.writes) {
			t.Errorf("%v: the next write: %v, want %v", c.fault, err, c.writes)
		}
		if f.Restart(true); !slices.Equal(f.Files()["/a"], nil) {
			t.Errorf("%v: %q was not synced, and is there", c.fault, f.Files()["/a"])
		}
		if _, err := f.Create("/b"); err != nil {
			t.Errorf("%v: after the restart: %v", c.fault, err)
		}
	}
}

// calls are all that can be done with a file /d/a that is open, by the name that a call has in
// the log; room says which need room on the disk.
var calls = []struct {
	name string
	room bool
	do   func(f *FS, open storage.File) error
}{
	{"mkdir /d", true, func(f *FS, _ storage.File) error { return f.MkdirAll("/d") }},
	{"mkdir temporary", true, func(f *FS, _ storage.File) error { _, err := f.MkdirTemp(); return err }},
	{"create /d/b", true, func(f *FS, _ storage.File) error { _, err := f.Create("/d/b"); return err }},
	{"open /d/a", false, func(f *FS, _ storage.File) error { _, err := f.Open("/d/a"); return err }},
	{"rename /d/c", true, func(f *FS, _ storage.File) error { return f.Rename("/d/a", "/d/c") }},
	{"remove /d/a", false, func(f *FS, _ storage.File) error { return f.Remove("/d/a") }},
	{"list /d", false, func(f *FS, _ storage.File) error { _, err := f.List("/d"); return err }},
	{"sync /d", true, func(f *FS, _ storage.File) error { return f.SyncDir("/d") }},
	{"lock /d/lock", true, func(f *FS, _ storage.File) error { _, err := f.Lock("/d/lock"); return err }},
	{"read /d/a", false, func(_ *FS, open storage.File) error { _, err := open.ReadAt(make([]byte, 2), 0); return err }},
	{"write /d/a", true, func(_ *FS, open storage.File) error { _, err := open.WriteAt([]byte("new!"), 0); return err }},
	{"stat /d/a", false, func(_ *FS, open storage.File) error { _, err := open.Size(); return err }},
	{"fsync /d/a", true, func(_ *FS, open storage.File) error { return open.Sync() }},
}

// A test that goes through all calls has to know that each is among them.
func TestEveryCallIsListed(t *testing.T) {
	methods := 0
	for _, of := range []reflect.Type{reflect.TypeFor[storage.FS](), reflect.TypeFor[storage.File]()} {
		methods += of.NumMethod()
	}
	if len(calls) != methods-1 { // Close is none that can fail
		t.Errorf("%d calls are listed, but %d methods can fail", len(calls), methods-1)
	}
}

// The n-th call, and no other, is hit, whichever it is; it is in the log by its name. Short and
// refused it changes no name, and what needs no room works on a full disk.
func TestTheNthCallIsHit(t *testing.T) {
	for _, c := range calls {
		for _, fault := range []Fault{None, Full, Short, Refused, PowerLost} {
			name := fmt.Sprint(c.name, ", ", fault)
			var f FS
			open := create(t, &f, "/d/a", "old")
			must(t, open.Sync(), f.SyncDir("/d"))
			f.At, f.Fault = f.Calls()+1, fault
			before := there(&f)
			err := c.do(&f, open)
			if fails := fault == Short || fault == Refused || fault == Full && c.room; (err != nil) != fails {
				t.Errorf("%s: %v", name, err)
			}
			if f.Call(f.At) != c.name || f.Calls() != f.At || f.Call(f.At+1) != "none" {
				t.Errorf("%s: call %d of %d is %q", name, f.At, f.Calls(), f.Call(f.At))
			}
			if err != nil && c.name != "write /d/a" && !maps.Equal(there(&f), before) {
				t.Errorf("%s: it failed, and left %v of %v", name, there(&f), before)
			}
			if _, err := f.List("/d"); (err != nil) != (fault == PowerLost) {
				t.Errorf("%s: the call after it: %v", name, err)
			}
			f.Restart(false)
			if got := there(&f); f.Calls() != 0 || c.name != "sync /d" && !maps.Equal(got, files{"/d/a": "old"}) {
				t.Errorf("%s: after the restart there are %v, and %d calls", name, got, f.Calls())
			}
		}
	}
}

// A lock is held until it is closed or the power went out, and by one alone.
func TestLocks(t *testing.T) {
	var f FS
	first, err := f.Lock("/lock")
	must(t, err)
	if _, err := f.Lock("/lock"); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("it is locked twice: %v", err)
	}
	if _, err := f.Lock("/other"); err != nil {
		t.Error(err)
	}
	must(t, first.Close())
	if _, err := f.Lock("/lock"); err != nil {
		t.Errorf("it was unlocked: %v", err)
	}
	if f.Restart(true); f.locked != nil {
		t.Errorf("%v are locked after the power went out", f.locked)
	}
}

// Files are as one knows them: what is open stays when its name is gone, a file that is not there
// is not, one can write beyond the end and not read beyond it, and a list is sorted.
func TestFiles(t *testing.T) {
	var f FS
	f.SetFiles(map[string][]byte{"/d/b": []byte("b"), "/d/a": []byte("a"), "/e/c": []byte("c")})
	if names, err := f.List("/d"); err != nil || !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("listed %v, %v", names, err)
	}
	many := map[string][]byte{}
	for k := range 9 {
		many[fmt.Sprint("/d/", k)] = nil
	}
	var other FS
	other.SetFiles(many)
	if names, err := other.List("/d"); err != nil || len(names) != 9 || !slices.IsSorted(names) {
		t.Errorf("listed %v, %v", names, err)
	}
	open, err := f.Open("/d/a")
	must(t, err, f.Remove("/d/a"))
	b := make([]byte, 2)
	if n, err := open.ReadAt(b, 0); n != 1 || err == nil || !errors.Is(err, io.EOF) || b[0] != 'a' {
		t.Errorf("read %q, %v", b[:n], err)
	}
	if n, err := open.WriteAt([]byte("z"), 3); n != 1 || err != nil {
		t.Error(n, err)
	}
	if n, err := open.Size(); n != 4 || err != nil {
		t.Errorf("its size is %d, %v", n, err)
	}
	for what, err := range map[string]error{"open": second(f.Open("/d/a")), "rename": f.Rename("/d/a", "/d/c")} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of a file that is not there: %v", what, err)
		}
	}
	if d, err := f.MkdirTemp(); err != nil || d == "" || d == first(f.MkdirTemp()) {
		t.Errorf("a temporary directory is %q, %v", d, err)
	}
	f.Files()["/d/b"][0] = 'x'
	if got := there(&f); !maps.Equal(got, files{"/d/b": "b", "/e/c": "c"}) {
		t.Errorf("there are %v", got)
	}
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }
