package step

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/checker/zone"
	"contend/lab/oracle"
	"contend/lab/random"
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

// Askers hold, and ask whether that lasts, at each end of holds that exclude theirs and of others.
func TestStepsInRealTimeWithAnAsker(t *testing.T) {
	compared := 0
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		if it.Reading != model.Dense || it.System.Forge != nil {
			continue
		}
		for _, length := range []model.Bound{model.Through(1), model.Below(1)} {
			claims := []model.Claim{{Name: "asker", Monitor: func(*model.System) model.Monitor { return &timely{length: length} }}}
			w := working(t, it.System, dense, claims...)
			w.Uses.Settles = true
			got := classes(w, 400)
			want, err := realTime(it.System, claims, most)
			if err != nil || got == nil {
				continue // there is no end to the comparison
			}
			compared++
			if d := got.differ(want); d != "" {
				t.Fatalf("seed %d (%v), %v: %s", seed, it, length, d)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d systems are compared", compared)
	}
}

// A timely monitor knows at its second observation whether the hold that it began at the first lasts, and then at the third.
type timely struct {
	length model.Bound

	Told  int
	Lasts bool
}

func (x *timely) Observe(w model.Watch, _ model.Observation) {
	switch x.Told = min(x.Told+1, 4); x.Told {
	case 1:
		w.Hold("hold", x.length)
	case 2, 3:
		x.Lasts = w.Held("hold")
	}
}

// In dense time a hold that nobody asks about is forgotten once it is over: it makes no new classes for ever.
func TestHoldsAreForgotten(t *testing.T) {
	for _, length := range []model.Bound{model.Through(2), model.Below(2)} {
		w := working(t, system(model.Peer, model.Anytime(), node{
			begins: func(env model.Env) {
				env.After("another bell", model.Anytime()) // it may be the first of all parts for ever
				env.Hold("first", length)
				env.Hold("second", length)
				env.After("bell", model.Between(1, 2))
			},
			rings: func(n *node, env model.Env) { env.After("bell", model.Between(1, 2)) },
		}), dense)
		w.Uses.Settles = true
		if a := classes(w, 60); a == nil {
			t.Errorf("%v: there are too many classes", length)
		}
	}
}

// A part is one of a successor, with the points of the class from which the step leads into it.
type part struct {
	step         string
	part, before zone.Zone
}

// narrowed are the parts of the successor that was just made to which fewer points of the class lead than to all of
// it: those where two rows are as far apart as they can be.
func narrowed(w *Worker, step string, whole zone.Zone) (all []part) {
	for i := range w.Zones.Made.N {
		for j := range w.Zones.Made.N {
			b := w.Zones.Made.At(i, j)
			some := w.Zones.Made.Clone()
			if i == j || b == zone.None || b&1 == 0 || !some.Limit(j, i, 2-b) {
				continue // it has no such end, or does not reach it
			}
			if before, ok := w.Zones.Unmake(some); ok && fmt.Sprint(before) != fmt.Sprint(whole) {
				all = append(all, part{step, some, before.Clone()})
			}
		}
	}
	return all
}

// beyond says of the successor that was just made that some points lead to where it has none: where two rows that were there before the step are
// farther apart than they can be.
func beyond(w *Worker) string {
	made := w.Zones.Made
	for i := range made.N {
		for j := range made.N {
			b := made.At(i, j)
			if i == j || b == zone.None || i > 0 && w.Zones.origins[i] < 0 || j > 0 && w.Zones.origins[j] < 0 {
				continue
			}
			none := zone.Zone{N: made.N, M: slices.Repeat([]zone.Bound{zone.None}, made.N*made.N)}
			for k := range none.N {
				none.M[k*none.N+k] = zone.Zero
			}
			if none.M[j*none.N+i] = 1 - b; none.At(i, j) != zone.None {
				continue
			}
			if from, ok := w.Zones.Unmake(none); ok {
				return fmt.Sprintf("%v leads to where %d and %d are farther apart than in %v", from, i, j, made)
			}
		}
	}
	return ""
}

// leadsInto reports whether a step leads from some points of a class into a part of its successor.
func (p *part) leadsInto(w *Worker, v []uint32, points zone.Zone) (into bool) {
	w.Zones.At.Set(points)
	w.Emit = func(next []uint32) {
		made := w.Zones.Made.Clone()
		into = into || stepText(w, next) == p.step && made.Meet(p.part)
	}
	w.Expand(v, w.PrintOfState(v))
	return into
}

// stepText is a step and where it leads, but for the time.
func stepText(w *Worker, next []uint32) string {
	return fmt.Sprint(w.Move.Kind, w.Move.Base, w.Move.index, w.Move.Picks, next)
}

// exact reports whether the points from which a step leads into a part are those, and no others of the class: so from
// beyond each of their bounds it does not, and from each bound that is closed it does.
func (p *part) exact(w *Worker, v []uint32, class zone.Zone) bool {
	for i := range class.N {
		for j := range class.N {
			b := p.before.At(i, j)
			if i == j || b == zone.None {
				continue
			}
			if beyond := class.Clone(); b != class.At(i, j) && beyond.Limit(j, i, 1-b) && p.leadsInto(w, v, beyond) {
				return false
			}
			if at := p.before.Clone(); b&1 == 1 && at.Limit(j, i, 2-b) && !p.leadsInto(w, v, at) {
				return false
			}
		}
	}
	return true
}

// The points of a class from which a step leads to its successor are points of the class, and lead there; to some parts of
// it fewer lead, those that are said and no others.
func TestUnmake(t *testing.T) {
	unmade, narrow := 0, 0
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		if it.Reading != model.Dense {
			continue
		}
		for _, settles := range []bool{true, false} { // a hold that is over in a part may last elsewhere, and then it is settled there
			w := working(t, it.System, dense, watched(it.Claims)...)
			w.Uses.Settles = settles
			if how := unmakes(w, &unmade, &narrow); how != "" {
				t.Fatalf("seed %d, settles: %v: %s", seed, settles, how)
			}
		}
	}
	in := model.Between
	for name, n := range map[string]node{
		"a bell that silences others": {begins: func(env model.Env) {
			env.After("bell", in(0, 5))
			env.After("other", in(1, 2))
			env.After("third", in(1, 3))
		}, rings: func(_ *node, env model.Env) {
			env.Cancel("bell")
			env.Cancel("other")
			env.Cancel("third")
		}},
		"a bell that asks": {begins: func(env model.Env) {
			env.Hold("lock", model.Through(2))
			env.Hold("open", model.Below(3))
			env.After("bell", in(0, 5))
		}, rings: func(n *node, env model.Env) {
			if n.S++; env.Held("lock") {
				n.S += 2
			}
			if env.Held("open") {
				n.S += 4
			}
			env.Hold("lock", model.Through(0))
		}},
	} {
		w := working(t, system(model.Peer, model.Anytime(), n), dense)
		if how := unmakes(w, &unmade, &narrow); how != "" {
			t.Fatalf("%s: %s", name, how)
		}
	}
	if unmade < 500 || narrow < 100 {
		t.Errorf("only %d steps are taken back, %d to a part", unmade, narrow)
	}
}

// unmakes takes a run, to the last successor each time, and each of its steps back. It counts the steps, and those that
// are taken back to a part.
func unmakes(w *Worker, unmade, narrow *int) string {
	type way struct {
		before zone.Zone
		to     string
	}
	var v []uint32
	var at zone.Zone
	known := map[string]bool{}
	w.Emit = func(first []uint32) { v, at = slices.Clone(first), w.Zones.Made.Clone() }
	w.Initial()
	for v != nil && !known[fmt.Sprint(v, at)] && len(known) < 30 { // it may go round
		known[fmt.Sprint(v, at)] = true
		from, class := v, at
		var ways []way
		var parts []part
		var how string
		expand := func(at zone.Zone, each func(step, to string)) {
			w.Zones.At.Set(at)
			w.Emit = func(next []uint32) {
				step := stepText(w, next)
				each(step, fmt.Sprint(step, w.Zones.Made))
				v = slices.Clone(next)
			}
			w.Expand(from, w.PrintOfState(from))
		}
		v = nil
		expand(class, func(step, to string) {
			before, ok := w.Zones.Unmake(w.Zones.Made)
			if !ok {
				how = "nothing leads to " + to
			}
			if what := beyond(w); what != "" {
				how = what
			}
			if !w.Uses.Settles {
				parts = append(append(parts, part{step, w.Zones.Made.Clone(), before.Clone()}), narrowed(w, step, before)...)
			}
			ways, at = append(ways, way{before.Clone(), to}), w.Zones.Made.Clone()
		})
		then := v
		for _, way := range ways {
			if !way.before.Within(class) {
				how = fmt.Sprintf("%v is not in %v", way.before, class)
			}
			leads := false
			expand(way.before, func(_, to string) { leads = leads || to == way.to })
			if *unmade++; !leads {
				how = fmt.Sprintf("%v of %v does not lead to %s", way.before, class, way.to)
			}
		}
		for _, p := range parts {
			if *narrow++; !p.exact(w, from, class) {
				how = fmt.Sprintf("%s leads from %v into %v, but not from all of it, or from elsewhere in %v", p.step, p.before, p.part, class)
			}
		}
		if how != "" {
			return how
		}
		v = then
	}
	return ""
}
