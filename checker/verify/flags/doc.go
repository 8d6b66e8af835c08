// Package flags reads the flags: the configuration, the limits, the strategy, and where results go. An error is
// one sentence that names the flag.
package flags
