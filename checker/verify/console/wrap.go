package console

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Paragraph prints words in lines of a width. Lines after the first have more indentation.
func Paragraph(w io.Writer, indent string, words []string, width int) {
	fmt.Fprintf(w, "%s%s\n", indent, strings.Join(Wrapped(words, width-len(indent)-4), "\n"+indent+"    "))
}

// Complain prints an error. It wraps lines for a terminal, or if COLUMNS is set; in a log, lines stay whole, for
// searching.
func Complain(w io.Writer, text string) {
	if os.Getenv("COLUMNS") == "" && terminal(w) == nil {
		fmt.Fprintln(w, text)
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) <= Width(w) {
			fmt.Fprintln(w, line)
			continue
		}
		rest := strings.TrimLeft(line, " \t")
		Paragraph(w, line[:len(line)-len(rest)], strings.Fields(rest), Width(w))
	}
}

// Wrapped breaks items into lines of a width.
func Wrapped(items []string, width int) []string {
	var lines []string
	for _, item := range items {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+" "+item) <= width {
			lines[last] += " " + item
			continue
		}
		lines = append(lines, item)
	}
	return lines
}

// listed matches a line of a list: an indent, a name, two blanks, and a meaning.
var listed = regexp.MustCompile(`^( +\S+(?: \S+)*? {2,})(\S.*)$`)

// Prose wraps a text to lines of a width. Lines without a blank line between them are one paragraph. An indented
// line stays on its own. A line of a list, "  NAME  MEANING", is wrapped below its meaning.
func Prose(text string, width int) string {
	var out, words []string
	flush := func() {
		out = append(out, Wrapped(words, width)...)
		words = nil
	}
	for _, line := range strings.Split(text, "\n") {
		m := listed.FindStringSubmatch(line)
		switch {
		case m != nil:
			flush()
			out = append(out, hanging(m[1], m[2], width))
		case line == "" || line[0] == ' ':
			flush()
			out = append(out, line)
		default:
			words = append(words, strings.Fields(line)...)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// hanging is a text behind a head, its other lines below its first.
func hanging(head, text string, width int) string {
	indent := utf8.RuneCountInString(head)
	return head + strings.Join(Wrapped(strings.Fields(text), max(width-indent, 20)), "\n"+strings.Repeat(" ", indent))
}

// Columns prints rows of two columns, the second wrapped to a width that counts the indent. The first is as wide as
// its widest cell, up to a third of the width; the text of a row with a wider cell begins on the next line.
func Columns(w io.Writer, indent string, rows [][2]string, width int) {
	widest := 0
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n <= width/3 {
			widest = max(widest, n)
		}
	}
	for _, r := range rows {
		head := indent + r[0] + strings.Repeat(" ", max(0, widest-utf8.RuneCountInString(r[0]))) + "  "
		if utf8.RuneCountInString(r[0]) > widest {
			fmt.Fprintf(w, "%s%s\n", indent, r[0])
			head = indent + strings.Repeat(" ", widest) + "  "
		}
		fmt.Fprintln(w, strings.TrimRight(hanging(head, r[1], width), " "))
	}
}
