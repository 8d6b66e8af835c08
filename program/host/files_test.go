package host_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/guest"
	"contend/program/host/testdata/files/calls"
)

// Package os does on a program's disk what it does on Linux's.
func TestFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it compares with Linux")
	}
	var linux []string
	calls.Make(t.TempDir(), func(line string) { linux = append(linux, line) })
	in := begun(t, compile(t, "./testdata/files"), guest.Config{Args: []string{"files"}, Wall: 1e18, Disk: disk.New(disk.Options{})})
	defer in.Close()
	lines := strings.Split(strings.TrimSpace(string(in.Errors())), "\n")
	require.Greater(t, len(lines), 100)
	assert.Equal(t, strings.Join(linux, "\n"), strings.Join(lines, "\n"))
}
