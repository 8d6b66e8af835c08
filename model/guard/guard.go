// Package guard calls what the author of a protocol wrote. It finds out how a call failed and
// where, and shows which call is running, so that one that never ends can be named. It tells who
// uses an Env that is not its own (loan.go), and which call left a goroutine behind (census.go).
package guard

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"contend/model"
)

// A Failure is how a call failed.
type Failure struct {
	How string // what it panicked with, on one line
	At  string // the file and line where it did, of the protocol
}

func (f *Failure) String() string {
	if f.At == "" {
		return f.How
	}
	return f.How + " (" + f.At + ")"
}

// Call makes a call that the cell shows, and returns how it failed; nil says that it returned. A
// [model.Refusal] goes on as a panic. A call that leaves its goroutine, as runtime.Goexit does,
// takes the caller with it.
func (c *Cell) Call(r *Running, do func()) (f *Failure) {
	c.set(r)
	returned := false
	defer func() {
		if returned {
			return
		}
		p := recover()
		if p == nil {
			return
		}
		c.set(nil)
		if r, ok := p.(model.Refusal); ok {
			panic(r)
		}
		f = &Failure{How: said(p), At: place()}
	}()
	enter(do)
	returned = true
	c.set(nil)
	return nil
}

// Call is [Cell.Call] that shows nothing.
func Call(do func()) *Failure { return (*Cell)(nil).Call(nil, do) }

// Must makes a call that is no handler's, such as that of a New: that it fails refuses the protocol.
// What names it.
func Must(what string, do func()) {
	if f := Call(do); f != nil {
		model.Refuse("%s: %v", what, f)
	}
}

// said is what a panic says, in one line.
func said(p any) string {
	switch p := p.(type) {
	case model.Misuse:
		return p.Text
	case model.Assertion:
		return p.Error()
	}
	text := fmt.Sprint(p)
	if e, ok := p.(runtime.Error); ok {
		text = e.Error()
	}
	return "panic: " + model.Printable(strings.ReplaceAll(text, "\n", " "))
}

// place finds the innermost frame of the protocol in a stack that unwinds, as file:line.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	unwinding := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit":
			unwinding = true
		case unwinding && theirs(f):
			return placed(f)
		}
		if !more {
			return ""
		}
	}
}

// placed is the place of a frame: the last directory of its file, the file and the line.
func placed(f runtime.Frame) string { return short(fmt.Sprintf("%s:%d", f.File, f.Line)) }

// short leaves the last directory of a path, and its file.
func short(file string) string { return path.Base(path.Dir(file)) + "/" + path.Base(file) }

// theirs reports whether a frame is of the protocol: not of the standard library, of the language
// in which protocols are written, or of the checker. Their tests write protocols, too.
func theirs(f runtime.Frame) bool {
	if strings.HasSuffix(f.File, "_test.go") {
		return true
	}
	pkg, _, _ := strings.Cut(f.Function[strings.LastIndexByte(f.Function, '/')+1:], ".")
	pkg = f.Function[:strings.LastIndexByte(f.Function, '/')+1] + pkg
	first, _, _ := strings.Cut(pkg, "/")
	return !slices.Contains(standard, first) && (!tools.MatchString(pkg) || strings.HasSuffix(pkg, "/starter"))
}

// tools matches the packages of the language, of programs and of the checker.
var tools = regexp.MustCompile(`^contend/(checker|lab|model|program)(/|$)`)

// standard are the first elements of the standard library's import paths.
var standard = strings.Fields(`arena archive bufio builtin bytes cmp compress container context crypto database debug
	embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
	plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique
	unsafe vendor weak`)
