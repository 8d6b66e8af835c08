//go:build !unix

package board

import "time"

var began = time.Now()

// cpu is the time that passed, in seconds: the system does not tell how much of it processors worked for this process.
func cpu() float64 { return time.Since(began).Seconds() }
