package profile

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWidths: the depths are in lines of ten, and of five where numbers are long.
func TestWidths(t *testing.T) {
	head := "\nDEPTH  STATES AT THAT DEPTH, AND AT THOSE THAT FOLLOW"
	assert.Equal(t, head+"\n0       1  2  3  4  5  6  7  8  9 10\n10     11\n", widths([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}))
	assert.Equal(t, head+"\n0              1         2         3         4         5\n5      123456789\n", widths([]int64{1, 2, 3, 4, 5, 123456789}))
	assert.Equal(t, head+"\n", widths(nil))
}

// TestInLines: what a column lists is broken into lines, and always has one.
func TestInLines(t *testing.T) {
	long := "a field with a name of forty characters1"
	assert.Equal(t, []string{"a, b, " + long + ",", long}, inLines([]string{"a", "b", long, long}))
	assert.Equal(t, []string{""}, inLines(nil))
}
