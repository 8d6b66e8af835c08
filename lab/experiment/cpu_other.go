//go:build !unix

package experiment

// cpuSeconds returns the CPU time of this process, unknown on this system.
func cpuSeconds() (seconds float64, known bool) { return 0, false }
