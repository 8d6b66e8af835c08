package draw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/traces/show"
)

// The deepest parts of values are omitted first, and quoted texts are not shortened. A text with unbalanced
// brackets is unchanged.
func TestCollapsed(t *testing.T) {
	for _, c := range []struct {
		text  string
		depth int
		want  string
	}{
		{"Commit{State{Version: 1, Value: [a]}, 8}", 2, "Commit{State{Version: 1, Value: […]}, 8}"},
		{"Commit{State{Version: 1, Value: [a]}, 8}", 1, "Commit{State{…}, 8}"},
		{"Commit{State{Version: 1, Value: [a]}, 8} arrives", 0, "Commit{…} arrives"},
		{"Queue: [] → [A{1}, {}]", 0, "Queue: [] → […]"},
		{`Put{"{[\"{", 1}`, 1, `Put{"{[\"{", 1}`},
		{`Put{"\\", {1}}`, 1, `Put{"\\", {…}}`},
		{`\"{1, {2}}" {3}`, 0, `\"{1, {2}}" {…}`},
		{"its window is [0, 3)", 0, "its window is [0, 3)"},
		{"it is at (0, 3]", 0, "it is at (0, 3]"},
	} {
		assert.Equal(t, c.want, collapse(c.text, c.depth))
	}
}

// The description of a step has its event in the first line and the effects below. No line is wider than the
// column. Omissions are marked.
func TestWords(t *testing.T) {
	row := func(what string, details ...string) Row {
		return Row{Line: show.Line{Who: "a", What: what, Details: details}}
	}
	const wide = 30 * perLetter // that is 32 small letters
	for _, c := range []struct {
		row    Row
		lines  int
		want   []string
		partly bool
	}{
		{row("does"), 2, []string{"a: does"}, false},
		{row("does what is said in two lines"), 2, []string{"a: does what is said in two", "lines"}, false},
		{row("does", "X: 0 → 1"), 2, []string{"a: does", "X: 0 → 1"}, false},
		{row("Commit{State{Version: 1, Value: 2}, 8}", "X: 0 → 1"), 2, []string{"a: Commit{State{…}, 8}", "X: 0 → 1"}, true},
		{row("does", "Answers: {s1: Got{Rank: 8, Of: {1: 2}}}", "X: 0 → 1"), 2, []string{"a: does", "Answers: {s1: Got{…}}; X: 0 → 1"}, true},
		{row("does", "one thing and another", "and then a third"), 2, []string{"a: does", "one thing and another; and then…"}, true},
		{row("does", "one thing and another", "and then a third"), 3, []string{"a: does", "one thing and another; and then", "a third"}, false},
		{row(strings.Repeat("x", 99)), 2, []string{"a:", strings.Repeat("x", 29) + "…"}, true},
	} {
		got, partly := wordsOf(c.row, c.lines, wide)
		assert.Equal(t, c.partly, partly, c.row.What)
		assert.Equal(t, c.want, got)
	}
}

// The short text of a value is its type.
func TestBrief(t *testing.T) {
	const value = "Answer{Try{1, 0}, FREE, because}"
	for letters, want := range map[int]string{40: value, 30: "Answer{Try{…}, FREE, because}", 26: "Answer{Try{…}, FREE, beca…", 12: "Answer{…}", 6: "Answe…"} {
		assert.Equal(t, want, brief(value, letters))
	}
}

// Without room for a letter there is a mark of the omission.
func TestShort(t *testing.T) {
	for letters, want := range map[int]string{0: "…", 1: "…", 2: "ä…", 3: "äöü", 4: "äöü"} {
		assert.Equal(t, want, short("äöü", letters))
	}
	assert.Equal(t, "ä…", short("ä……x", 3))
}

// A run is drawn to scale where time passes, and at least half of the waits are at most four and a half times the least.
func TestReadable(t *testing.T) {
	for _, c := range []struct {
		at   []float64
		want bool
	}{
		{nil, false}, {[]float64{0}, false}, {[]float64{2, 2, 2}, false}, {[]float64{0, 1}, true},
		{[]float64{0, 1, 5.5, 10}, true}, {[]float64{0, 1, 6}, true}, {[]float64{0, 1, 6, 11}, false}, {[]float64{0, 5, 5, 6, 7, 12}, true},
	} {
		var rows []Row
		for _, at := range c.at {
			rows = append(rows, Row{At: at})
		}
		assert.Equal(t, c.want, readable(rows), "%v", c.at)
	}
}

// Of rules for heights, none leaves what there is.
func TestNoRule(t *testing.T) {
	for _, scaled := range []bool{false, true} {
		d := &Diagram{Timed: true, Scaled: scaled}
		assert.NoError(t, d.Rule(""))
		assert.Equal(t, scaled, d.Scaled)
	}
}

// A text is broken at spaces alone, and as late as its lines allow.
func TestFolded(t *testing.T) {
	for letters, want := range map[int][]string{
		1: {"a", "wörter", "of", "some"}, 6: {"a", "wörter", "of", "some"}, 7: {"a", "wörter", "of some"}, 8: {"a wörter", "of some"}, 99: {"a wörter of some"},
	} {
		assert.Equal(t, want, Fold(" a  wörter of\nsome", letters))
	}
	assert.Equal(t, []string{""}, Fold(" ", 9))
}
