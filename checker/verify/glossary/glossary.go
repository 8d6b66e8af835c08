// Package glossary defines the printed words: verdicts, limits, the columns and bounds of tables. The verb explain
// prints it, and docs/glossary.md is generated from it.
package glossary

import (
	"slices"
	"strings"
)

// An Entry is a word, or several with one meaning.
type Entry struct {
	Word    string
	Also    []string // other forms, under which it is found
	Meaning string   // in sentences
	See     []string // other words
}

// A Chapter is a group of entries.
type Chapter struct {
	Title   string
	Entries []Entry
}

// Chapters is the whole glossary.
var Chapters = []Chapter{
	{"Verdicts", verdicts}, {"Limits", limits}, {"Claims", claims}, {"Time", readings}, {"Bounds of a row", bounds},
	{"How a search is made", searching}, {"Runs and traces", runs}, {"Other verbs", others},
}

// Find returns the entry of a word. It prefers an exact match, and ignores case otherwise. It omits the text
// behind a colon, as in "states: 100".
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

// Words returns all words and their forms.
func Words() (all []string) {
	for _, c := range Chapters {
		for _, e := range c.Entries {
			all = append(append(all, e.Word), e.Also...)
		}
	}
	return all
}
