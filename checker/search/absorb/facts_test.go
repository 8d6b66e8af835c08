package absorb

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// What an absorber knows, in an order of its own.
type knowledge struct {
	held, after map[uint32][]uint32
	calls       map[uint32][]echo
	matter      map[string]string
}

func (a *Absorber) knows() knowledge {
	k := knowledge{map[uint32][]uint32{}, map[uint32][]uint32{}, map[uint32][]echo{}, a.Matter}
	for state, of := range a.absorbed {
		k.held[state] = slices.Sorted(slices.Values(of))
	}
	for state, of := range a.successors {
		k.after[state] = slices.Sorted(slices.Values(of))
	}
	for state, of := range a.Calls {
		k.calls[state] = slices.SortedFunc(slices.Values(of), func(a, b echo) int { return int(a.trigger) - int(b.trigger) })
	}
	return k
}

// The absorbers of several parts of a search know after each layer, when each has told the others what it has seen, what one
// knows that has seen it all.
func TestAbsorbersTellEachOther(t *testing.T) {
	refuted := 0
	for _, c := range kinds {
		b := onBench(t, c.reads(6, counts), nothing)
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, 1))
			alone, parts := New(b.e, nil), []*Absorber{New(b.e, nil), New(b.e, nil), New(b.e, nil)}
			for _, a := range parts {
				a.Tell()
			}
			for range 3 { // layers
				for range 1 + r.IntN(5) {
					part, from, to, m := parts[r.IntN(len(parts))], r.IntN(8), r.IntN(8), []any{letter{}, answer{}, tick{}}[r.IntN(3)]
					see := func(a *Absorber) bool { return c.ask(bench{a, b.Store}, from, m) }
					if r.IntN(2) == 0 {
						see = func(a *Absorber) bool {
							a.edge(b.at(receiver, from), b.at(receiver, to))
							return true
						}
					}
					if see(part) && !see(alone) {
						t.Fatalf("%s, seed %d: one that has seen it all does not absorb what another does", c.name, seed)
					}
				}
				news := [][]Fact{}
				for _, a := range parts {
					news = append(news, a.News())
				}
				for i, a := range parts {
					for j, facts := range news {
						for _, f := range facts {
							if i != j {
								a.Learn(f)
							}
						}
					}
					a.News() // which nobody else is to be told
				}
				for i, a := range parts {
					if got, want := a.knows(), alone.knows(); !reflect.DeepEqual(got, want) {
						t.Fatalf("%s, seed %d: part %d knows %v, and one that has seen it all %v", c.name, seed, i, got, want)
					}
				}
			}
			refuted += len(alone.Matter)
		}
	}
	if refuted < 100 {
		t.Errorf("only %d guesses are refuted", refuted)
	}
}

// An image of a transition has images itself: with those of neighbours in a row, each is exchanged with each. Transitions
// that come before others are settled wait for their turn.
func TestImagesOfImages(t *testing.T) {
	const servers = 5
	b := onBench(t, nothing, nil)
	at := func(server, k int) uint32 { return b.at(receiver, 10*server+k) }
	for s := range servers - 1 {
		swap := map[uint32]uint32{}
		for k := range 3 {
			swap[at(s, k)], swap[at(s+1, k)] = at(s+1, k), at(s, k)
		}
		b.Images = append(b.Images, func(local uint32) uint32 {
			if to, ok := swap[local]; ok {
				return to
			}
			return local
		})
	}
	b.edge(at(2, 0), at(2, 1))
	b.edge(at(2, 1), at(2, 2))
	for b.Settle(2) {
	}
	want := map[uint32][]uint32{}
	for s := range servers {
		want[at(s, 0)], want[at(s, 1)] = []uint32{at(s, 1)}, []uint32{at(s, 2)}
	}
	if !maps.EqualFunc(b.successors, want, slices.Equal) {
		t.Errorf("the transitions are %v, want %v", b.successors, want)
	}
}
