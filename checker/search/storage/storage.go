// Package storage keeps the files of a search: the fingerprints and the layers that do not
// fit into memory, and checkpoints.
//
// All input and output goes through [FS], so that tests can let each call fail, or the power
// go out after it (see package faulty). What is written goes through [Blocks]: every block has
// a checksum that tells which file it is of and where in it, so that what was damaged, cut
// short, or put into another's place is refused and never read. A [Directory] names the files
// of one search, and is locked while the search goes on.
package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
)

// FS is what a search needs of a file system.
type FS interface {
	// MkdirAll makes a directory, and those above it.
	MkdirAll(dir string) error
	// MkdirTemp makes a directory of its own, and names it.
	MkdirTemp() (string, error)
	// Create makes a file, or empties it, to be written and read.
	Create(path string) (File, error)
	// Open opens a file that is there.
	Open(path string) (File, error)
	// Rename puts a file in the place of another, in one step.
	Rename(from, to string) error
	// Remove removes a file or an empty directory.
	Remove(path string) error
	// List names what is in a directory.
	List(dir string) ([]string, error)
	// SyncDir returns when what was made, renamed and removed in a directory is so even after
	// the power went out.
	SyncDir(dir string) error
	// Lock locks a file, which it makes, for as long as the process lives or until the lock is
	// closed; [ErrLocked] when another has it.
	Lock(path string) (io.Closer, error)
}

// A File is one that is open.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Size is how many bytes the file has.
	Size() (int64, error)
	// Sync returns when what was written is there even after the power went out.
	Sync() error
}

// ErrLocked says that another process has a lock.
var ErrLocked = errors.New("another search is using it")

// An Error is a call that failed, or a file that is not what was written.
type Error struct {
	Op, Path string
	Err      error
}

// Error names the call and the file, and says what to do when there is no room.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err)
	if errors.Is(e.Err, syscall.ENOSPC) {
		text += "; make room there, or have the files elsewhere (--checkpoint, or the environment's TMPDIR)"
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// failed names the call and the file of an error; nil when there is none.
func failed(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		err = named.Err // it would name the file twice
	}
	return &Error{op, path, err}
}

// damaged is the error of a file that is not what was written.
func damaged(path, format string, args ...any) error {
	return &Error{"read", path, Damage{fmt.Sprintf(format, args...)}}
}

// Damage says in what a file is not what was written.
type Damage struct{ Text string }

// Error says in what the file is not what was written.
func (d Damage) Error() string { return d.Text }
