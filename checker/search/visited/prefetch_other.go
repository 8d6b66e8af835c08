//go:build !amd64 && !arm64

package visited

// prefetch does nothing.
func prefetch(*bucket) {}
