package storage

import (
	"errors"
	"io"
	"os"
)

// An OS is the file system of the operating system.
type OS struct{}

// MkdirAll creates a directory and its parents.
func (OS) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o777) }

// MkdirTemp creates a new directory among the temporary files.
func (OS) MkdirTemp() (string, error) { return os.MkdirTemp("", "contend-search-") }

// Create creates a file.
func (OS) Create(path string) (File, error) {
	f, err := os.Create(path)
	return osFile{f}, err
}

// Open opens a file for reading.
func (OS) Open(path string) (File, error) {
	f, err := os.Open(path)
	return osFile{f}, err
}

// Rename renames a file, replacing the target.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes a file or an empty directory.
func (OS) Remove(path string) error { return os.Remove(path) }

// List returns the names in a directory.
func (OS) List(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// SyncDir syncs a directory.
func (OS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(d), d.Close())
}

// Lock locks a file.
func (OS) Lock(path string) (io.Closer, error) { return lock(path) }

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
