package concurrent

import "strings"

// A Chance is a set of sources of randomness in a run, one bit each.
type Chance uint32

// What is left to chance.
const (
	RandomNumbers Chance = 1 << iota // of package math/rand
	MapOrder                         // of a range over a map with several entries, or over a sync.Map
	PoolContents                     // whether a sync.Pool still has what was put into it
)

var chances = [...]string{"random numbers", "the order of maps", "what a Pool keeps"}

// String returns the list of the sources.
func (c Chance) String() string {
	var all []string
	for i, name := range chances {
		if c&(1<<i) != 0 {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}

// A note is what the program reports about a run: a Chance, and unseen.
type note uint32

// unseen is set if data races were not detected to the end.
const unseen note = 1 << 3
