//go:build unix && !solaris && !illumos && !aix

package overlay

import (
	"os"
	"syscall"
)

// lock acquires a lock. Its result releases it. On systems without locks it does nothing.
func lock(name string) func() {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}
	}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	return func() { _ = f.Close() }
}
