package step

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/lab/random"
	"contend/model"
)

// expanded lists the successors of a state, made at once or of drafts, each with its print, which
// has to be that of its components; drafts says how many were drafts.
func expanded(t *testing.T, w *Worker, v []uint32, drafting bool) (all []string, drafts int) {
	t.Helper()
	note := func(next []uint32) {
		next = slices.Clone(next)
		SortParts(next[w.Head:])
		if w.Sum != w.PrintOfState(next) {
			t.Fatalf("%v: the print is %x, and that of the components %x", w.Move.Kind, w.Sum, w.PrintOfState(next))
		}
		all = append(all, fmt.Sprint(w.Move.Kind, w.Move.Base, w.Move.Delay, next, w.Sum))
	}
	w.Emit, w.Sketch = note, nil
	if drafting {
		w.Sketch = func(d Draft) {
			drafts++
			note(d.Make(nil))
		}
	}
	w.Expand(v, w.PrintOfState(v))
	w.Sketch = nil
	if int(w.Emitted) != len(all) {
		t.Fatalf("%d successors are counted, and %d handed on", w.Emitted, len(all))
	}
	return all, drafts
}

// A draft is the successor that it stands for: made, it is the state that the step would have
// made, with the same print, in the same place among the others. So it is in every state of random
// systems; and no draft is made where a send does more than add a message.
func TestDraftsAreSuccessors(t *testing.T) {
	drafts, without := 0, 0
	compare := func(name string, s *model.System, timing reading, most int) {
		w := working(t, s, timing)
		may := !timing.timed && s.Network.Channel == model.Bag && s.Faults.Crashes+s.Faults.Restarts+s.Faults.Partitions == 0
		met, states := map[fingerprint.Print]bool{}, firsts(w)
		for k := 0; k < len(states) && k < most; k++ {
			made, _ := expanded(t, w, states[k], false)
			drawn, n := expanded(t, w, states[k], true)
			if !slices.Equal(made, drawn) {
				t.Fatalf("%s: made\n%q\nof drafts\n%q", name, made, drawn)
			}
			if drafts += n; n > 0 && !may {
				t.Fatalf("%s: a draft is made", name)
			} else if !may {
				without++
			}
			for _, n := range next(w, states[k]) {
				if !met[n.sum] {
					met[n.sum] = true
					states = append(states, n.v)
				}
			}
		}
	}
	for seed := range uint64(60) {
		s := random.System(rand.New(rand.NewPCG(seed, 1)), true)
		if seed%2 == 0 {
			s.Network.Channel, s.Faults = model.Bag, model.Faults{Loss: int(seed) / 2 % 2}
		}
		compare(fmt.Sprintf("machines %d", seed), s, []reading{untimed, untimed, grid}[seed%3], 40)
	}
	for _, seed := range seeds(t) {
		if it := random.Draw(seed); it.Reading == model.Untimed {
			compare(fmt.Sprintf("seed %d", seed), it.System, untimed, 15)
		}
	}
	if drafts < 100 || without < 100 {
		t.Errorf("%d drafts, %d states without any: too few", drafts, without)
	}
}

// A run names the events that it takes by their occurrence: among events of one kind, between the
// same nodes, of one type, in the order in which they came about.
func TestOccurrences(t *testing.T) {
	sends := func(values ...any) func(env model.Env) {
		return func(env model.Env) {
			for _, m := range values {
				env.Send(1, m)
			}
		}
	}
	for _, c := range []struct {
		name    string
		channel model.Channel
		begins  func(env model.Env)
		takes   []any // messages to be delivered in turn
		want    []int32
	}{
		{"one after the other", model.Bag, sends(1, 2, 3), []any{1, 2, 3}, []int32{1, 2, 3}},
		{"the last first", model.Bag, sends(1, 2, 3), []any{3, 1, 2}, []int32{3, 1, 2}},
		{"of equal ones the oldest", model.Bag, sends(7, 8, 7), []any{7, 7, 8}, []int32{1, 3, 2}},
		{"of another type", model.Bag, sends(1, "a", 2), []any{"a", 2, 1}, []int32{1, 2, 1}},
		{"one that has moved up", model.FIFO, sends(7, 7, 7), []any{7, 7, 7}, []int32{1, 2, 3}},
		{"one that comes about later", model.Bag, sends(1, 9), []any{9, 5, 1, 6}, []int32{2, 3, 1, 4}},
	} {
		answers := func(_ *node, env model.Env, _ any) { sends(5, 6)(env) }
		s := system(model.Peer, model.Anytime(), node{begins: c.begins, hears: answers}, node{hears: func(n *node, env model.Env, m any) {
			if m == 9 {
				env.Send(0, "again")
			}
		}})
		s.Network.Channel = c.channel
		if got := occurrences(t, working(t, s, untimed), c.takes); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// occurrences takes a run that delivers messages to the second node in turn, and returns the
// occurrence of each. What is sent to the first is delivered at once.
func occurrences(t *testing.T, w *Worker, takes []any) (all []int32) {
	t.Helper()
	var v []uint32
	cast := Cast{}
	step := func(expand func(), wanted func(f component.Base) bool) (occurrence int32, ok bool) {
		var trail Trail
		var to []uint32
		w.Emit = func(next []uint32) {
			if to == nil && wanted(w.Store.Bases.Items[w.Move.Base]) {
				trail, to, occurrence = w.Tracker.Saved(), slices.Clone(next), w.Occurrence(w.Move)
			}
		}
		if w.Track(cast, expand); to == nil {
			return 0, false
		}
		v, cast = to, w.After(cast, trail)
		SortCast(v[w.Head:], cast.Is)
		return occurrence, true
	}
	expand := func() { w.Expand(v, w.PrintOfState(v)) }
	step(w.Initial, func(component.Base) bool { return true })
	for _, m := range takes {
		occurrence, ok := step(expand, func(b component.Base) bool {
			return b.Slot == 1 && w.Decoded(b.Value) == m
		})
		if !ok {
			t.Fatalf("%v is not delivered", m)
		}
		all = append(all, occurrence)
		step(expand, func(b component.Base) bool { return b.Slot == 0 })
	}
	return all
}
