package flags

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Before anything is searched or measured, for minutes or for days, it is tried whether what comes
// of it can be written. Nothing is left of the trial.

// WritableDirectory returns an error if the directory of a flag cannot be made or written into; else nil.
func WritableDirectory(flag, dir string) error {
	if dir == "" {
		return fmt.Errorf("--%s is empty, but must name a directory", flag)
	}
	made, err := makeAll(dir)
	if err == nil {
		err = probe(dir)
	}
	for _, d := range made {
		err = errors.Join(err, os.Remove(d))
	}
	return unwritable(flag, dir, err)
}

// WritableFile returns an error if the file of a flag cannot be written; else nil. Its directory must exist, so
// that a mistyped name creates none.
func WritableFile(flag, path string) error {
	if path == "" {
		return fmt.Errorf("--%s is empty, but must name a file", flag)
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("--%s is %s, but must be a file", flag, path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe: to open it may be to wait
	case err == nil:
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = f.Close()
		}
		return unwritable(flag, path, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--%s is %s, but there is no directory %s", flag, path, filepath.Dir(path))
	}
	return unwritable(flag, path, create(path))
}

// AllWritable is the first thing that is wrong with places that flags name, or nil.
func AllWritable(places ...interface{ Writable() error }) error {
	for _, p := range places {
		if err := p.Writable(); err != nil {
			return err
		}
	}
	return nil
}

// makeAll makes a directory and its parents. It returns the directories that it made, the deepest first.
func makeAll(dir string) (made []string, err error) {
	switch info, err := os.Stat(dir); {
	case err == nil && info.IsDir():
		return nil, nil
	case err == nil:
		return nil, fmt.Errorf("%s is not a directory", dir)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if parent := filepath.Dir(dir); parent != dir {
		if made, err = makeAll(parent); err != nil {
			return made, err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return made, err
	}
	return append([]string{dir}, made...), nil
}

// probe writes a file into a directory, and removes it.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".contend-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// create makes a file that is not there, and removes it.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Close(), os.Remove(path))
}

// unwritable returns an error of one line, with the flag and the place.
func unwritable(flag, path string, err error) error {
	if err == nil {
		return nil
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("--%s is %s, but nothing can be written there: %w", flag, path, err)
}
