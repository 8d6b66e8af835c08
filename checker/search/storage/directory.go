package storage

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Directory holds the files of one search. Temporary files have no names: Create removes the name of a file,
// and the directory made for it, at once. The system deletes such a file when it is closed or when the process
// is killed. Create may be called concurrently.
type Directory struct {
	FS        FS
	mu        sync.Mutex
	path      string
	keep      bool
	lock      io.Closer
	next      int
	undeleted []string // files that could not be removed while open
}

// lockFile is the name of the file that is locked while a search uses a directory.
const lockFile = "lock"

// Temporary returns a directory for temporary files.
func Temporary(fs FS) *Directory { return &Directory{FS: fs} }

// Keep creates a directory for files that outlast the process, and locks it. If another search uses the
// directory, the error wraps [ErrLocked].
func Keep(fs FS, path string) (*Directory, error) {
	if err := fs.MkdirAll(path); err != nil {
		return nil, callError("make", path, err)
	}
	lock, err := fs.Lock(filepath.Join(path, lockFile))
	if err != nil {
		return nil, callError("lock", path, err)
	}
	return &Directory{FS: fs, path: path, keep: true, lock: lock}, nil
}

// Path returns the path of the directory. For temporary files it is the last path, or "".
func (d *Directory) Path() string { return d.path }

// Next returns the number of the last created file.
func (d *Directory) Next() int { return d.next }

// SetNext sets the number of the last created file.
func (d *Directory) SetNext(next int) { d.next = next }

// Create creates a file of a kind. The file has no name unless keep is set and the directory keeps files.
func (d *Directory) Create(kind string, keep bool) (*Blocks, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" {
		dir, err := d.FS.MkdirTemp()
		if err != nil {
			return nil, callError("make", "a directory for files of the search", err)
		}
		d.path = dir
	}
	d.next++
	path := filepath.Join(d.path, fmt.Sprintf("%s-%d", kind, d.next))
	b, err := create(d.FS, path, kind)
	if err == nil && !(keep && d.keep) {
		d.removeName(path)
	}
	return b, err
}

// removeName removes the name of an open file, and the directory that was created for it. Then nothing remains
// if the process is killed. Where the system cannot remove an open file, both remain until Close.
func (d *Directory) removeName(path string) {
	if d.FS.Remove(path) != nil {
		d.undeleted = append(d.undeleted, path)
	} else if !d.keep && d.FS.Remove(d.path) == nil {
		d.path = ""
	}
}

// Replace renames a closed file, and replaces the file with this name.
func (d *Directory) Replace(b *Blocks, name string) error {
	path := filepath.Join(d.path, name)
	return callError("rename", path, d.FS.Rename(b.path, path))
}

// Open opens an existing file for reading.
func (d *Directory) Open(kind string, ref Ref) (*Blocks, error) {
	return Open(d.FS, d.path, kind, ref)
}

// isSearchFile reports whether a search creates files with a name.
func isSearchFile(name string) bool {
	kind, _, _ := strings.Cut(name, "-")
	return kind == "states" || kind == "layer" || kind == "checkpoint" || kind == lockFile
}

// Files returns the names of the search's files in the directory. Other files are an error.
func (d *Directory) Files() (names []string, err error) {
	all, err := d.FS.List(d.path)
	if err != nil {
		return nil, callError("list", d.path, err)
	}
	for _, name := range all {
		switch {
		case !isSearchFile(name):
			return nil, &Error{"use", d.path, fmt.Errorf("it holds %s, which is no file of a search", name)}
		case name != lockFile:
			names = append(names, name)
		}
	}
	return names, nil
}

// Clear removes the search's files except but. It ignores errors: the next checkpoint tries again.
func (d *Directory) Clear(but ...string) {
	names, _ := d.Files()
	for _, name := range names {
		if !slices.Contains(but, name) {
			_ = d.FS.Remove(filepath.Join(d.path, name))
		}
	}
}

// Sync returns after all creations and renames in the directory are durable.
func (d *Directory) Sync() error { return callError("sync", d.path, d.FS.SyncDir(d.path)) }

// Close unlocks a directory from Keep, and removes a temporary directory.
func (d *Directory) Close() {
	if d.keep {
		_ = d.lock.Close()
		return
	}
	for _, path := range d.undeleted {
		_ = d.FS.Remove(path)
	}
	if d.path != "" {
		_ = d.FS.Remove(d.path)
	}
}

// Forget removes a directory with its files, after the end of its search.
func (d *Directory) Forget() {
	d.Clear()
	_ = d.FS.Remove(filepath.Join(d.path, lockFile))
	_ = d.FS.Remove(d.path)
}
