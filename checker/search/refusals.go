package search

import (
	"fmt"
	"maps"
	"slices"
)

// guesses are what a search does not assume any more.
type guesses struct {
	spared map[string]bool // messages, by type, that absorption leaves alone
	unlike map[string]bool // groups that are not interchangeable
	notes  []string
}

func newGuesses() guesses { return guesses{spared: map[string]bool{}, unlike: map[string]bool{}} }

// learn takes what a search found to be wrong; false when it found nothing.
func (g *guesses) learn(r refusals) bool {
	for _, message := range slices.Sorted(maps.Keys(r.matter)) {
		g.spared[message] = true
		g.notes = append(g.notes, absorptionOff(message, r.matter[message]))
	}
	for _, name := range slices.Sorted(maps.Keys(r.unlike)) {
		g.unlike[name] = true
		g.notes = append(g.notes, fmt.Sprintf("symmetry of %s is refused: %s", name, slices.Min(r.unlike[name])))
	}
	return r.any()
}

func absorptionOff(message, why string) string {
	return fmt.Sprintf("stale absorption is off for %s: one that did nothing %s", message, why)
}

// refusals are what the search found that it had assumed wrongly. It goes on to the
// end of the layer, so that what is refused does not depend on who found it first, and
// begins again.
type refusals struct {
	matter map[string]string   // messages, by type, that were absorbed and matter, with what they did
	unlike map[string][]string // why the members of a group are not interchangeable
}

func (r refusals) any() bool { return len(r.matter)+len(r.unlike) > 0 }

func (x *explorer) refusals() (r refusals) {
	for _, one := range x.reductions {
		one.refuse(&r)
	}
	return r
}

// refused reports whether there are any.
func (x *explorer) refused() bool { return x.refusals().any() }
