// Package guard calls the code of a protocol's author. It reports how and where a call failed, and which call
// is running, so that an endless one can be named. It detects the use of an Env by others than its handler
// (loan.go), and goroutines that a call leaves behind (census.go).
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

// A Failure is the panic of a call.
type Failure struct {
	How string // the panic value, on one line
	At  string // the file and line in the protocol; "" if not known
}

func (f *Failure) String() string {
	if f.At == "" {
		return f.How
	}
	return f.How + " (" + f.At + ")"
}

// Call makes a call and returns its failure, or nil. The cell shows the call while it runs. The panic of a
// [model.Refusal] continues. A call that ends its goroutine, as runtime.Goexit does, ends the caller too.
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
		f = &Failure{How: panicText(p), At: place()}
	}()
	enter(do)
	returned = true
	c.set(nil)
	return nil
}

// Call is [Cell.Call] without a cell.
func Call(do func()) *Failure { return (*Cell)(nil).Call(nil, do) }

// Must makes a call that is not a handler's, such as a call of New. A failure refuses the protocol. What
// names the call.
func Must(what string, do func()) {
	if f := Call(do); f != nil {
		model.Refuse("%s: %v", what, f)
	}
}

// panicText returns the text of a panic value, on one line.
func panicText(p any) string {
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

// place returns the file:line of the innermost frame of the protocol, in a stack that unwinds.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	unwinding := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit":
			unwinding = true
		case unwinding && isProtocol(f):
			return framePlace(f)
		}
		if !more {
			return ""
		}
	}
}

// framePlace returns the file:line of a frame, with the last directory of the path.
func framePlace(f runtime.Frame) string { return short(fmt.Sprintf("%s:%d", f.File, f.Line)) }

// short returns the last directory and the file of a path.
func short(file string) string { return path.Base(path.Dir(file)) + "/" + path.Base(file) }

// isProtocol reports whether a frame is of the protocol, and not of the standard library, of package model or of
// the checker. Tests of these packages count as protocols.
func isProtocol(f runtime.Frame) bool {
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

// standard has the first elements of the standard library's import paths.
var standard = strings.Fields(`arena archive bufio builtin bytes cmp compress container context crypto database debug
	embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
	plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique
	unsafe vendor weak`)
