package verify

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCalled: a command that is printed starts the tool in the way in which it was started.
func TestCalled(t *testing.T) {
	mine := &debug.BuildInfo{Path: "example.com/mine/cmd/check"}
	for _, x := range []struct {
		program string
		info    *debug.BuildInfo
		want    string
	}{
		{"verify", mine, "verify"},
		{"./bin/check", mine, "./bin/check"},
		{"./my tools/check", mine, "'./my tools/check'"},
		{"/tmp/go-build123/b001/exe/check", mine, "go run example.com/mine/cmd/check"},
		{"/home/me/.cache/go-build/ab/cd-d/check", mine, "go run example.com/mine/cmd/check"},
		{"/tmp/go-build123/b001/exe/main", &debug.BuildInfo{Path: "command-line-arguments"}, "go run ."},
	} {
		assert.Equal(t, x.want, called(x.program, x.info, true), x.program)
	}
}
