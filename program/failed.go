package program

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"contend/program/guest"
)

// lastLines is how many of the lines that a program wrote last are told when it exits.
const lastLines = 3

// exited returns the code with which a program exits, and what it wrote last, in a line.
func exited(e *guest.Exit) string {
	text := fmt.Sprintf("the program exits with code %d", e.Code)
	lines := slices.DeleteFunc(strings.Split(e.Output, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	if lines = lines[max(0, len(lines)-lastLines):]; len(lines) > 0 {
		text += ", after it wrote: " + strings.Join(lines, " / ")
	}
	return text
}

// failed says how a program failed, in a line: with where the goroutine was that failed, up to four calls outside of the runtime.
func failed(f *guest.Failure) string {
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
