package diff

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model/describe"
	"contend/model/foreign/dump"
	"contend/model/wrapped"
)

// lines returns the lines of a dump from paths and texts in turn.
func lines(of ...string) (all []dump.Line) {
	for i := 0; i < len(of); i += 2 {
		all = append(all, dump.Line{Path: of[i], Is: of[i+1]})
	}
	return all
}

// Two dumps differ in the fields with different values, or in fields that only one dump has.
func TestBetween(t *testing.T) {
	a, b := lines("same", "1", "other", "1", "left", "1"), lines("right", "2", "other", "2", "same", "1")
	assert.Equal(t, []Difference{{"other", "1", "2"}, {"left", "1", gone}, {"right", gone, "2"}}, Between(a, b))
	assert.Empty(t, Between(a, a))
	assert.Equal(t, "other (1 and 2), left (1 and none), right (none and 2)", List(Between(a, b)))
	six := Between(lines("a", "", "b", "", "c", "", "d", "", "e", "", "f", "", "g", ""), nil)
	assert.Equal(t, "a ( and none), b ( and none), c ( and none), d ( and none), e ( and none), 2 more", List(six))
	assert.Equal(t, "a ( and none), b ( and none), c ( and none), d ( and none), e ( and none)", List(six[:5]))
}

// A new or removed element is one change. Lengths, and nil instead of empty, are no changes.
func TestChanges(t *testing.T) {
	a := lines("x", "1", "list.len", "1", "list[0].a", "1", "list[0].b", "2", "map", "nil", "old[1]", "o", "deep[0].more[1]", "3", "was[]", "nil")
	b := lines("x", "2", "list.len", "2", "list[0].a", "1", "list[0].b", "3", "list[1].a", "4", "list[1].b", "5", "map.len", "0", "deep[0].more[1]", "3")
	assert.Equal(t, []describe.Change{
		{Field: "x", Before: "1", After: "2"},
		{Field: "list[0].b", Before: "2", After: "3"},
		{Field: "old[1]", Before: "o", After: gone},
		{Field: "list[1]", Before: gone, After: "{a: 4, b: 5}"},
	}, Changes(a, b))
	assert.Empty(t, Changes(nil, lines("map", "nil")))
	assert.Equal(t, []describe.Change{{Field: "whole", Before: "1", After: gone}}, Changes(lines("whole", "1"), nil))
	assert.Equal(t, []describe.Change{{Field: "list[0]", Before: "{a: 1}", After: gone}}, Changes(lines("list[0].a", "1"), nil))
	assert.Equal(t, []describe.Change{{Field: "list[0]", Before: "{1, p: nil, q: 1}", After: gone}},
		Changes(lines("list[0]", "1", "list[0].p", "nil", "list[0].q", "1"), nil))
}

// The new or removed element is the outermost element: with all that it contains, and without its containers.
func TestChangesOfElementsInElements(t *testing.T) {
	a := lines("peers[0].log[1]", "x", "peers[0].at", "nil", `peers["]"].n`, "1", "row[0][0]", "1")
	b := lines("peers[0].log[1]", "x", "peers[0].log[2].term", "7", "peers[0].log[2].of[0]", "8", "peers[0].at.n", "5", "peers[1].log[1]", "y", "peers[1].n", "2",
		"row[0][0]", "1", "row[0][1]", "2", "row[1][0]", "3")
	assert.Equal(t, []describe.Change{
		{Field: `peers["]"]`, Before: "{n: 1}", After: gone},
		{Field: "peers[0].log[2]", Before: gone, After: "{term: 7, of[0]: 8}"},
		{Field: "peers[0].at.n", Before: gone, After: "5"},
		{Field: "peers[1]", Before: gone, After: "{log[1]: y, n: 2}"},
		{Field: "row[0][1]", Before: gone, After: "2"},
		{Field: "row[1]", Before: gone, After: "{[0]: 3}"},
	}, Changes(a, b))
}

// A text has a line for each label, and those without go by their numbers.
func TestLines(t *testing.T) {
	assert.Equal(t, lines("object", "first", "a", "1: 2", "object, line 4", "last"), Lines("\n first\na:  1: 2 \n\nlast\n"))
	assert.Equal(t, lines("a", "1", "object, line 2", "last"), Lines("a: 1\nlast"))
	assert.Empty(t, Lines(""))
}

// A path splits states by the value at the path. Two fields that change together split nothing separately,
// but the value that contains both does. A path is hidden if it differs where Views are equal.
func TestSplits(t *testing.T) {
	var s Splits
	for _, state := range []struct {
		view string
		of   []string
	}{
		{"p", []string{"same", "0", "seen", "1", "list.len", "1", "list[0]", "a", "own", "x"}},
		{"p", []string{"same", "0", "seen", "1", "list.len", "1", "list[0]", "b", "own", "x"}},
		{"q", []string{"same", "0", "seen", "2", "list.len", "2", "list[0]", "a", "list[1]", "a", "own", "x"}},
		{"q", []string{"same", "0", "seen", "2", "list.len", "2", "list[0]", "a", "list[1]", "b", "own", "y"}},
	} {
		s.Add(lines(state.of...), state.view)
	}
	assert.Equal(t, wrapped.Splits{States: 4, Shown: 2, Parts: []wrapped.Split{
		{Path: "list", Values: 4, Without: 3, Hidden: true},
		{Path: "list[]", Values: 4, Without: 3, Hidden: true},
		{Path: "own", Values: 2, Without: 4, Hidden: true},
		{Path: "seen", Values: 2, Without: 4},
	}}, s.Compare())
}

// A whole contains all paths below it, but not paths that only begin with the same letters.
func TestWholes(t *testing.T) {
	var s Splits
	for _, x := range []string{"1", "2", "3"} {
		s.Add(lines("any.(type)", "T", "any.x", x, "anything", "5", "anyone.y", "6"), x)
	}
	var other Splits
	for _, x := range []string{"11", "12", "22"} {
		other.Add(lines("any.(type)", "T", "any.x", x[:1], "anything", x[1:]), x)
	}
	for _, part := range other.Compare().Parts {
		assert.Equal(t, 2, part.Values, part.Path)
	}
	assert.Equal(t, wrapped.Splits{States: 3, Shown: 3, Parts: []wrapped.Split{
		{Path: "any", Values: 3, Without: 1},
		{Path: "any.x", Values: 3, Without: 1},
	}}, s.Compare())
}

// The path that splits most comes first, then the path with most values.
func TestOrderOfSplits(t *testing.T) {
	var s Splits
	for i := range 6 {
		p, q := strconv.Itoa(i/3), strconv.Itoa(i%3)
		s.Add(lines("p", p, "q1", q, "q2", q, "a", strconv.FormatBool(q == "2")), p+q)
	}
	for range 20 { // maps come in another order each time
		assert.Equal(t, []wrapped.Split{{Path: "p", Values: 2, Without: 3}, {Path: "q1", Values: 3, Without: 6}, {Path: "q2", Values: 3, Without: 6},
			{Path: "a", Values: 2, Without: 6}}, s.Compare().Parts)
	}
}

// A value that is nil in some states, and missing in others, is reported separately. A length makes a whole
// in all states.
func TestSplitsOfNil(t *testing.T) {
	var s, list Splits
	for _, state := range [][]string{{"o", "nil"}, {"o.y", "1"}, {"o.y", "2"}} {
		s.Add(lines(state...), "the same")
	}
	for _, state := range [][]string{{"list.len", "1", "list[0]", "x"}, {"list.len", "1", "list[0]", "y"}, {"list", "nil"}} {
		list.Add(lines(state...), "the same")
	}
	for range 20 {
		assert.Equal(t, wrapped.Splits{States: 3, Shown: 1, Parts: []wrapped.Split{
			{Path: "o.y", Values: 3, Without: 2, Hidden: true}, {Path: "o", Values: 2, Without: 3, Hidden: true},
		}}, s.Compare())
		assert.Equal(t, wrapped.Split{Path: "list", Values: 3, Without: 1, Hidden: true}, list.Compare().Parts[0])
	}
}
