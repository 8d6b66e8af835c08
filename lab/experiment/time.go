package experiment

import "time"

// stopwatch returns a function that returns the seconds since now: CPU time of this process if it is known,
// otherwise wall time.
func stopwatch() func() float64 {
	start := time.Now()
	before, known := cpuSeconds()
	return func() float64 {
		if !known {
			return time.Since(start).Seconds()
		}
		after, _ := cpuSeconds()
		return after - before
	}
}
