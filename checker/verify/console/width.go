package console

import (
	"golang.org/x/term"

	"contend/traces/show"
)

// Width returns the number of columns for lines to w: of the terminal, else of COLUMNS, else 100; at least 40.
func Width(w any) int {
	width := show.Width()
	if f := terminal(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			width = n
		}
	}
	return max(40, width)
}
