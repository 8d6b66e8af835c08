//go:build !amd64 && !arm64

package visited

// prefetch does nothing where the processor cannot be told what will be read.
func prefetch(*bucket) {}
