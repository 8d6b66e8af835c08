package show

import (
	"os"
	"strconv"
)

// A Style selects the layout of text. The zero Style has no colors, and lines of 100 columns.
type Style struct {
	Color bool // use ANSI colors
	Width int  // the largest length of a line, at least 40; 0 means 100. Only a longer word exceeds it.
}

// usualWidth is the default width, and least the smallest one.
const usualWidth, least = 100, 40

// Width returns the line length without a terminal: the environment variable COLUMNS, or 100. It is at least
// 40.
func Width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(least, n)
	}
	return usualWidth
}

// Columns returns the effective width.
func (s Style) Columns() int {
	if s.Width == 0 {
		return usualWidth
	}
	return max(least, s.Width)
}
