package verify

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"contend/checker/verify/console"
)

// called returns the command that started the tool, for commands that it prints: the program's name as typed, or
// the line of go run, whose program is deleted at its end. The line names the directory of the program if its
// source is in the module around here, else its import path.
func called(program string, info *debug.BuildInfo, source, here string) string {
	if dir := filepath.ToSlash(filepath.Dir(program)); !strings.Contains(dir, "/go-build") {
		return console.Quoted([]string{program})
	}
	switch dir := directory(source, here); {
	case dir != "":
		return console.Quoted([]string{"go", "run", dir})
	case info != nil && info.Path != "" && info.Path != "command-line-arguments":
		return "go run " + info.Path
	}
	return "go run ."
}

// directory returns the path of a source file's package for go run; "" if the file is not in the module around
// here. Go run takes packages of other modules only by their import path.
func directory(source, here string) string {
	from, err := filepath.EvalSymlinks(here)
	if err != nil {
		return ""
	}
	to, err := filepath.EvalSymlinks(filepath.Dir(source))
	if err != nil || module(to) != module(from) {
		return ""
	}
	path, err := filepath.Rel(from, to)
	path = filepath.ToSlash(path)
	switch {
	case err != nil || strings.Contains("/"+path+"/", "/vendor/"):
		return ""
	case path == "." || strings.HasPrefix(path, ".."):
		return path
	}
	return "./" + path
}

// module is the directory of the go.mod that a directory is under, or "".
func module(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// mainSource is the file of the function main that called this, or "".
func mainSource() string {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls)])
	for {
		frame, more := frames.Next()
		if frame.Function == "main.main" {
			return frame.File
		}
		if !more {
			return ""
		}
	}
}
