//go:build !wasip1

package sim

// Main does nothing: function main is called by the Go runtime.
func Main(func()) {}

// Return does nothing.
func Return(string) {}

// Note does nothing.
func Note(string) {}

// View does nothing.
func View(func() []byte) {}
