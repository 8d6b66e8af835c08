//go:build !unix || solaris || illumos || aix

package storage

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// lock creates a file that must not exist. A killed process leaves the file behind; the user must remove it.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, err
	}
	return exclusiveFile{f}, nil
}

// An exclusiveFile is a lock file that Close removes.
type exclusiveFile struct{ *os.File }

func (m exclusiveFile) Close() error { return errors.Join(m.File.Close(), os.Remove(m.Name())) }

// syncDir does nothing: directories cannot be synced everywhere.
func syncDir(*os.File) error { return nil }
