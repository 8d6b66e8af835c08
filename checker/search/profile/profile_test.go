package profile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWidths: the depths are in lines of ten, and of five where numbers are long.
func TestWidths(t *testing.T) {
	head := "\nDEPTH  STATES AT THAT DEPTH, AND AT THOSE THAT FOLLOW"
	assert.Equal(t, head+"\n0       1  2  3  4  5  6  7  8  9 10\n10     11\n", widths([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}))
	assert.Equal(t, head+"\n0              1         2         3         4         5\n5      123456789\n", widths([]int64{1, 2, 3, 4, 5, 123456789}))
	assert.Equal(t, head+"\n0          1 12345     6\n", widths([]int64{1, 12345, 6}), "the longest may be anywhere")
	assert.Equal(t, head+"\n", widths(nil))
	assert.Equal(t, 2, strings.Count(widths([]int64{12345678, 2, 3, 4, 5, 6, 7, 8, 9, 10}), "\n")-1, "ten numbers of eight digits fit")
}

// TestInLines: what a column lists is broken into lines, and always has one.
func TestInLines(t *testing.T) {
	long := "a field with a name of forty characters1"
	assert.Equal(t, []string{"a, b, " + long + ",", long}, joinLines([]string{"a", "b", long, long}))
	assert.Equal(t, []string{""}, joinLines(nil))
	assert.Equal(t, []string{long + ",", long + ",", long + ",", long + ",", long}, joinLines([]string{long, long, long, long, long}))
	assert.Equal(t, []string{long + long + ",", "a"}, joinLines([]string{long + long, "a"}), "the first item has the first line, however long it is")
	full := strings.Repeat("x", 60-len(long)-2)
	assert.Equal(t, []string{long + ", " + full}, joinLines([]string{long, full}), "a line has sixty characters")
	assert.Len(t, joinLines([]string{long, full + "x"}), 2)
}
