package storage

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Directory is where the files of one search are. Unless they are to be kept it is made for each of
// them, and goes again: a file has no name then, and is gone when it is closed, or when the
// process is killed.
type Directory struct {
	FS   FS
	mu   sync.Mutex
	path string
	keep bool
	lock io.Closer
	next int
	left []string // files that could not be removed while they were open
}

// lockFile is locked while a search uses a directory.
const lockFile = "lock"

// Temporary is a directory for files that are not kept.
func Temporary(fs FS) *Directory { return &Directory{FS: fs} }

// Keep makes a directory for files that are kept, and locks it.
func Keep(fs FS, path string) (*Directory, error) {
	if err := fs.MkdirAll(path); err != nil {
		return nil, failed("make", path, err)
	}
	lock, err := fs.Lock(filepath.Join(path, lockFile))
	if err != nil {
		return nil, failed("lock", path, err)
	}
	return &Directory{FS: fs, path: path, keep: true, lock: lock}, nil
}

// Kept reports whether the files are kept.
func (d *Directory) Kept() bool { return d.keep }

// Path is where the directory is; of one that is not kept, where it was made last, or "".
func (d *Directory) Path() string { return d.path }

// Next is the number of the next file.
func (d *Directory) Next() int { return d.next }

// GoOn continues with the number of the next file.
func (d *Directory) GoOn(next int) { d.next = next }

// Create makes a file of a kind; one that is not for keeping has no name.
func (d *Directory) Create(kind string, keep bool) (*Blocks, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" {
		dir, err := d.FS.MkdirTemp()
		if err != nil {
			return nil, failed("make", "a directory for files of the search", err)
		}
		d.path = dir
	}
	d.next++
	path := filepath.Join(d.path, fmt.Sprintf("%s-%d", kind, d.next))
	b, err := create(d.FS, path, kind)
	if err == nil && !(keep && d.keep) {
		d.unname(path)
	}
	return b, err
}

// unname takes its name from a file that is open, and removes the directory that was made for it:
// then nothing is left when the process is killed. Where an open file cannot be removed both stay
// until the search ends.
func (d *Directory) unname(path string) {
	if d.FS.Remove(path) != nil {
		d.left = append(d.left, path)
	} else if !d.keep && d.FS.Remove(d.path) == nil {
		d.path = ""
	}
}

// Replace gives a file that was closed another name, and so puts it in the place of the one that
// has it.
func (d *Directory) Replace(b *Blocks, name string) error {
	path := filepath.Join(d.path, name)
	return failed("rename", path, d.FS.Rename(b.path, path))
}

// Open opens a file that was kept.
func (d *Directory) Open(kind string, ref Ref) (*Blocks, error) {
	return Open(d.FS, d.path, kind, ref)
}

// ours reports whether a file is one that a search makes.
func ours(name string) bool {
	kind, _, _ := strings.Cut(name, "-")
	return kind == "states" || kind == "layer" || kind == "checkpoint" || kind == lockFile
}

// Files names the search's files in the directory; an error when there are others.
func (d *Directory) Files() (names []string, err error) {
	all, err := d.FS.List(d.path)
	if err != nil {
		return nil, failed("list", d.path, err)
	}
	for _, name := range all {
		switch {
		case !ours(name):
			return nil, &Error{"use", d.path, fmt.Errorf("it holds %s, which is no file of a search", name)}
		case name != lockFile:
			names = append(names, name)
		}
	}
	return names, nil
}

// Clear removes the search's files, but for those to be kept. What cannot be removed does no harm:
// the next checkpoint tries again.
func (d *Directory) Clear(but ...string) {
	names, _ := d.Files()
	for _, name := range names {
		if !slices.Contains(but, name) {
			_ = d.FS.Remove(filepath.Join(d.path, name))
		}
	}
}

// Sync returns when what was made and renamed here is so even after the power went out.
func (d *Directory) Sync() error { return failed("sync", d.path, d.FS.SyncDir(d.path)) }

// Close unlocks a directory that is kept, and removes one that is not.
func (d *Directory) Close() {
	if d.keep {
		_ = d.lock.Close()
		return
	}
	for _, path := range d.left {
		_ = d.FS.Remove(path)
	}
	if d.path != "" {
		_ = d.FS.Remove(d.path)
	}
}

// Forget removes a directory with its files: its search came to its end.
func (d *Directory) Forget() {
	d.Clear()
	_ = d.FS.Remove(filepath.Join(d.path, lockFile))
	_ = d.FS.Remove(d.path)
}
