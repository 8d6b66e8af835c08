package console

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// usualWidth is how long lines are where nothing says it, such as in the log of a CI.
const usualWidth = 100

// Width is how many columns lines that go to w may take: those of the terminal, else what COLUMNS
// says, else 100; at least 40.
func Width(w any) int {
	width := usualWidth
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	if f := terminal(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			width = n
		}
	}
	return max(40, width)
}
