//go:build linux && amd64

package native_test

import (
	"strings"
	"testing"

	"contend/program/host/testdata/files/calls"
)

// onLinux is what the calls do on the disk of this machine.
func onLinux(t *testing.T) string {
	var linux []string
	calls.Make(t.TempDir(), func(line string) { linux = append(linux, line) })
	return strings.Join(linux, "\n")
}
