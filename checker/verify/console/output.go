// Package console has what the output of every verb needs: writers and widths, words and exit codes, the line of
// progress, and the files of traces.
package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// A Checked is a writer for results. It stores its first error.
type Checked struct {
	io.Writer
	Err error // the first
}

// Write writes, and remembers the first error.
func (c *Checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err != nil && c.Err == nil {
		c.Err = err
	}
	return n, err
}

// terminal is the terminal that a writer writes to, or nil.
func terminal(w any) *os.File {
	if c, ok := w.(*Checked); ok {
		w = c.Writer
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Plain escapes a text from outside, such as a file name, for printing: characters that control a terminal, or
// print backwards, are written as Go escapes them.
func Plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(fmt.Sprintf("%+q", r), "'"))
		}
	}
	return b.String()
}
