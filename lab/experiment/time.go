package experiment

import "time"

// stopwatch returns what tells the seconds since now: of CPU time of this process, where the system counts it, else by the clock.
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
