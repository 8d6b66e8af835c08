// Package object has the objects that clients replicate: what may be called on each, as
// a sequential specification, and what clients are made to call.
package object

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
)

// A Call is an operation on a replicated object, and says all there is to know of
// the object: a plain value whose Do returns what may become of a state, at least
// one effect. A state of nil is the object's first. Results are compared with ==.
type Call interface {
	Do(state any) []model.Effect
}

// Spec is the sequential specification of what the calls say.
var Spec = model.Object{
	Name:  "replicated object",
	Types: Types,
	Step:  func(state any, _ model.NodeID, call any) []model.Effect { return call.(Call).Do(state) },
}

// Types are the types of the calls and of the states they make.
var Types = []any{
	Append{}, Log{}, Read{}, Write{}, Add{}, Lookup{}, Put{}, Map{}, Deal{}, Dealt{},
}

// Renamed are the names that the types had in traces of the first version.
var Renamed = func() map[string]string {
	names := map[string]string{}
	for _, v := range Types {
		now := fmt.Sprintf("%T", v)
		names["ordering"+strings.TrimPrefix(now, "object")] = now
	}
	return names
}()

// A Workload is what clients do with one object: the k-th call of a client, both
// from 0.
type Workload func(client, k int) Call

// Append appends an entry to an append-only log, and returns its place, from 1.
type Append struct{ Entry string }

// A Log is an append-only log.
type Log []string

// Do appends.
func (a Append) Do(state any) []model.Effect {
	log, _ := state.(Log)
	log = append(slices.Clone(log), a.Entry)
	return []model.Effect{{State: log, Result: len(log)}}
}

// Appends lets each entry be told from any other.
func Appends(client, k int) Call { return Append{string(rune('a'+client)) + string(rune('1'+k))} }

// Read returns what a register holds, at first the empty string.
type Read struct{}

// Do reads.
func (Read) Do(state any) []model.Effect {
	held, _ := state.(string)
	return []model.Effect{{State: state, Result: held}}
}

// Write changes what a register holds.
type Write struct{ To string }

// Do writes.
func (w Write) Do(any) []model.Effect { return []model.Effect{{State: w.To}} }

// ReadsAndWrites lets the first client write first, and the second read.
func ReadsAndWrites(client, k int) Call {
	if (client+k)%2 == 0 {
		return Write{string(rune('a'+client)) + string(rune('1'+k))}
	}
	return Read{}
}

// Add adds to a counter, and returns the sum.
type Add struct{ N int }

// Do adds.
func (a Add) Do(state any) []model.Effect {
	sum, _ := state.(int)
	return []model.Effect{{State: sum + a.N, Result: sum + a.N}}
}

// Adds lets each client add a number of its own.
func Adds(client, _ int) Call { return Add{1 + client} }

// Lookup returns the value of a key in a map, "" if there is none.
type Lookup struct{ Key string }

// A Map is a key-value map.
type Map map[string]string

// Do looks up.
func (l Lookup) Do(state any) []model.Effect {
	m, _ := state.(Map)
	return []model.Effect{{State: state, Result: m[l.Key]}}
}

// Put sets the value of a key, and returns the one it had.
type Put struct{ Key, Value string }

// Do puts.
func (p Put) Do(state any) []model.Effect {
	m, _ := state.(Map)
	next := Map{p.Key: p.Value}
	for k, v := range m {
		if k != p.Key {
			next[k] = v
		}
	}
	return []model.Effect{{State: next, Result: m[p.Key]}}
}

// PutsAndLookups lets clients meet at one key and pass each other at others.
func PutsAndLookups(client, k int) Call {
	switch k % 3 {
	case 0:
		return Put{"x", string(rune('a' + client))}
	case 1:
		return Lookup{"x"}
	}
	return Put{string(rune('a' + client)), "y"}
}

// Deal deals a card that was not dealt yet, and returns it; 0 when none is left. It
// is nondeterministic: which card is drawn by the client that applies it.
type Deal struct{}

// Dealt are the cards that were dealt, of those from 1 to [Cards].
type Dealt map[int]bool

// Cards is how many cards a pack has.
const Cards = 3

// Do deals.
func (Deal) Do(state any) []model.Effect {
	dealt, _ := state.(Dealt)
	var effects []model.Effect
	for card := 1; card <= Cards; card++ {
		if dealt[card] {
			continue
		}
		next := maps.Clone(dealt)
		if next == nil {
			next = Dealt{}
		}
		next[card] = true
		effects = append(effects, model.Effect{State: next, Result: card})
	}
	if effects == nil {
		return []model.Effect{{State: state, Result: 0}}
	}
	return effects
}

// Deals lets clients deal.
func Deals(int, int) Call { return Deal{} }
