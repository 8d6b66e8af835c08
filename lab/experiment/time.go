package experiment

import "time"

// stopwatch returns a function that returns the seconds since now: CPU time of this process if it is known,
// otherwise wall time.
func stopwatch() func() float64 {
	start := time.Now()
	before, known := spent()
	return func() float64 {
		if !known {
			return time.Since(start).Seconds()
		}
		after, _ := spent()
		return after - before
	}
}
