package console

import (
	"golang.org/x/term"

	"contend/traces/show"
)

// Width is how many columns lines that go to w may take: those of the terminal, else what COLUMNS
// says, else 100; at least 40.
func Width(w any) int {
	width := show.Width()
	if f := terminal(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			width = n
		}
	}
	return max(40, width)
}
