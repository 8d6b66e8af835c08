package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// Readings of time that are compared.
var (
	inDense   = Options{Timed: true, Dense: true, Merge: true}
	onGrid    = Options{Timed: true}
	denseMost = int64(1500) // states of a search that is compared
)

// timeless are the states that a search comes upon, but for all times: the nodes, the
// monitors and what is pending. ok is false when there are too many.
func timelessStates(t *testing.T, s *model.System, claims []model.Claim, opt Options, refine component.Refinement) (states map[string]bool, ok bool) {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	opt.MaxStates, opt.Exact = denseMost, true
	x := newExplorer(s, codec, claims, pure(opt).withDefaults(), refine, newGuesses())
	states = map[string]bool{}
	x.observer = eachState(func(v []uint32) { states[timelessKey(x, v)] = true })
	r, err := x.attempt(nil)
	if err != nil {
		t.Fatal(err)
	}
	return states, r.Limit.None()
}

func timelessKey(x *explorer, v []uint32) string {
	var b strings.Builder
	for i := range x.N {
		if v[i] != component.Down {
			fmt.Fprintf(&b, "%x", x.Locals.Items[v[i]].Bytes)
		}
		b.WriteString(";")
	}
	for i := x.MonitorAt; i < x.BudgetAt; i++ {
		fmt.Fprintf(&b, "%x;", x.Locals.Items[v[i]].Bytes)
	}
	var pending []string
	for _, id := range v[x.Head:] {
		at := x.Bases.Items[x.Parts.Items[id].Base]
		if at.Kind == component.Hold {
			continue // whether it is there still when it is over is the search's own
		}
		from, to := int(at.From), int(at.Slot)
		if at.Kind == component.Kind(model.Expire) {
			from, to = 0, -1
		}
		pending = append(pending, fmt.Sprintf("%v %d→%d op %d %x", model.EventKind(at.Kind), from, to, at.Op, x.Values.Items[at.Value]))
	}
	slices.Sort(pending)
	return b.String() + strings.Join(pending, "\n")
}

// timelessWorld is timelessKey of a run of the interpreter.
func timelessWorld(w *world.World) string {
	var b strings.Builder
	b.WriteString(nodesKey(w))
	for _, line := range w.State() {
		if f := strings.Fields(line); f[0] == "claim" && !strings.Contains(line, " holds ") {
			b.WriteString(f[len(f)-1] + ";")
		}
	}
	var pending []string
	for _, e := range w.Pending() {
		pending = append(pending, fmt.Sprintf("%v %d→%d op %d %x", e.Kind, e.From, e.Node, e.Op, w.Codec.Any(e.Value, nil)))
	}
	slices.Sort(pending)
	return b.String() + strings.Join(pending, "\n")
}

func timedSystem(t *testing.T, seed uint64, timing random.Timing) (*model.System, []model.Claim) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 21))
	s := random.Timed(r, timing)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s, timing.Paced(r)
}

// Where all bounds are closed and nobody holds, the grid and dense time come upon the same
// states but for their times.
func TestDenseIsTheGridWhereBoundsAreClosed(t *testing.T) {
	compared := 0
	for seed := range uint64(few(66, 60)) {
		s, claims := timedSystem(t, seed, random.Timing{Loops: seed%4 == 0})
		grid, ok := timelessStates(t, s, claims, onGrid, component.Closing)
		if !ok {
			continue
		}
		dense, ok := timelessStates(t, s, claims, inDense, component.Closing)
		if !ok {
			t.Errorf("seed %d: more than %d classes, but the grid has few states", seed, denseMost)
			continue
		}
		compared++
		if !maps.Equal(grid, dense) {
			t.Fatalf("seed %d: %d states on the grid, %d in dense time\nonly grid: %q\nonly dense: %q",
				seed, len(grid), len(dense), missing(grid, dense), missing(dense, grid))
		}
	}
	if t.Logf("compared %d", compared); compared < few(66, 60)/3 {
		t.Error("too few systems were small enough to compare")
	}
}

// Where bounds are open or somebody holds, dense time comes upon no state that the grid does
// not, which closes them, and upon all that grids come upon which read them exactly.
func TestDenseLiesBetweenGrids(t *testing.T) {
	compared, less, more := 0, 0, 0
	for seed := range uint64(few(66, 60)) {
		s, claims := timedSystem(t, seed, random.Timing{Open: seed%3 > 0, Holds: seed%3 < 2, Loops: seed%4 == 0})
		dense, ok := timelessStates(t, s, claims, inDense, component.Closing)
		if !ok {
			continue
		}
		grid, ok := timelessStates(t, s, claims, onGrid, component.Closing)
		if !ok {
			continue
		}
		compared++
		if len(missing(dense, grid)) > 0 {
			t.Fatalf("seed %d: dense time comes upon states that the closed grid does not: %q", seed, missing(dense, grid))
		}
		if len(dense) < len(grid) {
			less++
		}
		for _, r := range component.Finer[:2] {
			exact, ok := timelessStates(t, s, claims, onGrid, r)
			if !ok {
				continue
			}
			if len(missing(exact, dense)) > 0 {
				t.Fatalf("seed %d: a grid with %d parts a tick comes upon states that dense time does not: %q", seed, r.Parts, missing(exact, dense))
			}
			if len(exact) < len(dense) && r.Parts == 1 {
				more++
			}
		}
	}
	t.Logf("compared %d: dense time is less than the closed grid in %d, and more than the exact in %d", compared, less, more)
	if compared < few(66, 60)/4 || less < compared/20 || more < compared/20 {
		t.Error("too few systems were small enough, or differ")
	}
}

// What a run of the interpreter comes upon at real times, dense time does.
func TestDenseHasEveryRun(t *testing.T) {
	compared, steps := 0, 0
	for seed := range uint64(few(66, 60)) {
		s, claims := timedSystem(t, seed+1000, random.Timing{Open: seed%3 > 0, Holds: seed%4 > 0, Loops: seed%5 == 0})
		dense, ok := timelessStates(t, s, claims, inDense, component.Closing)
		if !ok {
			continue
		}
		compared++
		r := rand.New(rand.NewPCG(seed, 22))
		for range 20 {
			steps += runInDense(t, s, claims, seed, r, dense)
		}
	}
	if t.Logf("compared %d systems, %d steps", compared, steps); compared < few(66, 60)/3 {
		t.Error("too few systems were small enough to compare")
	}
}

// runInDense takes a random run, and returns its length.
func runInDense(t *testing.T, s *model.System, claims []model.Claim, seed uint64, r *rand.Rand, dense map[string]bool) int {
	t.Helper()
	parts := 1 + r.Int64N(6)
	w, err := world.New(s, claims, world.Options{Timed: true, Parts: parts})
	if err != nil {
		t.Fatal(err)
	}
	for step := range 15 {
		if !dense[timelessWorld(w)] {
			t.Fatalf("seed %d: after %d steps at %d of %d parts a tick, a run is in a state that dense time does not come upon\n%s",
				seed, step, w.Now, parts, timelessWorld(w))
		}
		moves := allMoves(w)
		if len(moves) == 0 {
			return step
		}
		m := moves[r.IntN(len(moves))]
		from := w.Now
		var to world.Time
		if m.Kind.Adversarial() {
			deadline, open := w.Deadline()
			if to = deadline; open {
				to--
			}
		} else {
			from, to, _ = w.Fires(m.Event)
		}
		to = min(to, from+world.Time(3*parts))
		if to < from {
			continue
		}
		at := from + world.Time(r.Int64N(int64(to-from)+1))
		if r.IntN(4) == 0 {
			at = to
		}
		if _, err := w.Step(m, at, func(n int, _ string) int { return r.IntN(n) }); err != nil {
			t.Fatal(err)
		}
	}
	return 15
}

// Faults that are not read in dense time are refused by name.
func TestWhatIsNotReadInDenseTime(t *testing.T) {
	for fault, f := range map[string]model.Faults{"duplication": {Duplication: 1}, "restarts": {Restarts: 1, Crashes: 1}, "": {Crashes: 1}} {
		err := RefuseUndense(&model.System{Faults: f})
		if u, is := err.(Undense); is != (fault != "") || is && (u.Fault != fault || !strings.HasPrefix(u.Error(), fault+": ")) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// Steps are counted, layer by layer and by all workers, and as many final states are judged as shall be. Only in one way does each begin.
func TestDenseCounts(t *testing.T) {
	for _, workers := range []int{1, 2} {
		judged := 0
		r := explore(t, choosing(), Options{Timed: true, Dense: true, Workers: workers, Histories: 3, Judge: func(Candidate) error { judged++; return nil }}, never(1))
		if want := []int64{1600, 3200, 1600}; !slices.Equal(r.Widths, want) || r.Transitions != 3200+3200 || r.Histories != 3 || judged != 3 {
			t.Errorf("%d workers: layers %v, %d steps, %d histories, %d judged", workers, r.Widths, r.Transitions, r.Histories, judged)
		}
	}
}

// Nothing is judged of a search in dense time that begins again, as its nodes are not interchangeable.
func TestDenseRefusesSymmetry(t *testing.T) {
	ends := func(opt Options) (judged int, r *Result) {
		opt.Timed, opt.Dense, opt.Histories = true, true, 100
		opt.Judge = func(Candidate) error { judged++; return nil }
		s := unlikeLater(2)
		s.Nodes[0].New = func() model.Node {
			return &scripted{start: func(_ *scripted, env model.Env) {
				if env.Choose(2) == 1 { // else it ends here
					env.Broadcast([]model.NodeID{1, 2, 3}, "hello")
				}
			}}
		}
		r = explore(t, s, opt, never(9))
		return judged, r
	}
	want, _ := ends(Options{})
	if got, r := ends(Options{Symmetry: true}); got != want || want == 0 || len(r.Notes) == 0 || !strings.HasPrefix(r.Notes[0], "symmetry of servers is refused") {
		t.Errorf("%d are judged, and else %d; notes %q", got, want, r.Notes)
	}
}

// An unspoken is a monitor that a note of a random system breaks, and that has no state: what it watches changes no state of a search.
type unspoken struct{ label int }

func (u *unspoken) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == u.label {
		w.Violate("%d is noted", u.label)
	}
}

func untold(label int) model.Claim {
	return model.Claim{Name: "untold", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &unspoken{label} }}
}

// A search that takes a run again goes on as if it had not.
func TestDenseGoesOnAfterARun(t *testing.T) {
	violated := 0
	for seed := range uint64(few(30, 12)) {
		s := somewhere(seed)
		if RefuseUndense(s) != nil {
			continue
		}
		opt := Options{Timed: true, Dense: true, MaxStates: 500}
		want, got := explore(t, s, opt, never(0), untold(9)), explore(t, s, opt, never(0), untold(1))
		if !want.Limit.None() {
			continue
		}
		if is := got.Claims[1].Violated != nil; is {
			violated++
		}
		if got.size() != want.size() || len(want.Violated()) > 0 {
			t.Errorf("system %d: %+v, but without the run %+v", seed, got.size(), want.size())
		}
	}
	if violated == 0 {
		t.Error("no run is taken again")
	}
}
