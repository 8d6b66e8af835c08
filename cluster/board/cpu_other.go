//go:build !unix

package board

import "time"

var began = time.Now()

// cpu returns the wall time in seconds, since the system does not measure the CPU time of the process.
func cpu() float64 { return time.Since(began).Seconds() }
