package search

import (
	"fmt"
	"maps"
	"slices"
)

// guesses are the assumptions that a search no longer makes.
type guesses struct {
	spared map[string]bool // types of messages that are not absorbed
	unlike map[string]bool // groups that are not permuted
	notes  []string
}

func newGuesses() guesses { return guesses{spared: map[string]bool{}, unlike: map[string]bool{}} }

// learn adds the refusals of a search. It reports whether there are any.
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

// refusals are the assumptions that a search found to be wrong. The search continues to the end of the layer, so
// that the refusals do not depend on the workers, and then starts again.
type refusals struct {
	matter map[string]string   // types of absorbed messages that matter, with their effect
	unlike map[string][]string // groups that are not interchangeable, with the reasons
}

func (r refusals) any() bool { return len(r.matter)+len(r.unlike) > 0 }

func (x *explorer) refusals() (r refusals) {
	for _, one := range x.reductions {
		one.refuse(&r)
	}
	return r
}

// refused reports whether there are refusals.
func (x *explorer) refused() bool { return x.refusals().any() }
