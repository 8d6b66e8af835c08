package show_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/traces/show"
)

// written returns the lines of a report, at most 40 columns wide.
func written(t *testing.T, told show.Report) []string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, told.Write(&b, show.Style{Width: 1}))
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// Lines that are too long are broken at spaces, the rest set in by two; a word that is too long by itself is not.
func TestLongLinesAreBroken(t *testing.T) {
	word := strings.Repeat("x", 45)
	for _, c := range []struct {
		what string
		told show.Report
		want []string
	}{
		{"the header", show.Report{Title: "t", Head: []show.Fact{{Subject: "note", Text: "one two three four five six seven eight\nnine"}, {Subject: "claim", Text: "c"}}},
			[]string{"t", "  note    one two three four five six", "            seven eight", "          nine", "  claim   c", "", ""}},
		{"a header full to the last column", show.Report{Title: "t", Head: []show.Fact{{Subject: "note", Text: "xxxxxxxxxxxxxx xxxxxxxxxxxxxxx\nxxxxxxxxxxxxxxx xxxxxxxxxxxxxxx"}}},
			[]string{"t", "  note    xxxxxxxxxxxxxx xxxxxxxxxxxxxxx", "          xxxxxxxxxxxxxxx", "            xxxxxxxxxxxxxxx", "", ""}},
		{"a header of words too long", show.Report{Title: "t", Head: []show.Fact{{Subject: "a", Text: word}, {Subject: "b", Text: " " + word}, {Subject: "c", Text: "Field: " + word}, {Subject: "d", Text: ": " + word}}},
			[]string{"t", "  a       " + word, "  b        " + word, "  c       Field:", "            " + word, "  d       :", "            " + word, "", ""}},
		{"a note full to the last column", show.Report{Notes: []show.Note{{Text: strings.Repeat("x", 18) + " " + strings.Repeat("x", 18)}}},
			[]string{"", "", "    " + strings.Repeat("x", 18), "      " + strings.Repeat("x", 18), ""}},
		{"a note", show.Report{Notes: []show.Note{{Text: "as long as fits into one line, so it is not broken"}}},
			[]string{"", "", "    as long as fits into one line, so it", "      is not broken", ""}},
		{"a result", show.Report{Result: []show.Result{{Text: "the goal of a claim of a long name is not reached"}}},
			[]string{"", "", "", "✓ the goal of a claim of a long name is", "  not reached"}},
		{"a word too long", show.Report{Result: []show.Result{{Text: word}}}, []string{"", "", "", "✓", "  " + word}},
		{"a line full to the last column", show.Report{Result: []show.Result{{Text: strings.Repeat("y", 38)}, {Text: strings.Repeat("y", 19) + " " + strings.Repeat("y", 19)}}},
			[]string{"", "", "", "✓ " + strings.Repeat("y", 38), "✓ " + strings.Repeat("y", 19), "  " + strings.Repeat("y", 19)}},
		{"a field and its value stay together", show.Report{Result: []show.Result{{Text: "the state that is there has Field: value"}}},
			[]string{"", "", "", "✓ the state that is there has", "  Field: value"}},
		{"a field of a field, too", show.Report{Result: []show.Result{{Text: "the state that is there has A: B: value"}}},
			[]string{"", "", "", "✓ the state that is there has", "  A: B: value"}},
		{"where there is no room nothing is broken", show.Report{Lines: []show.Line{{Who: word, What: "w", Details: []string{"a b"}}}},
			[]string{"", "", "0  " + word + "  w  a b", ""}},
		{"unless nothing is before them", show.Report{Result: []show.Result{{Text: "Field: " + word}}}, []string{"", "", "", "✓", "  Field:", "  " + word}},
		{"how everything stands", show.Report{End: &show.Snapshot{When: "now", Nodes: []show.Fact{{Subject: "a", Text: "short"}, {Subject: "long", Text: "one two three four five six seven eight"}},
			Left: "1 loss, 1 duplication, 1 crash"}},
			[]string{"", "", "", "", "State now", "  a     short", "  long  one two three four five six", "          seven eight",
				"Faults that may still happen: 1 loss, 1", "  duplication, 1 crash"}},
	} {
		assert.Equal(t, c.want, written(t, c.told), c.what)
	}
}

// The table of steps has a column for each part, as wide as its widest entry. If an entry is longer than two
// fifths of a line its details are below it. Details share a line while they fit.
func TestTheTableOfSteps(t *testing.T) {
	told := show.Report{Title: "t", Lines: []show.Line{
		{Step: 0, Time: "0", Who: "all", What: "start", Details: []string{"a"}},
		{Step: 9, Time: "1/2", Who: "n", What: "sixteen columns.", Details: []string{"bb", "cc", "d"}},
		{Step: 10, Time: "7", Who: "n → m", What: "it is seventeen..", Details: []string{"e"}},
		{Step: 11, Time: "7", Who: "n", What: "has no details"},
		{Step: 12, Time: "7", Who: "n", What: "has words for more than one line", Details: []string{"far too long for a line"}},
	}, Notes: []show.Note{{Step: 0, Text: "first"}, {Step: 9, Text: "second"}, {Step: 9, Text: "third"}, {Step: 12, Text: "last"}}}
	assert.Equal(t, []string{
		"t", "",
		"    first",
		" 0  0    all    start             a",
		" 9  1/2  n      sixteen columns.  bb; cc",
		"                                  d",
		"    second", "    third",
		"10  7    n → m  it is seventeen..",
		"                                  e",
		"11  7    n      has no details",
		"12  7    n      has words for more than",
		"                  one line",
		"                                  far",
		"                                    too",
		"                                    long",
		"                                    for",
		"                                    a",
		"                                    line",
		"    last", "",
	}, written(t, told))
	for i := range told.Lines {
		told.Lines[i].Time = ""
	}
	assert.Equal(t, []string{" 0  all    start             a", " 9  n      sixteen columns.  bb; cc; d"}, []string{written(t, told)[3], written(t, told)[4]}, "an untimed run has no column of times")
}

// The line length is from the style, or from the environment, but at least 40 columns. The default is 100.
func TestColumns(t *testing.T) {
	for width, want := range map[int]int{0: 100, 1: 40, 39: 40, 40: 40, 41: 41, 300: 300} {
		assert.Equal(t, want, show.Style{Width: width}.Columns(), width)
	}
	for columns, want := range map[string]int{"": 100, "x": 100, "0": 100, "99999999999999999999": 100, "-5": 100, "1": 40, "40": 40, "41": 41, "250": 250} {
		t.Setenv("COLUMNS", columns)
		assert.Equal(t, want, show.Width(), columns)
	}
}
