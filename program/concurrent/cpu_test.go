//go:build unix

package concurrent_test

import (
	"syscall"
	"time"
)

// cpu is how much time this process has spent.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
