package console

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Paragraph prints words in lines of a width; those after the first are indented more.
func Paragraph(w io.Writer, indent string, words []string, width int) {
	fmt.Fprintf(w, "%s%s\n", indent, strings.Join(Wrapped(words, width-len(indent)-4), "\n"+indent+"    "))
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
