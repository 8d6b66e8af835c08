package verify

import (
	"path/filepath"
	"runtime/debug"
	"strings"

	"contend/checker/verify/console"
)

// called is how the tool was started, for commands that it prints: the name of the program as it was
// typed, or the line of go run, which leaves a program behind that is gone when it ends.
func called(program string, info *debug.BuildInfo, ok bool) string {
	dir := filepath.ToSlash(filepath.Dir(program))
	switch {
	case !strings.Contains(dir, "/go-build"):
		return console.Quoted([]string{program})
	case ok && info.Path != "" && info.Path != "command-line-arguments":
		return "go run " + info.Path
	}
	return "go run ."
}
