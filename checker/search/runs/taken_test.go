package runs_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"contend/checker/confirm"
	"contend/checker/search"
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/reduce"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A met search is one that has met states of a system, with the parents and the depth of each.
type met struct {
	sys     *model.System
	codec   *value.Codec
	claims  []model.Claim
	timed   bool
	w       *step.Worker
	orbits  *symmetry.Orbits
	roots   []fingerprint.Print
	parents map[fingerprint.Print][]fingerprint.Print
	depth   map[fingerprint.Print]int
	order   []fingerprint.Print
	vectors [][]uint32
	failing []fingerprint.Print // those with a step that ends in a handler that fails
}

func (m *met) Stored(key fingerprint.Print) fingerprint.Print             { return key }
func (m *met) Roots() []fingerprint.Print                                 { return m.roots }
func (m *met) Parents(of fingerprint.Print) (parents []fingerprint.Print) { return m.parents[of] }

// never is a goal that is not reached, so that the interpreter can say of every run whether it is one.
type never struct{ Seen string }

func (n *never) Observe(w model.Watch, o model.Observation) {
	if n.Seen = o.Kind.String(); o.Kind == model.Noted && !w.Held(o.Value) {
		w.Hold(o.Value, model.Through(2))
		w.After("alarm", model.Exactly(1))
	}
}
func (n *never) Expire(model.Watch, any) { n.Seen = "alarm" }
func (*never) Reached() bool             { return false }

var goals = []model.Claim{{Name: "stops", Kind: model.Always, Done: true},
	{Name: "never", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &never{} }}}

// meet goes through the first states of a system, layer by layer.
func meet(t *testing.T, s *model.System, timed, symmetric bool, most int) *met {
	t.Helper()
	codec, err := value.For(s, goals)
	if err != nil {
		t.Fatal(err)
	}
	e := step.NewEngine(component.NewStore(s, codec, goals, timed, component.Closing))
	e.Uses = reduce.Uses{Equals: true}
	w := step.NewWorker(e)
	m := &met{sys: s, codec: codec, claims: goals, timed: timed, w: w, parents: map[fingerprint.Print][]fingerprint.Print{}, depth: map[fingerprint.Print]int{}}
	if symmetric {
		if sym := symmetry.New(w.Engine, map[string]bool{symmetry.Servers: true, symmetry.Clients: true}); sym != nil {
			m.orbits = symmetry.NewOrbits(w, sym)
		}
	}
	from := -1
	w.Emit = func(v []uint32) {
		key := w.Sum
		if m.orbits != nil {
			key = m.orbits.Key(v, key)
		}
		if _, known := m.depth[key]; !known {
			v = slices.Clone(v)
			step.SortParts(v[w.Head:])
			m.vectors, m.order, m.depth[key] = append(m.vectors, v), append(m.order, key), 0
			if from < 0 {
				m.roots = append(m.roots, key)
				return
			}
			m.depth[key], m.parents[key] = m.depth[m.order[from]]+1, []fingerprint.Print{m.order[from]}
		}
	}
	w.Fail = func([]uint32) {
		if from >= 0 && !slices.Contains(m.failing, m.order[from]) {
			m.failing = append(m.failing, m.order[from])
		}
	}
	w.Initial()
	for from = 0; from < len(m.order) && from < most; from++ {
		v := m.vectors[from]
		w.Expand(v, w.PrintOfState(v))
	}
	w.Emit, w.Fail = nil, nil
	return m
}

// met expands a state, and those that follow it, the last of them first.
func (m *met) met(v []uint32) {
	m.w.Emit = func(v []uint32) { m.vectors = append(m.vectors, slices.Clone(v)) }
	m.vectors = nil
	m.w.Expand(v, m.w.PrintOfState(v))
	m.w.Emit = nil
	for _, v := range m.vectors {
		step.SortParts(v[m.w.Head:])
	}
}

func (m *met) taker(from *runs.Beginning) *runs.Taker {
	return &runs.Taker{Engine: m.w.Engine, Worker: m.w, Orbits: m.orbits, States: m, ClaimOf: []int{1}, From: from}
}

// takes has the interpreter take a run, which ends in the same state; it returns its records. It is nil where strict bounds leave no time.
func (m *met) takes(t *testing.T, x *runs.Taker, r runs.Route) *confirm.Run {
	t.Helper()
	steps, flights, _ := r.StepsOnly(0)
	nodes := x.NodeBytes(r.V)
	run, is, err := confirm.Take(m.sys, m.codec, m.claims, m.timed, search.Candidate{Claim: 1, Boot: r.Boot, Steps: steps, Nodes: nodes, InFlight: flights, Loop: -1})
	if err != nil {
		t.Fatalf("the interpreter takes no run of %d steps: %v", len(steps), err)
	}
	if is != search.Real {
		return nil
	}
	last := flights[len(flights)-1]
	if key := m.w.PrintOfState(r.V); m.orbits == nil && key != r.Keys[len(r.Keys)-1] {
		t.Fatalf("the state at the end is %v, and not %v", key, r.Keys[len(r.Keys)-1])
	}
	for i, s := range steps {
		if rec := run.Records[i]; s.Kind == model.Expire && (s.Claim != 1 || s.Node != -1) || s.Kind != model.Expire && s.Kind != model.Partition && s.Node != rec.Node {
			t.Fatalf("step %d is %+v, and happens at node %d", i+1, s, rec.Node)
		}
	}
	if !slices.Equal(shown(m, x.InFlight(r.V)), shown(m, zeroed(last))) {
		t.Fatalf("%v is in flight, and %v at the end of the run", x.InFlight(r.V), last)
	}
	for i, state := range nodes {
		if (state == nil) != (run.World.Node(model.NodeID(i)) == nil) {
			t.Fatalf("node %d is %x, and in the interpreter's run %x", i, state, run.World.Node(model.NodeID(i)))
		}
	}
	flying := []runs.Message(nil)
	for _, e := range run.World.Pending() {
		if e.Kind == model.Deliver {
			flying = append(flying, runs.Message{From: e.From, To: e.Node, Value: e.Value})
		}
	}
	if got, want := shown(m, zeroed(last)), shown(m, flying); len(run.Absorbed) > 0 || !slices.Equal(got, want) {
		t.Fatalf("%v is in flight, and in the interpreter's run %v", got, want)
	}
	return run
}

func zeroed(list []runs.Message) []runs.Message {
	list = slices.Clone(list)
	for i := range list {
		list[i].Occurrence = 0
	}
	return list
}

func shown(m *met, list []runs.Message) (all []string) {
	for _, f := range list {
		all = append(all, fmt.Sprintf("%d→%d %x #%d", f.From, f.To, m.codec.Any(f.Value, nil), f.Occurrence))
	}
	slices.Sort(all)
	return all
}

// drawn are random systems, half of them timed.
func drawn(n uint64, each func(seed uint64, s *model.System, timed bool)) {
	for seed := range n {
		if it := random.Draw(seed); it.Reading != model.Dense {
			each(seed, it.System, it.Reading == model.Grid)
		}
		each(seed, random.System(rand.New(rand.NewPCG(seed, 2)), true), seed%2 == 0)
	}
}

// A way to each state that was met is found again, a shortest one, which the interpreter takes to the same state; a step that fails is found behind it.
func TestWays(t *testing.T) {
	ways, failing, timed := 0, 0, 0
	tried := func(seed uint64, s *model.System, isTimed, symmetric bool) {
		m := meet(t, s, isTimed, symmetric, 12)
		x := m.taker(nil)
		for i, key := range m.order {
			if i%5 > 1 && i > 12 {
				continue
			}
			r := x.Way(key)
			if got := len(r.Keys) - 1; got != m.depth[key] || got != len(r.Steps) || r.Keys[got] != key || len(r.Flights) != len(r.Keys) || !slices.Contains(m.roots, r.Keys[0]) {
				t.Fatalf("seed %d: a way of %d steps to a state at depth %d: %v", seed, len(r.Steps), m.depth[key], r.Keys)
			}
			if !slices.IsSorted(r.V[x.Head:]) {
				t.Fatalf("seed %d: the parts of a state are in disorder, so that of equal ones the oldest need not come first: %v", seed, r.V)
			}
			if m.takes(t, x, r) != nil {
				if ways++; isTimed {
					timed++
				}
			}
			if slices.Contains(m.failing, key) {
				failing++
				end, by := x.Further(r, true, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return len(w.Move.Broken) > 0 })
				if len(end.Steps) != len(r.Steps)+1 || len(by.Broken) == 0 {
					t.Fatalf("seed %d: %d steps, and one that fails: %d", seed, len(r.Steps), len(end.Steps))
				}
			}
		}
	}
	drawn(12, func(seed uint64, s *model.System, timed bool) { tried(seed, s, timed, false) })
	for _, timed := range []bool{false, true} {
		s := crowd()
		s.Faults = model.Faults{Crashes: 1, Restarts: 1}
		for i := range s.Nodes {
			s.Nodes[i].Crash = model.CrashStopRecovery
		}
		tried(0, s, timed, false)
		s = alike(model.By(1))
		s.Nodes[1].New = func() model.Node { return &server{mayAsk: 1} }
		tried(0, s, timed, false)
		tried(0, alike(model.By(1)), timed, true)
	}
	if ways < 200 || timed < 50 || failing < 2 {
		t.Errorf("%d ways, %d timed, and %d failing steps: too few", ways, timed, failing)
	}
}

// A search that begins behind a run of the interpreter takes it again, event by event, of equal messages the very one. Ways of this search begin
// with it, and what is no run is refused.
func TestBeginnings(t *testing.T) {
	began, refused, further := 0, 0, 0
	behind := func(seed uint64, s *model.System, timed bool) {
		if timed {
			return
		}
		m := meet(t, s, false, false, 1)
		r := rand.New(rand.NewPCG(seed, 5))
		_, w, records, _ := oracle.After(s, m.claims, 1, r, 1+r.IntN(10))
		if w == nil || len(records) == 0 {
			return
		}
		from, err := confirm.Beginning(m.sys, m.codec, m.claims, w.Boot, records)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		x := m.taker(from)
		m.w.Absorb = absorbsAll{}
		end := x.Beginning()
		if m.w.Absorb == nil {
			t.Fatalf("seed %d: nothing is absorbed any more", seed)
		}
		m.w.Absorb = nil
		if len(end.Steps) != len(records) || !slices.EqualFunc(end.Steps, records, func(s runs.Step, r world.Record) bool { return s.Kind == r.Move.Kind }) {
			t.Fatalf("seed %d: %v is taken for %v", seed, end.Steps, records)
		}
		if m.takes(t, x, end) == nil {
			t.Fatalf("seed %d: the interpreter does not take it", seed)
		}
		began++
		refused += m.refuses(t, seed, from)
		further += m.goesOn(t, x)
	}
	drawn(24, behind)
	for seed := range uint64(40) {
		behind(seed, random.Letters(rand.New(rand.NewPCG(seed, 6)), random.Timing{}), false)
	}
	for seed := range uint64(40) {
		behind(seed, crowd(), false)
		behind(seed, slandered(), false)
	}
	if began < 40 || refused < 120 || further < 100 {
		t.Errorf("%d runs begin a search, %d are refused, and %d ways go on from there: too few", began, refused, further)
	}
}

// absorbsAll absorbs all that a run must keep.
type absorbsAll struct{}

func (absorbsAll) Clean([]uint32) []uint32   { panic("something is absorbed on the way") }
func (absorbsAll) Transition(uint32, uint32) { panic("something is absorbed on the way") }

// A crier, if it cries, says the same twice to each of two others, in words and in numbers. Its alarm has it speak again.
type crier struct {
	cries bool
	Heard int
}

func (c *crier) Start(env model.Env) {
	if !c.cries {
		return
	}
	for range 2 {
		for to := range 2 {
			env.Send(model.NodeID(2+to), "x")
			env.Send(model.NodeID(2+to), 7)
		}
	}
	env.After("again", model.Exactly(1))
}

func (*crier) Timeout(env model.Env, _ any) { env.Send(2, "x") }

func (c *crier) Receive(env model.Env, _ model.NodeID, m any) {
	if m == "nothing" {
		return
	}
	if c.Heard++; m == 7 && c.Heard < 3 {
		env.After("x", model.Exactly(1)) // as a message is called
	}
}

// crowd is a system in which many events have the same number, of which many are equal.
func crowd() *model.System {
	s := &model.System{Types: []any{"", 0}, Network: model.Network{Delay: model.By(1)}, Faults: model.Faults{Loss: 2, Duplication: 2}}
	for k := range 4 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("n", k), Role: model.Peer, New: func() model.Node { return &crier{cries: k < 2} }})
	}
	return s
}

// slandered is a crowd with a liar, whose messages make no difference.
func slandered() *model.System {
	s := crowd()
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Peer, Byzantine: true})
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"nothing"} }
	return s
}

// goesOn finds ways to all states that are a step behind the beginning of a search, and counts them. None of them changes another.
func (m *met) goesOn(t *testing.T, x *runs.Taker) int {
	t.Helper()
	end := x.Beginning()
	root := end.Keys[len(end.Keys)-1]
	m.roots, m.parents = []fingerprint.Print{root}, map[fingerprint.Print][]fingerprint.Print{}
	m.w.Emit = func([]uint32) {
		if key := m.w.Sum; key != root && m.parents[key] == nil {
			m.parents[key] = m.roots
		}
	}
	m.w.Expand(end.V, m.w.PrintOfState(end.V))
	m.w.Emit = nil
	ways := map[fingerprint.Print]runs.Route{}
	for key := range m.parents {
		ways[key] = x.Way(key)
	}
	for key, way := range ways {
		if len(way.Steps) != len(end.Steps)+1 || way.Keys[len(way.Keys)-1] != key || !slices.Equal(way.Keys[:len(end.Keys)], end.Keys) {
			t.Fatalf("a way of %d steps: %v", len(way.Steps), way.Keys)
		}
		m.takes(t, x, way)
	}
	if again := x.Way(root); !slices.Equal(again.Keys, end.Keys) {
		t.Fatal("the way to the end of the run is another")
	}
	return len(ways)
}

// refuses changes a run in ways that make it none of the search's, and counts them.
func (m *met) refuses(t *testing.T, seed uint64, from *runs.Beginning) (n int) {
	t.Helper()
	last := len(from.Steps) - 1
	wrong := map[string]func(b *runs.Beginning){
		"an answer as it begins": func(b *runs.Beginning) { b.Boot = append(slices.Clone(b.Boot), runs.Pick{Of: 9, Is: 8}) },
		"another state":          func(b *runs.Beginning) { b.Nodes = append(slices.Clone(b.Nodes), nil) },
		"an answer": func(b *runs.Beginning) {
			b.Steps[last].Picks = append(slices.Clone(b.Steps[last].Picks), runs.Pick{Of: 9, Is: 8})
		},
	}
	for name, change := range wrong {
		b := *from
		b.Steps = slices.Clone(b.Steps)
		if name == "an answer" && b.Steps[last].Kind == model.Forge {
			continue // what the search leaves out it takes as it is
		}
		change(&b)
		err := disagreement(func() { m.taker(&b).Beginning() })
		if err == nil {
			t.Fatalf("seed %d: %s: a run that is none is taken again", seed, name)
		}
		n++
	}
	return n
}

// disagreement is what a search finds to be wrong with itself.
func disagreement(do func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			d, is := p.(runs.Disagreement)
			if !is {
				panic(p)
			}
			err = d
		}
	}()
	do()
	return nil
}

// A run does not depend on how the components of states are numbered: of several steps to one state it is always the same that is taken.
func TestNumbersDoNotMatter(t *testing.T) {
	compared := 0
	compare := func(seed uint64, s *model.System, timed, symmetric bool) {
		m, other := meet(t, s, timed, symmetric, 12), meet(t, s, timed, symmetric, 1)
		for range 3 { // other states come first
			for _, v := range slices.Backward(other.vectors) {
				other.met(v)
			}
		}
		other.parents, other.roots = m.parents, m.roots
		x, y := m.taker(nil), other.taker(nil)
		for i, key := range m.order {
			if i%3 == 0 || i < 12 {
				r, q := x.Way(key), y.Way(key)
				if got, want := fmt.Sprintf("%+v", q.Steps), fmt.Sprintf("%+v", r.Steps); got != want {
					t.Fatalf("seed %d: the steps are\n%s\nand with other numbers\n%s", seed, want, got)
				}
				compared++
			}
		}
	}
	drawn(12, func(seed uint64, s *model.System, timed bool) { compare(seed, s, timed, false) })
	compare(0, crowd(), false, false)
	compare(0, crowd(), true, false)
	compare(0, alike(model.By(1)), false, true)
	compare(0, alike(model.By(1)), true, true)
	if compared < 300 {
		t.Errorf("only %d runs are compared", compared)
	}
}

// Of all steps from a state the soonest is found, and of these the one to the state of the least print.
func TestTheSoonestIsFound(t *testing.T) {
	several := 0
	drawn(6, func(seed uint64, s *model.System, timed bool) {
		m := meet(t, s, timed, false, 6)
		x := m.taker(nil)
		for _, key := range m.order[:min(6, len(m.order))] {
			type found struct {
				delay int32
				to    fingerprint.Print
			}
			var all []found
			r := x.Way(key)
			if disagreement(func() {
				end, by := x.Further(r, false, func(w *step.Worker, _ []uint32, key fingerprint.Print) bool {
					all = append(all, found{w.Move.Delay, key})
					return true
				})
				least := slices.MinFunc(all, func(a, b found) int { return cmp.Or(cmp.Compare(a.delay, b.delay), fingerprint.Compare(a.to, b.to)) })
				if is := (found{by.Delay, end.Keys[len(end.Keys)-1]}); is != least {
					t.Errorf("seed %d: %v is found, and %v is the least of %v", seed, is, least, all)
				}
				several += min(1, len(all)-1)
			}) != nil && len(all) > 0 {
				t.Errorf("seed %d: no step is found", seed)
			}
		}
	})
	if several < 10 {
		t.Errorf("only %d states have several steps", several)
	}
}

// A state to which no step leads, or that was never met, is told as a disagreement of the search with itself.
func TestNoWay(t *testing.T) {
	s := random.System(rand.New(rand.NewPCG(3, 2)), true)
	m := meet(t, s, false, false, 12)
	last := m.order[len(m.order)-1]
	right := m.parents[last]
	m.parents[last] = append([]fingerprint.Print{m.roots[0]}, right...) // the first only goes by the name of one
	x := m.taker(nil)
	if r := x.Way(last); m.depth[last] < 2 || len(r.Steps) != m.depth[last] || m.takes(t, x, r) == nil {
		t.Errorf("of two parents the wrong one is taken: %d steps to depth %d", len(r.Steps), m.depth[last])
	}
	unmet := fingerprint.Print{A: 1}
	m.parents[unmet] = []fingerprint.Print{m.roots[0]}
	for _, key := range []fingerprint.Print{unmet, {A: 2}} {
		err := disagreement(func() { m.taker(nil).Way(key) })
		if err == nil || !strings.Contains(err.Error(), "no way to it is found again") {
			t.Errorf("of %v it says %v", key, err)
		}
	}
	r := x.Way(m.order[1])
	err := disagreement(func() {
		x.Further(r, false, func(*step.Worker, []uint32, fingerprint.Print) bool { return false })
	})
	if inner := errors.Unwrap(err); inner == nil || inner.Error() != "a step was taken, but it is not found again" {
		t.Errorf("it says %v", err)
	}
}

// A step may take an event exactly if that is of its kind, at its node, of its value and, if it is a message, from its sender. The event
// that it takes is one of these.
func TestStepsTakeEvents(t *testing.T) {
	own, other, none := 0, 0, 0
	tried := func(seed uint64, s *model.System, timed bool) {
		m := meet(t, s, timed, false, 12)
		x := m.taker(nil)
		for _, v := range m.vectors[:min(12, len(m.vectors))] {
			var moves []step.Move
			m.w.Emit = func([]uint32) { moves = append(moves, m.w.Move) }
			m.w.Expand(v, m.w.PrintOfState(v))
			m.w.Emit = nil
			for _, move := range moves {
				if move.Kind >= model.Crash {
					continue // it takes no event
				}
				is := x.Store.Bases.Items[move.Base]
				for _, id := range v[x.Head:] {
					base := x.Store.Flats[id].Base
					b := x.Store.Bases.Items[base]
					want := b.Kind == is.Kind && b.Slot == is.Slot && b.From == is.From && b.Value == is.Value
					if b.Kind == component.Kind(model.Expire) { // whose monitor it is, the state at the end says
						want = b.Kind == is.Kind && b.Value == is.Value
					}
					if got := x.TakesOf(x.Step(move, 1), base); got != want {
						t.Fatalf("seed %d: %v takes of %+v: %v", seed, x.Step(move, 1), b, got)
					}
					switch {
					case base == move.Base:
						own++
					case want:
						other++
					default:
						none++
					}
				}
			}
		}
	}
	drawn(24, tried)
	tried(0, crowd(), false)
	tried(0, crowd(), true)
	if own < 300 || none < 300 {
		t.Errorf("%d events are those of a step, %d are like it, and %d are others: too few", own, other, none)
	}
}

// Moves that only pass time are named by how long that is, and by nothing that a step has.
func TestPassingTimeIsNamed(t *testing.T) {
	x := meet(t, crowd(), true, false, 3).taker(nil)
	for _, kind := range []model.EventKind{step.Passing, step.Passing + 1} {
		move := step.Move{Kind: kind, Delay: 3, Slot: 2}
		if got := x.Step(move, 1); !reflect.DeepEqual(got, runs.Step{Kind: kind, Delay: 3}) {
			t.Errorf("it is %+v", got)
		}
		like, longer := move, move
		like.Slot, like.Base, longer.Delay = 1, 1, 4
		if x.NameOf(move) != x.NameOf(like) || x.NameOf(move) == x.NameOf(longer) {
			t.Errorf("%s, %s and %s", x.NameOf(move), x.NameOf(like), x.NameOf(longer))
		}
	}
}

// Steps that only pass time are no steps of a run; what follows has their time.
func TestStepsOnly(t *testing.T) {
	flight := func(n int) []runs.Message { return []runs.Message{{Occurrence: n}} }
	r := runs.Route{Flights: [][]runs.Message{flight(0), flight(1), flight(2), flight(3), flight(4), flight(5)},
		Steps: []runs.Step{{Kind: model.Deliver, Delay: 1}, {Kind: step.Passing, Delay: 2}, {Kind: step.Passing, Delay: 4}, {Kind: model.Timeout, Delay: 8}, {Kind: model.Timeout, Delay: 16}}}
	for move, want := range []int{0, 1, 1, 1, 2} {
		steps, flights, is := r.StepsOnly(move)
		if len(steps) != 3 || steps[2].Delay != 16 || steps[0].Delay != 1 || steps[1].Delay != 14 || steps[1].Kind != model.Timeout || is != want ||
			fmt.Sprint(flights) != fmt.Sprint([][]runs.Message{flight(0), flight(1), flight(4), flight(5)}) {
			t.Errorf("of move %d: %v %v %d", move, steps, flights, is)
		}
	}
}
