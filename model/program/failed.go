package program

import (
	"path"
	"strings"

	"contend/model/program/host"
)

// failed says how a program failed, in a line: with where the goroutine was that failed, up to four calls outside of the runtime.
func failed(f *host.Failure) string {
	text := "the program fails: " + f.Text
	_, first, _ := strings.Cut(f.Trace, "\ngoroutine ")
	first, _, _ = strings.Cut(first, "\n\n")
	calls := 0
	for line := range strings.Lines(first) {
		at, is := strings.CutPrefix(line, "\t")
		if at, _, _ = strings.Cut(strings.TrimSpace(at), " "); !is || strings.HasPrefix(at, "runtime/") {
			continue
		}
		if calls++; calls > 4 {
			break
		}
		if calls > 1 {
			text += ", called"
		}
		text += " at " + path.Base(path.Dir(at)) + "/" + path.Base(at)
	}
	return text
}
