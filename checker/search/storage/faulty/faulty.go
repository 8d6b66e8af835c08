// Package faulty is a file system in memory for tests of storage: it lets any call fail, and the
// power go out after any.
//
// It keeps apart what was written and what was synced: a file's content is lost with the power
// unless the file was synced, and so is its name, unless its directory was.
package faulty

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"contend/checker/search/storage"
)

// A Fault is what becomes of a call.
type Fault int

const (
	None      Fault = iota // the call is served
	Full                   // there is no room, from this call on: what needs none still works
	Short                  // half is written, or read, and then it fails; the next call works again
	Refused                // nothing is done, and the next call works again
	PowerLost              // it is done, and nothing works until the restart
)

// String names the fault, for people.
func (f Fault) String() string {
	return [...]string{"none", "full", "short", "refused", "power lost"}[f]
}

// errPower is what calls come to while there is no power.
var errPower = errors.New("the power is out")

// FS is the file system. Its zero value is empty.
type FS struct {
	// At is the call that Fault befalls, from 1 on; 0: none.
	At    int
	Fault Fault

	mu        sync.Mutex
	calls     int
	full, out bool
	now, safe map[string]*content // by path: as it is, and as it is after the power went out
	locked    map[string]bool
	temporary int
	open      map[*file]bool
	log       []string
}

// content is that of a file: as it is, and as it was synced.
type content struct{ now, safe []byte }

// Calls is how many calls were made since the restart.
func (f *FS) Calls() int { f.mu.Lock(); defer f.mu.Unlock(); return f.calls }

// Call describes the n-th call.
func (f *FS) Call(n int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n > len(f.log) {
		return "none"
	}
	return f.log[n-1]
}

// Restart brings the power back: what was not synced is lost, and nothing is locked. With
// names, names were synced in time though contents were not.
func (f *FS) Restart(names bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if names {
		f.safe = f.now
	}
	old := f.safe
	f.now, f.safe = map[string]*content{}, map[string]*content{}
	for path, c := range old {
		kept := &content{slices.Clone(c.safe), slices.Clone(c.safe)}
		f.now[path], f.safe[path] = kept, kept
	}
	f.locked, f.full, f.out, f.calls, f.At, f.log = nil, false, false, 0, 0, nil
}

// Files are the contents of all files by path. What is changed in them is changed.
func (f *FS) Files() map[string][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[string][]byte{}
	for path, c := range f.now {
		all[path] = slices.Clone(c.now)
	}
	return all
}

// SetFiles replaces all files.
func (f *FS) SetFiles(files map[string][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now, f.safe, f.locked = map[string]*content{}, map[string]*content{}, nil
	for path, text := range files {
		c := &content{slices.Clone(text), slices.Clone(text)}
		f.now[path], f.safe[path] = c, c
	}
}

// call makes a call: it does what is to be done, wholly, by half, or not at all.
func (f *FS) call(op, path string, needsRoom bool, do func(half bool) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now == nil {
		f.now, f.safe = map[string]*content{}, map[string]*content{}
	}
	f.calls++
	f.log = append(f.log, op+" "+path)
	failed := func(err error) error { return &fs.PathError{Op: op, Path: path, Err: err} }
	if f.out {
		return failed(errPower)
	}
	fault := None
	if f.calls == f.At {
		fault = f.Fault
	}
	f.full = f.full || fault == Full
	switch {
	case fault == Refused:
		return failed(syscall.EIO)
	case fault == Short:
		return failed(errors.Join(do(true), syscall.ENOSPC))
	case f.full && needsRoom:
		return failed(syscall.ENOSPC)
	}
	err := do(false)
	f.out = fault == PowerLost
	if err != nil {
		return failed(err)
	}
	return nil
}

// MkdirAll does nothing: directories are there when files are.
func (f *FS) MkdirAll(dir string) error {
	return f.call("mkdir", dir, true, func(bool) error { return nil })
}

// MkdirTemp names a new directory.
func (f *FS) MkdirTemp() (dir string, err error) {
	err = f.call("mkdir", "temporary", true, func(bool) error {
		f.temporary++
		dir = fmt.Sprint("/tmp/", f.temporary)
		return nil
	})
	return dir, err
}

// Create makes a file.
func (f *FS) Create(path string) (storage.File, error) {
	c := &content{}
	err := f.call("create", path, true, func(half bool) error {
		if !half {
			f.now[path] = c
		}
		return nil
	})
	return f.opened(&file{f, path, c}, err)
}

// Open opens a file.
func (f *FS) Open(path string) (storage.File, error) {
	var c *content
	err := f.call("open", path, false, func(bool) error {
		if c = f.now[path]; c == nil {
			return fs.ErrNotExist
		}
		return nil
	})
	return f.opened(&file{f, path, c}, err)
}

// opened is what comes of opening a file.
func (f *FS) opened(o *file, err error) (storage.File, error) {
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		f.open = map[*file]bool{}
	}
	f.open[o] = true
	return o, nil
}

// OpenFiles returns the paths of the open files, each as often as it is open.
func (f *FS) OpenFiles() (paths []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for o := range f.open {
		paths = append(paths, o.path)
	}
	slices.Sort(paths)
	return paths
}

// Rename puts a file in the place of another.
func (f *FS) Rename(from, to string) error {
	return f.call("rename", to, true, func(half bool) error {
		if f.now[from] == nil {
			return fs.ErrNotExist
		}
		if !half {
			f.now[to] = f.now[from]
			delete(f.now, from)
		}
		return nil
	})
}

// Remove removes a file.
func (f *FS) Remove(path string) error {
	return f.call("remove", path, false, func(half bool) error {
		if !half {
			delete(f.now, path)
		}
		return nil
	})
}

// List names what is in a directory.
func (f *FS) List(dir string) (names []string, err error) {
	err = f.call("list", dir, false, func(bool) error {
		for path := range f.now {
			if name, ok := strings.CutPrefix(path, dir+"/"); ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return nil
	})
	return names, err
}

// SyncDir makes the names in a directory safe.
func (f *FS) SyncDir(dir string) error {
	return f.call("sync", dir, true, func(half bool) error {
		if half {
			return nil
		}
		for path := range f.safe {
			if filepath.Dir(path) == dir {
				delete(f.safe, path)
			}
		}
		for path, c := range f.now {
			if filepath.Dir(path) == dir {
				f.safe[path] = c
			}
		}
		return nil
	})
}

// Lock locks a file.
func (f *FS) Lock(path string) (io.Closer, error) {
	err := f.call("lock", path, true, func(half bool) error {
		if f.locked[path] {
			return storage.ErrLocked
		}
		if f.locked == nil {
			f.locked = map[string]bool{}
		}
		f.locked[path] = !half
		return nil
	})
	return unlocker{f, path}, err
}

type unlocker struct {
	of   *FS
	path string
}

// Close unlocks.
func (u unlocker) Close() error {
	u.of.mu.Lock()
	defer u.of.mu.Unlock()
	delete(u.of.locked, u.path)
	return nil
}

// file is one that is open; its content stays when its name is gone.
type file struct {
	of      *FS
	path    string
	content *content
}

func (o *file) ReadAt(p []byte, at int64) (n int, err error) {
	err = o.of.call("read", o.path, false, func(half bool) error {
		if half {
			p = p[:len(p)/2]
		}
		if n = copy(p, o.content.now[min(at, int64(len(o.content.now))):]); n < len(p) {
			return io.EOF
		}
		return nil
	})
	return n, err
}

func (o *file) WriteAt(p []byte, at int64) (n int, err error) {
	err = o.of.call("write", o.path, true, func(half bool) error {
		if half {
			p = p[:len(p)/2]
		}
		c := o.content
		if grow := at + int64(len(p)) - int64(len(c.now)); grow > 0 {
			c.now = append(c.now, make([]byte, grow)...)
		}
		n = copy(c.now[at:], p)
		return nil
	})
	return n, err
}

func (o *file) Size() (n int64, err error) {
	err = o.of.call("stat", o.path, false, func(bool) error { n = int64(len(o.content.now)); return nil })
	return n, err
}

func (o *file) Sync() error {
	return o.of.call("fsync", o.path, true, func(half bool) error {
		if !half {
			o.content.safe = slices.Clone(o.content.now)
		}
		return nil
	})
}

// Close closes a file.
func (o *file) Close() error {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	delete(o.of.open, o)
	return nil
}
