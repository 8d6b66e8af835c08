//go:build !unix

package planted

import "time"

// cpu is not known.
func cpu() time.Duration { return 0 }
