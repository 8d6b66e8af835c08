package build

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What of a program no run of it as a node shows is said by name: data races of any, and of one that has them C, assembly, files for Linux,
// links past imports, and connections by package net. Tests, and files for systems that are neither, are none of it.
func TestEscapes(t *testing.T) {
	const inner = "contend/program/build/testdata/escaping/inner "
	for path, want := range map[string][]string{
		"contend/program/testdata/counter": {races},
		"./testdata/escaping": {
			races,
			inner + "uses cgo in c.go, which is left out here: what runs is the Go code in its place; test the two against each other",
			inner + "has assembly for other machines in sum_amd64.s: what runs here is the Go code in its place; test the two against each other",
			inner + "has files for Linux that are left out here, tty_linux.go: what they do is not seen; test it on Linux",
			inner + "reaches past its imports by go:linkname, to runtime.nanotime: no goroutine gives way there; use what the package exports, or replace the file by Config.Overlay",
			"contend/program/build/testdata/escaping starts other programs by package os/exec in main.go: every start fails here; leave it out by a build tag, or make the other program a node",
			"contend/program/build/testdata/escaping calls net.Dial, which connects a program only with itself: set Config.Net, or use contend/program/sim",
		},
	} {
		packages, err := Package{Path: path}.packages()
		require.NoError(t, err)
		said, err := escapes(packages, false, false)
		require.NoError(t, err)
		assert.Equal(t, want, said)
		said, err = escapes(packages, true, false)
		require.NoError(t, err)
		assert.Equal(t, slices.DeleteFunc(want, func(text string) bool { return strings.Contains(text, "net.Dial") }), said)
	}
}

// Of many names the first are said.
func TestSome(t *testing.T) {
	assert.Equal(t, "a, b, c, d and 1 more", some([]string{"e", "d", "c", "b", "a", "a"}))
	assert.Equal(t, "a, b", some([]string{"b", "a"}))
}
