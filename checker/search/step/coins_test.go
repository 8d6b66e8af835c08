package step

import (
	"slices"
	"strings"
	"testing"

	"contend/checker/internal/random"
	"contend/checker/search/component"
	"contend/checker/search/reduce"
	"contend/model"
	"contend/model/value"
)

// reached are the states that a worker comes to, as far as it is about nodes; nil where there are more than most. Draws and instants of coins are
// chance's against an adversary, or else choices like any other.
func reached(t *testing.T, s *model.System, coins component.Coins, most int) map[string]bool {
	t.Helper()
	codec, err := value.For(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := component.NewStore(s, codec, nil, true, component.ExactGrid(1))
	st.Coins = coins
	e := NewEngine(st)
	e.Uses = reduce.Uses{Equals: true}
	w := NewWorker(e)
	all, known := map[string]bool{}, map[string]bool{}
	var states [][]uint32
	w.Fail = func([]uint32) {}
	w.Emit = func(next []uint32) {
		v := slices.Clone(next)
		SortParts(v[w.Head:])
		text := stated(w, v)
		all[strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return !strings.Contains(line, " busy ") }), "\n")] = true
		if !known[text] {
			known[text] = true
			states = append(states, v)
		}
	}
	w.Initial()
	for k := 0; k < len(states); k++ {
		if len(states) > most {
			return nil
		}
		w.Expand(states[k], w.PrintOfState(states[k]))
	}
	return all
}

// Whoever decides about draws and the instants of coins, and whatever the adversary knows of them, a system comes to the same states.
func TestCoinsLeadNowhereElse(t *testing.T) {
	compared := 0
	for seed := range uint64(1200) {
		it := random.Draw(seed)
		if it.Reading != model.Grid || it.System.Forge != nil {
			continue
		}
		var want map[string]bool
		if refused := FailureOf(func() { want = reached(t, it.System, component.Coins{}, 60) }); refused != "" || want == nil {
			continue
		}
		for against := range model.Adversary(3) {
			got := reached(t, it.System, component.Coins{Tossed: true, Against: against}, 1500)
			if got == nil {
				continue
			}
			compared++
			for _, c := range []struct {
				what string
				a, b map[string]bool
			}{{"more", got, want}, {"less", want, got}} {
				for text := range c.a {
					if !c.b[text] {
						t.Fatalf("seed %d (%v), against %v: %s:\n%s", seed, it, against, c.what, text)
					}
				}
			}
		}
	}
	if t.Log(compared); compared < 200 {
		t.Errorf("only %d are compared", compared)
	}
}
