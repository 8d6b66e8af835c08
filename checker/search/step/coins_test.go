package step

import (
	"slices"
	"strings"
	"testing"

	"contend/checker/internal/random"
	"contend/checker/search/component"
	"contend/checker/search/liveness"
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
	var led map[int32]bool // turns of the state that is expanded that lead somewhere
	var moves [][]uint32   // of the state, of which so many are tosses
	tossed := 0
	w.Emit = func(next []uint32) {
		if coins.Tossed && led != nil {
			turnsFit(t, w, led)
			moves = append(moves, slices.Clone(next))
			if w.Move.Kind == tossing {
				tossed++
			}
		}
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
		led, moves, tossed = map[int32]bool{}, nil, 0
		w.Expand(states[k], w.PrintOfState(states[k]))
		if coins.Tossed {
			tossesFit(t, w, states[k], moves, tossed)
		}
		for i := range w.Turns.All {
			if p := w.Turns.All[i]; i > 0 && !led[int32(i)] && p.Step != (liveness.Step{}) && len(s.Cuts) == 0 {
				t.Fatalf("turn %d leads nowhere: %+v", i, w.Turns.All)
			}
		}
	}
	return all
}

// turnsFit asserts that a step is taken at a turn that its draws and choices lead to: each draw is chance's, and what comes after it is the
// adversary's. A nonadaptive one leaves to chance what happens next, but for the applications and the environment.
func turnsFit(t *testing.T, w *Worker, led map[int32]bool) {
	t.Helper()
	is := liveness.Step{Event: eventOf(w.Move), Passes: w.Move.Delay > 0}
	want, steps := []bool{false}, []liveness.Step{{}}
	turn := func(chance bool, by liveness.Step) {
		if want[len(want)-1] != chance {
			want, steps = append(want, chance), append(steps, by)
		}
	}
	k := w.Move.Kind
	if w.Coins.Against == model.Nonadaptive && k != Passing && w.Move.Delay != 0 {
		t.Fatalf("%v: time passes beside a step", w.Move)
	}
	if w.Coins.Against == model.Nonadaptive && (k == Passing || k < model.Lose && k != model.Invoke && k != model.Release) {
		turn(true, liveness.Step{})
	}
	if k < Passing {
		turn(false, is) // that which happens
		for _, p := range w.Move.Picks {
			turn(p.Drawn, is)
		}
		turn(false, is)
	}
	var got []bool
	var by []liveness.Step
	for at := w.Turns.At; ; at = w.Turns.All[at].From {
		led[at] = true
		got, by = append(got, w.Turns.All[at].Chance), append(by, w.Turns.All[at].Step)
		if at == 0 {
			break
		}
	}
	slices.Reverse(got)
	slices.Reverse(by)
	if !slices.Equal(got, want) || !slices.Equal(by, steps) {
		t.Fatalf("against %v, %v: turns of chance %v by %v, and not %v by %v", w.Coins.Against, w.Move, got, by, want, steps)
	}
}

// tossesFit asserts that a coin is tossed as soon as it may fall and need not, or for a foreseeing adversary as soon as it is set, and nothing
// else happens there. The outcomes are all instants that are left, each once: but for a foreseeing one, now or later.
func tossesFit(t *testing.T, w *Worker, v []uint32, moves [][]uint32, tossed int) {
	t.Helper()
	var coin component.Flat
	for _, id := range v[w.Head:] {
		if f := w.Flats[id]; f.Coin && f.Lo < f.Hi && (f.Lo == 0 || w.Coins.Against == model.Foreseeing) && coin == (component.Flat{}) {
			coin = f
		}
	}
	if coin == (component.Flat{}) {
		if tossed > 0 {
			t.Fatalf("of %v there is nothing to toss", v)
		}
		return
	}
	var got, want [][2]int32
	for _, next := range moves {
		for _, id := range next[w.Head:] {
			if f := w.Flats[id]; !slices.Contains(v[w.Head:], id) {
				if got = append(got, [2]int32{f.Lo, f.Hi}); f.Base != coin.Base || !f.Coin {
					t.Fatalf("%+v comes of tossing %+v", f, coin)
				}
			}
		}
	}
	if w.Coins.Against == model.Foreseeing {
		for at := coin.Lo; at <= coin.Hi; at++ {
			want = append(want, [2]int32{at, at})
		}
	} else {
		want = [][2]int32{{0, 0}, {1, coin.Hi}}
	}
	if tossed != len(moves) || !slices.Equal(got, want) {
		t.Fatalf("%d of %d moves toss %+v, with outcomes %v, not %v", tossed, len(moves), coin, got, want)
	}
}

// Whoever decides about draws and the instants of coins, and whatever the adversary knows of them, a system comes to the same states.
func TestCoinsLeadNowhereElse(t *testing.T) {
	compared := 0
	for seed := range uint64(1200) {
		it := random.Draw(seed)
		if it.Reading != model.Grid || it.System.Forge != nil || it.Fails {
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
