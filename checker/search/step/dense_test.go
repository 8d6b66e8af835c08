package step

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/checker/internal/random"
	"contend/checker/oracle"
	"contend/checker/zone"
	"contend/model"
)

// An automaton has the steps from each of its states, by what they are and where they lead but for the time.
type automaton struct {
	first []int
	steps []map[string][]int
	marks map[string]bool // claims that are broken, and failures
}

// at is the number of a state, which is new or known.
func (a *automaton) at(known map[string]int, key string) (n int, isNew bool) {
	n, met := known[key]
	if !met {
		n = len(a.steps)
		known[key] = n
		a.steps = append(a.steps, map[string][]int{})
	}
	return n, !met
}

func (a *automaton) step(from int, label string, to int) {
	if !slices.Contains(a.steps[from][label], to) {
		a.steps[from][label] = append(a.steps[from][label], to)
		slices.Sort(a.steps[from][label])
	}
}

// differ tells of a sequence of steps that only one of two automata has, and takes both from states to states at
// once.
func (a *automaton) differ(b *automaton) string {
	type both struct {
		a, b []int
		way  string // that led there
	}
	todo, met := []both{{a.first, b.first, ""}}, map[string]bool{}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		key := fmt.Sprint(at.a, at.b)
		if met[key] {
			continue
		}
		met[key] = true
		x, y := a.from(at.a), b.from(at.b)
		if !slices.Equal(slices.Sorted(maps.Keys(x)), slices.Sorted(maps.Keys(y))) {
			return fmt.Sprintf("after%s\nthere is a difference:\n%s", at.way, apart(labels(x), labels(y)))
		}
		for label := range x {
			todo = append(todo, both{x[label], y[label], at.way + "\n" + label})
		}
	}
	return apart(a.marks, b.marks)
}

func labels(steps map[string][]int) map[string]bool {
	all := map[string]bool{}
	for label := range steps {
		all[label] = true
	}
	return all
}

// from are the steps from any of some states.
func (a *automaton) from(states []int) map[string][]int {
	all := map[string][]int{}
	for _, s := range states {
		for label, to := range a.steps[s] {
			all[label] = append(all[label], to...)
		}
	}
	for label := range all {
		slices.Sort(all[label])
		all[label] = slices.Compact(all[label])
	}
	return all
}

// classes goes through the classes of dense time with a worker; nil if there are more than most.
func classes(w *Worker, most int) *automaton {
	type class struct {
		v []uint32
		z zone.Zone
	}
	a, known, all := &automaton{marks: map[string]bool{}}, map[string]int{}, []class(nil)
	monitors, from := monitored(w.Claims), -1
	note := func() {
		for _, b := range w.Move.Broken {
			if b.Monitor == Failing {
				a.marks[fails] = true
			} else {
				a.marks[monitors[b.Monitor].Name] = true
			}
		}
	}
	w.Fail = func([]uint32) { note() }
	w.Emit = func(v []uint32) {
		if note(); w.Sum != w.PrintOfState(v) {
			a.marks["a print that is not the sum of its parts"] = true
		}
		to, isNew := a.at(known, fmt.Sprint(v, w.Zones.Made))
		if isNew {
			all = append(all, class{slices.Clone(v), w.Zones.Made.Clone()})
		}
		if from < 0 {
			a.first = append(a.first, to)
			return
		}
		a.step(from, timeless(w.Move.Kind, stated(w, v)), to)
	}
	w.Initial()
	for from = 0; from < len(all); from++ {
		if len(all) > most {
			return nil
		}
		w.Zones.At.Set(all[from].z)
		w.Expand(all[from].v, w.PrintOfState(all[from].v))
	}
	return a
}

var times = regexp.MustCompile(` from \d.*`)

// timeless is a step and where it leads, but for windows and holds, which are of the zone.
func timeless(kind model.EventKind, text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.Contains(line, " holds ") })
	for i := range lines {
		lines[i] = times.ReplaceAllString(lines[i], "")
	}
	slices.Sort(lines)
	return fmt.Sprint(kind, ":\n", strings.Join(lines, "\n"))
}

// realTime is the automaton of brute force.
func realTime(s *model.System, claims []model.Claim, most int) (*automaton, error) {
	g, err := oracle.Explore(s, claims, oracle.Real, most)
	if err != nil {
		return nil, err
	}
	a := &automaton{marks: map[string]bool{}}
	if g.Failed {
		a.marks[fails] = true
	}
	for i, at := range g.States {
		a.steps = append(a.steps, map[string][]int{})
		for claim := range at.Broken {
			a.marks[claim] = true
		}
		for _, e := range at.Edges {
			a.step(i, timeless(e.Kind, g.States[e.To].Text), e.To)
		}
	}
	for claim := range g.Broken {
		if claim != model.NoHandlerFails {
			a.marks[claim] = true
		}
	}
	a.first = g.First
	return a, nil
}

// In dense time a worker takes the same steps one after another as brute force does in real time, and they break the
// same claims.
func TestStepsInRealTime(t *testing.T) {
	compared := 0
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		if it.Reading != model.Dense || it.System.Forge != nil {
			continue // brute force also waits for what is forged and makes no difference
		}
		claims := watched(it.Claims)
		w := working(t, it.System, dense, claims...)
		w.Uses.Settles = true
		got := classes(w, 400)
		want, err := realTime(it.System, claims, most)
		if err != nil || got == nil {
			t.Fatalf("seed %d (%v): the worker has too many classes: %v, and brute force: %v", seed, it, got == nil, err)
		}
		compared++
		if d := got.differ(want); d != "" {
			t.Fatalf("seed %d (%v): %s", seed, it, d)
		}
	}
	if compared < 30 {
		t.Errorf("only %d systems are compared", compared)
	}
}

// narrowed counts the parts of the successor that was just made to which fewer points of the class lead than to all of
// it: those where two parts are as far apart as they can be.
func narrowed(w *Worker, whole zone.Zone) (n int) {
	for i := range w.Zones.Made.N {
		for j := range w.Zones.Made.N {
			b := w.Zones.Made.At(i, j)
			part := w.Zones.Made.Clone()
			if i == j || b == zone.None || b&1 == 0 || !part.Limit(j, i, 2-b) {
				continue // it has no such end, or does not reach it
			}
			if before, ok := w.Zones.Unmake(part); ok && fmt.Sprint(before) != fmt.Sprint(whole) {
				n++
			}
		}
	}
	return n
}

// The points of a class from which a step leads to its successor are points of the class, and lead there; to some parts of
// it fewer lead.
func TestUnmake(t *testing.T) {
	type way struct {
		before zone.Zone
		to     string
	}
	unmade, narrow := 0, 0
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		if it.Reading != model.Dense {
			continue
		}
		w := working(t, it.System, dense, watched(it.Claims)...)
		w.Uses.Settles = true
		var v []uint32
		var at zone.Zone
		known := map[string]bool{}
		w.Emit = func(first []uint32) { v, at = slices.Clone(first), w.Zones.Made.Clone() }
		for w.Initial(); v != nil; { // to the last successor each time
			from, class := v, at
			var ways []way
			leads := map[string]bool{}
			expand := func(at zone.Zone, each func(to string)) {
				w.Zones.At.Set(at)
				w.Emit = func(next []uint32) {
					each(fmt.Sprint(w.Move.Kind, w.Move.Base, w.Move.Picks, next, w.Zones.Made))
					v = slices.Clone(next)
				}
				w.Expand(from, w.PrintOfState(from))
			}
			v = nil
			var next zone.Zone
			expand(class, func(to string) {
				before, ok := w.Zones.Unmake(w.Zones.Made)
				if !ok {
					t.Fatalf("seed %d: nothing leads to %s", seed, to)
				}
				narrow += narrowed(w, before)
				ways, next = append(ways, way{before.Clone(), to}), w.Zones.Made.Clone()
			})
			then := v
			for _, way := range ways {
				for i := range class.N {
					for j := range class.N {
						if way.before.At(i, j) > class.At(i, j) {
							t.Fatalf("seed %d: %v is not in %v", seed, way.before, class)
						}
					}
				}
				clear(leads)
				expand(way.before, func(to string) { leads[to] = true })
				if unmade++; !leads[way.to] {
					t.Fatalf("seed %d: %v of %v does not lead to %s", seed, way.before, class, way.to)
				}
			}
			if v, at = then, next; known[fmt.Sprint(v, at)] {
				break // it goes round
			}
			known[fmt.Sprint(v, at)] = true
		}
	}
	if unmade < 300 || narrow < 100 {
		t.Errorf("only %d steps are taken back, %d to a part", unmade, narrow)
	}
}
