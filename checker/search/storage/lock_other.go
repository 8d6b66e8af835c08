//go:build !unix || solaris || illumos || aix

package storage

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// lock makes a file that must not be there. A process that was killed leaves it behind, to be
// removed by hand.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, err
	}
	return made{f}, nil
}

// made is a lock file that is removed when it is closed.
type made struct{ *os.File }

func (m made) Close() error { return errors.Join(m.File.Close(), os.Remove(m.Name())) }

// syncDir does nothing: directories cannot be synced everywhere.
func syncDir(*os.File) error { return nil }
