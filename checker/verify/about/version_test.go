package about

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What the toolchain knows of a build is told.
func TestVersionOf(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"}}}
	info.Main.Path, info.Main.Version = "example.org/mine", "v1.2.3"
	assert.Regexp(t, `^verify example.org/mine v1.2.3, revision abc of 2026-01-02T03:04:05Z, modified, go1\.\S+, \w+/\w+$`, versionOf(info, true).String())
	assert.Contains(t, versionOf(nil, false).String(), "unknown")
}
