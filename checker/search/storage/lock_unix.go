//go:build unix && !solaris && !illumos && !aix

package storage

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock locks a file with flock. The system unlocks it when the process ends.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func syncDir(d *os.File) error { return d.Sync() }
