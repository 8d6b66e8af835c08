package show

import (
	"os"
	"strconv"
)

// A Style is how text is laid out. The zero Style has no colours, and lines of 100 columns.
type Style struct {
	Color bool // for a terminal
	Width int  // how many columns a line may take, at least 40; only a word that is longer takes more; 0: 100
}

// usualWidth is how long lines are where nothing says it, such as in the log of a CI; least is how short they can be.
const usualWidth, least = 100, 40

// Width is how many columns a line may take where no terminal says so: what the variable COLUMNS says,
// else 100; at least 40.
func Width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(least, n)
	}
	return usualWidth
}

// Columns is the width as lines use it.
func (s Style) Columns() int {
	if s.Width == 0 {
		return usualWidth
	}
	return max(least, s.Width)
}
