package concurrent

import "strings"

// Chance is what is left to chance in a run, a bit each.
type Chance uint32

// What is left to chance.
const (
	RandomNumbers Chance = 1 << iota // of package math/rand
	MapOrder                         // of a range over a map with several entries, or over a sync.Map
	PoolContents                     // whether a sync.Pool still has what was put into it
)

var chances = [...]string{"random numbers", "the order of maps", "what a Pool keeps"}

// String lists what is left to chance.
func (c Chance) String() string {
	var all []string
	for i, name := range chances {
		if c&(1<<i) != 0 {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}

// note is what the program notes of a run: a Chance, and unseen.
type note uint32

// unseen is noted where data races were not looked for to the end.
const unseen note = 1 << 3
