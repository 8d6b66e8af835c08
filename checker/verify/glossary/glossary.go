// Package glossary says what the words mean that the tool prints: verdicts, limits, the columns and
// bounds of tables, and what they rest on. It is what verify explain prints, and docs/glossary.md is
// written from it.
package glossary

import (
	"slices"
	"strings"
)

// An Entry is a word, or a few that are used together.
type Entry struct {
	Word    string
	Also    []string // other forms, under which it is found
	Meaning string   // in sentences
	See     []string // other words
}

// A Chapter is entries of one kind.
type Chapter struct {
	Title   string
	Entries []Entry
}

// Chapters is all there is.
var Chapters = []Chapter{
	{"Verdicts", verdicts}, {"Limits", limits}, {"Claims", claims}, {"Time", readings}, {"Bounds of a row", bounds},
	{"How a search is made", searching}, {"Runs and traces", runs}, {"Other verbs", others},
}

// Find returns the entry of a word, as it is written or else in any case; ok is false when there is none.
// What stands behind a colon, as in "states: 100", is left out.
func Find(word string) (e Entry, ok bool) {
	word, _, _ = strings.Cut(strings.TrimSpace(word), ":")
	same := func(w string) bool { return w == word }
	alike := func(w string) bool { return strings.EqualFold(w, word) }
	for _, is := range []func(string) bool{same, alike} {
		for _, c := range Chapters {
			if i := slices.IndexFunc(c.Entries, func(e Entry) bool { return is(e.Word) || slices.ContainsFunc(e.Also, is) }); i >= 0 {
				return c.Entries[i], true
			}
		}
	}
	return Entry{}, false
}

// Words lists all words and their forms.
func Words() (all []string) {
	for _, c := range Chapters {
		for _, e := range c.Entries {
			all = append(append(all, e.Word), e.Also...)
		}
	}
	return all
}
