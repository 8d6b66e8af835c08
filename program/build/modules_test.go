package build

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Of the flags in GOFLAGS those count that say which modules a program is made of.
func TestModules(t *testing.T) {
	for flags, want := range map[string]string{
		"":                               "",
		"-buildvcs=false -race":          "",
		"-mod=mod -v -modfile=/x/go.mod": "-mod=mod -modfile=/x/go.mod",
	} {
		assert.Equal(t, want, modules(flags), flags)
	}
}
