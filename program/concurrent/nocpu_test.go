//go:build !unix

package concurrent_test

import "time"

// cpu is not known.
func cpu() time.Duration { return 0 }
