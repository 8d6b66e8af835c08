// Package storage stores the files of a search: fingerprints and layers that do not fit into memory, and
// checkpoints.
//
// All input and output goes through [FS], so that tests can make each call fail, or cut the power after it (see
// package faulty). Data is written as [Blocks]. Each block has a checksum that depends on the file and on the
// block's number, so that damaged, truncated or exchanged files are refused. A [Directory] holds the files of
// one search, and is locked during the search.
package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
)

// An FS is the part of a file system that a search uses.
type FS interface {
	// MkdirAll creates a directory and its parents.
	MkdirAll(dir string) error
	// MkdirTemp creates a new directory and returns its path.
	MkdirTemp() (string, error)
	// Create creates or truncates a file, for writing and reading.
	Create(path string) (File, error)
	// Open opens an existing file for reading.
	Open(path string) (File, error)
	// Rename renames a file atomically, replacing the target.
	Rename(from, to string) error
	// Remove removes a file or an empty directory.
	Remove(path string) error
	// List returns the names in a directory.
	List(dir string) ([]string, error)
	// SyncDir returns after all creations, renames and removals in a directory are durable.
	SyncDir(dir string) error
	// Lock creates and locks a file until the lock is closed or the process ends. The error is
	// [ErrLocked] if another process has the lock.
	Lock(path string) (io.Closer, error)
}

// A File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Size returns the length of the file in bytes.
	Size() (int64, error)
	// Sync returns after all written bytes are durable.
	Sync() error
}

// ErrLocked is the error if another process has the lock.
var ErrLocked = errors.New("another search is using it")

// An Error is a failed call, or a damaged file.
type Error struct {
	Op, Path string
	Err      error
}

// Error returns the call, the file and the cause, and what to do if the device is full.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err)
	if errors.Is(e.Err, syscall.ENOSPC) {
		text += "; make room there, or have the files elsewhere (--checkpoint, or the environment's TMPDIR)"
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// callError returns an [Error] for a failed call; nil if err is nil.
func callError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		err = named.Err // the path is in Error already
	}
	return &Error{op, path, err}
}

// damageError returns an [Error] for a file that differs from the written file.
func damageError(path, format string, args ...any) error {
	return &Error{"read", path, Damage{fmt.Sprintf(format, args...)}}
}

// A Damage is the error for a file that differs from the written file.
type Damage struct{ Text string }

// Error returns the difference.
func (d Damage) Error() string { return d.Text }
