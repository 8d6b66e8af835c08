//go:build linux && amd64

package native_test

import (
	"strings"
	"testing"

	"contend/program/host/testdata/files/calls"
	beyond "contend/program/native/testdata/beyond/calls"
	remap "contend/program/native/testdata/remap/calls"
)

// onLinux is what the calls do on the disk of this machine.
func onLinux(t *testing.T) string {
	var linux []string
	calls.Make(t.TempDir(), func(line string) { linux = append(linux, line) })
	return strings.Join(linux, "\n")
}

// remapped is what calls of mremap do on this machine.
func remapped(t *testing.T) string {
	var linux []string
	remap.Make(t.TempDir(), func(line string) { linux = append(linux, line) })
	return strings.Join(linux, "\n")
}

// faulted is what accesses beyond the end of a file do on this machine.
func faulted(t *testing.T) string {
	var linux []string
	beyond.Make(t.TempDir(), func(line string) { linux = append(linux, line) })
	return strings.Join(linux, "\n")
}
