package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// cached returns the file or directory with a name, and makes it if necessary. Several processes may make it at the same time.
func cached(name string, make func(out string) error) (string, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		root = os.TempDir()
	}
	dir := filepath.Join(root, "contend", "programs")
	kept := filepath.Join(dir, name)
	if _, err := os.Stat(kept); err == nil {
		return kept, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("program: the cache: %w", err)
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return "", fmt.Errorf("program: the cache: %w", err)
	}
	defer os.RemoveAll(f.Name())
	if err := f.Close(); err != nil {
		return "", fmt.Errorf("program: the cache: %w", err)
	}
	if err := make(f.Name()); err != nil {
		return "", err
	}
	if err := os.Rename(f.Name(), kept); err != nil && !errors.Is(err, os.ErrExist) { // a directory does not replace another
		return "", fmt.Errorf("program: the cache: %w", err)
	}
	return kept, nil
}
