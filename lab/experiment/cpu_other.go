//go:build !unix

package experiment

// spent returns the CPU time of this process, unknown on this system.
func spent() (seconds float64, known bool) { return 0, false }
