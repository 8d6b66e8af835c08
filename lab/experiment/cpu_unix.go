//go:build unix

package experiment

import "syscall"

// cpuSeconds returns the CPU time of this process, in seconds.
func cpuSeconds() (seconds float64, known bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	of := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return of(u.Utime) + of(u.Stime), true
}
