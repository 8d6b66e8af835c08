//go:build !amd64 && !arm64

package search

// prefetch does nothing where the processor cannot be told what will be read.
func prefetch(*bucket) {}
