package step

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/checker/search/reduce"
	"contend/lab/random"
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
	var present []uint32       // the state that is expanded
	var led map[int32]bool     // turns of it that lead somewhere
	var turns map[string]int32 // by what was drawn and chosen before
	var moves [][]uint32       // of it, of which so many are tosses
	tossed, moved := 0, false  // and one is of an event that has to happen some time, or lets time pass until a coin is tossed
	w.Emit = func(next []uint32) {
		if coins.Tossed && led != nil {
			turnsFit(t, w, led, turns)
			timesFit(t, w, present, next)
			switch k := w.Move.Kind; {
			case k == tossing || k == Passing && w.Undecided(next) >= 0:
				moved = true
			case k < model.Lose && k != model.Expire:
				moved = moved || !w.Store.Bases.Items[w.Move.Base].Optional
			}
			moves = append(moves, slices.Clone(next))
			if w.Move.Kind == tossing {
				tossed++
			}
		}
		v := slices.Clone(next)
		SortParts(v[w.Head:])
		if w.Sum != w.PrintOfState(v) {
			t.Fatalf("%v: the print is not the sum of its parts", w.Move)
		}
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
		present, led, turns, moves, tossed, moved = states[k], map[int32]bool{}, map[string]int32{}, nil, 0, false
		w.Expand(states[k], w.PrintOfState(states[k]))
		if coins.Tossed {
			if moved && !w.Movable {
				t.Fatalf("%v: something happens, or a coin is tossed then or when time has passed, and nothing moves", states[k])
			}
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
func turnsFit(t *testing.T, w *Worker, led map[int32]bool, turns map[string]int32) {
	t.Helper()
	is := liveness.Step{Event: moveEvent(w.Move), Passes: w.Move.Delay > 0}
	want, steps := []bool{false}, []liveness.Step{{}}
	turn := func(chance bool, by liveness.Step) {
		if want[len(want)-1] != chance {
			want, steps = append(want, chance), append(steps, by)
		}
	}
	var upTo []int // by answer: the turn at which it is given, of those that are wanted
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
			upTo = append(upTo, len(want)-1)
		}
		turn(false, is)
	}
	var got []bool
	var by []liveness.Step
	var through []int32
	for at := w.Turns.At; ; at = w.Turns.All[at].From {
		led[at] = true
		through = append(through, at)
		got, by = append(got, w.Turns.All[at].Chance), append(by, w.Turns.All[at].Step)
		if at == 0 {
			break
		}
	}
	slices.Reverse(got)
	slices.Reverse(by)
	slices.Reverse(through)
	if !slices.Equal(got, want) || !slices.Equal(by, steps) {
		t.Fatalf("against %v, %v: turns of chance %v by %v, and not %v by %v", w.Coins.Against, w.Move, got, by, want, steps)
	}
	for n := range w.Move.Picks { // what is asked behind the same answers is asked at the same turn
		key := fmt.Sprint(w.Move.Kind, w.Move.Slot, w.Move.index, w.Move.Delay, w.Move.Picks[:n])
		if before, met := turns[key]; met && before != through[upTo[n]] {
			t.Fatalf("%v: answer %d is given at turn %d, and another one at %d", w.Move, n+1, through[upTo[n]], before)
		}
		turns[key] = through[upTo[n]]
	}
}

// timesFit asserts that a move takes as long as it says: what else is pending has so much less time left where time alone passes, or a gambler
// is told that an alarm rings. No coin is passed over on the way that might fall, and need not.
func timesFit(t *testing.T, w *Worker, v, next []uint32) {
	t.Helper()
	_, gambles := w.Protos[0].(*gambler)
	for _, id := range v[w.Head:] {
		f := w.Flats[id]
		if f.Coin && f.Lo < f.Hi && w.Move.Kind < Passing && f.Lo <= w.Move.Delay {
			t.Fatalf("%v passes over %+v", w.Move, f)
		}
		if f.Kind >= component.Hold || f.Optional || f.Hi == component.Endless || w.Move.Kind != Passing && (!gambles || w.Move.Kind == tossing || f.Base == w.Move.Base) {
			continue
		}
		if !slices.ContainsFunc(next[w.Head:], func(id uint32) bool { g := w.Flats[id]; return g.Base == f.Base && g.Hi == f.Hi-w.Move.Delay }) {
			t.Fatalf("%v: of %+v not so much is left", w.Move, f)
		}
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

// A gambler has two alarms, and draws and chooses in turn when one rings, perhaps only after what it drew or chose.
type gambler struct {
	windows [6]model.Window // of an alarm, by state, and of the other one
	draws   [4]int          // of how many, by state; 0: nothing more
	last    [4]bool         // it draws at the end, too

	State int
}

func (g *gambler) Start(env model.Env) {
	env.After(0, g.windows[0])
	env.After(1, g.windows[4])
}

func (g *gambler) Timeout(env model.Env, key any) {
	if n := g.draws[g.State]; n > 0 {
		drawn := env.Draw(n)
		g.State = (g.State + 2*drawn + env.Choose(1+drawn)) % 4
	}
	if g.last[g.State] {
		g.State = (g.State + env.Draw(2)) % 4
	}
	if key == 0 {
		env.After(0, g.windows[g.State])
	} else {
		env.After(1, g.windows[4+g.State%2])
	}
}

// gambling is a random gambler, and in some cases another one.
func gambling(seed uint64) *model.System {
	r := rand.New(rand.NewPCG(seed, 43))
	s := &model.System{}
	for i := range 1 + r.IntN(3)/2 {
		var like gambler
		for k := range like.windows {
			lo := model.Ticks(r.IntN(2))
			hi := lo + model.Ticks(r.IntN(4))
			like.windows[k] = []model.Window{model.Uniform(lo, max(hi, 1)), model.Between(lo, max(hi, 1))}[r.IntN(3)/2]
		}
		for k := range like.draws {
			like.draws[k], like.last[k] = r.IntN(4), r.IntN(2) == 0
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("g", i), Role: model.Peer, New: func() model.Node { g := like; return &g }})
	}
	return s
}

// Whoever decides about draws and the instants of coins, and whatever the adversary knows of them, a system comes to the same states.
func TestCoinsLeadNowhereElse(t *testing.T) {
	compared := 0
	for seed := range uint64(500) {
		if it := random.Draw(seed); it.Reading == model.Grid && it.System.Forge == nil && !it.Fails {
			compared += leadNowhereElse(t, fmt.Sprintf("seed %d (%v)", seed, it), it.System)
		}
		if seed%8 == 0 {
			compared += leadNowhereElse(t, fmt.Sprintf("gambling %d", seed), gambling(seed))
		}
	}
	if t.Log(compared); compared < 150 {
		t.Errorf("only %d are compared", compared)
	}
}

func leadNowhereElse(t *testing.T, name string, s *model.System) (compared int) {
	t.Helper()
	var want map[string]bool
	if refused := FailureOf(func() { want = reached(t, s, component.Coins{}, 60) }); refused != "" || want == nil {
		return 0
	}
	for against := range model.Adversary(3) {
		got := reached(t, s, component.Coins{Tossed: true, Against: against}, 1500)
		if got == nil {
			continue
		}
		compared++
		for text := range got {
			if !want[text] {
				t.Fatalf("%s, against %v: more:\n%s", name, against, text)
			}
		}
		for text := range want {
			if !got[text] {
				t.Fatalf("%s, against %v: less:\n%s", name, against, text)
			}
		}
	}
	return compared
}
