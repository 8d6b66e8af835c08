//go:build amd64 || arm64

package visited

// prefetch asks memory for a bucket, and does not wait for it: a load would hold up, until
// it has its word, all that comes a few hundred instructions after it.
//
//go:noescape
func prefetch(b *bucket)
