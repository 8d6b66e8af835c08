package impl_test

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/impl"
)

// Protocols whose packages test them in shorter bounds than the default run.
var shortened = []string{"backoff", "centralized", "ordering"}

// TestProtocols checks each protocol as a package of its own would: all checks, and all mutants.
func TestProtocols(t *testing.T) {
	for _, p := range impl.Suite {
		if !slices.Contains(shortened, p.Name) {
			t.Run(p.Name, func(t *testing.T) { checker.Test(t, p) })
		}
	}
}
