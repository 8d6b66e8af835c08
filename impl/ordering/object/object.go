// Package object has the replicated objects: the calls of each object with their sequential specification, and the
// workloads of clients.
package object

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
)

// A Call is an operation on a replicated object, a plain value. Do returns the possible effects on a state, at least
// one. A nil state is the object's initial state. Results are compared with ==.
type Call interface {
	Do(state any) []model.Effect
}

// Spec is the sequential specification of all calls.
var Spec = model.Object{
	Name:  "replicated object",
	Types: Types,
	Step:  func(state any, _ model.NodeID, call any) []model.Effect { return call.(Call).Do(state) },
}

// Types are the types of the calls and of their states.
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

// A Workload returns the k-th call of a client, both from 0. It is called once for each operation of a script.
type Workload func(client, k int) Call

// Append appends an entry to an append-only log, and returns its index, from 1.
type Append struct{ Entry string }

// A Log is an append-only log.
type Log []string

// Do appends.
func (a Append) Do(state any) []model.Effect {
	log, _ := state.(Log)
	log = append(slices.Clone(log), a.Entry)
	return []model.Effect{{State: log, Result: len(log)}}
}

// Appends returns a call that appends a distinct entry.
func Appends(client, k int) Call { return Append{string(rune('a'+client)) + string(rune('1'+k))} }

// Read returns the content of a register, at first the empty string.
type Read struct{}

// Do reads.
func (Read) Do(state any) []model.Effect {
	held, _ := state.(string)
	return []model.Effect{{State: state, Result: held}}
}

// Write replaces the content of a register.
type Write struct{ To string }

// Do writes.
func (w Write) Do(any) []model.Effect { return []model.Effect{{State: w.To}} }

// ReadsAndWrites returns writes and reads in turn. The first client begins with a write, the second with a read.
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

// Adds returns a call that adds a different number for each client.
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

// Put sets the value of a key, and returns the previous value.
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

// PutsAndLookups returns calls that conflict on one key and are independent on others.
func PutsAndLookups(client, k int) Call {
	switch k % 3 {
	case 0:
		return Put{"x", string(rune('a' + client))}
	case 1:
		return Lookup{"x"}
	}
	return Put{string(rune('a' + client)), "y"}
}

// Deal deals a card that was not dealt yet, and returns it, or 0 if none is left. It is nondeterministic: the client
// that applies it draws the card.
type Deal struct{}

// Dealt are the dealt cards, from 1 to [Cards].
type Dealt map[int]bool

// Cards is the number of cards in a pack.
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

// Deals returns a Deal.
func Deals(int, int) Call { return Deal{} }
