package runs_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/confirm"
	"contend/checker/search"
	"contend/checker/search/classes"
	"contend/checker/search/component"
	"contend/checker/search/reduce"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/checker/zone"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A denseMet search has met the first classes of a system in dense time.
type denseMet struct {
	sys    *model.System
	codec  *value.Codec
	w      *step.Worker
	d      *runs.Dense
	depths []int // of the classes
}

// meetDense goes through the first classes of a system, layer by layer. With shuffled it first makes components of some that come late.
func meetDense(t *testing.T, s *model.System, symmetric, merging bool, most int, shuffled bool) *denseMet {
	t.Helper()
	codec, err := value.For(s, goals)
	if err != nil {
		t.Fatal(err)
	}
	st := component.NewStore(s, codec, goals, true, component.Refinement{})
	st.Dense = true
	e := step.NewEngine(st)
	e.Uses = reduce.Uses{Settles: true} // as searches in dense time do
	m := &denseMet{sys: s, codec: codec, w: step.NewWorker(e)}
	w, set, merger := m.w, classes.New(merging), &classes.Merger{Off: !merging}
	framer := &symmetry.Framer{W: w}
	if symmetric {
		if sym := symmetry.New(e, map[string]bool{symmetry.Servers: true, symmetry.Clients: true}); sym != nil {
			framer.Orbits = symmetry.NewOrbits(w, sym)
		}
	}
	taker := &runs.Taker{Engine: e, Worker: w, Orbits: framer.Orbits, ClaimOf: []int{1}}
	m.d = &runs.Dense{Taker: taker, Classes: set, Framer: framer}
	if shuffled {
		m.numberOthers()
	}
	finds, parent := classes.Findings{}, classes.NoClass
	w.Emit = func(v []uint32) {
		var z zone.Zone
		f := framer.Framed(v, w.Sum)
		if z.Arrange(w.Zones.Made, f.Order); !set.Has(f.Key, z) {
			finds.Add(f.Key, f.V, z, parent)
		}
	}
	gather := func(depth int) {
		batches := set.Batches([]classes.Findings{finds})
		for k := range batches {
			set.Merge(&batches[k], merger, framer.Exchanges)
		}
		for k := range batches {
			ids, _ := set.Commit(&batches[k])
			for range ids {
				m.depths = append(m.depths, depth)
			}
		}
	}
	w.Initial()
	gather(0)
	for id := 0; id < len(set.List) && len(set.List) < most; {
		layer := m.depths[id]
		for ; id < len(m.depths) && m.depths[id] == layer; id++ {
			parent = uint32(id)
			w.Zones.At = set.List[id].Zone
			v := set.States[set.List[id].State].V
			w.Expand(v, w.PrintOfState(v))
		}
		gather(layer + 1)
	}
	w.Emit, w.Fail = nil, nil
	return m
}

// numberOthers has the worker number what comes of states in another order than it will meet them.
func (m *denseMet) numberOthers() {
	type one struct {
		v []uint32
		z zone.Zone
	}
	w := m.w
	var all []one
	w.Emit = func(v []uint32) { all = append(all, one{slices.Clone(v), w.Zones.Made.Clone()}) }
	w.Initial()
	for range 3 {
		now := all
		all = nil
		for _, from := range slices.Backward(now[max(0, len(now)-20):]) {
			w.Zones.At = from.z
			w.Expand(from.v, w.PrintOfState(from.v))
		}
	}
	w.Emit = nil
}

// takes has the interpreter take a run in real time; it is false where no time is left that the search has not found.
func (m *denseMet) takes(t *testing.T, r runs.Route) bool {
	t.Helper()
	run, is, err := confirm.Take(m.sys, m.codec, goals, true, search.Candidate{Claim: 1, Boot: r.Boot, Steps: r.Steps, Nodes: m.d.NodeBytes(r.V), InFlight: r.Flights, Loop: -1})
	if err != nil {
		t.Fatalf("the interpreter takes no run of %d steps: %v", len(r.Steps), err)
	}
	return is == search.Real && run != nil
}

// A node that chooses how long an alarm may take. Where classes are merged one has both, and another alarm can only come before the later.
type chooses struct{ Heard []string }

func (*chooses) Start(env model.Env) { env.After("begin", model.Exactly(1)) }

func (c *chooses) Timeout(env model.Env, key any) {
	if key == "begin" {
		least := 2 * model.Ticks(env.Choose(2))
		env.After("go", model.Between(least, least+2))
		env.After("other", model.Exactly(3))
		return
	}
	c.Heard = append(c.Heard, key.(string))
}

// A node that holds something from a time on that it chooses. Where classes are merged a hold that may last in the class is over for sure in
// runs to it.
type keeping struct{ Others int }

func (*keeping) Start(env model.Env) { env.After("begin", model.Exactly(1)) }

func (k *keeping) Timeout(env model.Env, key any) {
	switch key {
	case "begin":
		c := model.Ticks(env.Choose(2))
		env.After("hold", model.Between(c, 2*c+1))
		env.After("other", model.Exactly(4))
	case "hold":
		env.Hold("h", model.Through(2))
	case "other":
		k.Others++
	}
}

// A node that says the same again before it is heard. Of what is in flight then one may be the other, and where classes are merged the one that
// is kept may have the younger first.
type repeating struct{ Heard int }

func (*repeating) Start(env model.Env) {
	env.Send(0, "x")
	env.After("again", model.Exactly(2))
}
func (*repeating) Timeout(env model.Env, _ any)                 { env.Send(0, "x") }
func (r *repeating) Receive(_ model.Env, _ model.NodeID, _ any) { r.Heard++ }

// A way to each class in dense time is found again, and one through it to each step that it can take, which the interpreter takes in real
// time. It does not depend on how the components of states are numbered, and which of several it is does not either.
func TestDenseWays(t *testing.T) {
	ways, through, failing, late := 0, 0, 0, 0
	tried := func(name string, s *model.System, symmetric, merging bool) {
		m, other := meetDense(t, s, symmetric, merging, 24, false), meetDense(t, s, symmetric, merging, 24, true)
		if len(m.d.Classes.List) != len(other.d.Classes.List) {
			t.Fatalf("%s: %d classes, and with other numbers %d", name, len(m.d.Classes.List), len(other.d.Classes.List))
		}
		named, set := m.d.NameOf, m.d.Classes
		if symmetric {
			named = func(m step.Move) string { return fmt.Sprint(m.Kind, len(m.Picks)) } // the nodes of a class are others
		}
		for id := range set.List {
			if (id%5 != 0 || id > 60) && name != "keeping" && name != "repeating" {
				continue
			}
			r, q := m.d.To(uint32(id)), other.d.To(uint32(id))
			if m.w.Zones.Either {
				t.Fatalf("%s: the worker goes on as if it took a run again", name)
			}
			if len(r.Steps) != m.depths[id] || len(r.Flights) != len(r.Steps)+1 {
				t.Fatalf("%s: %d steps to a class of layer %d", name, len(r.Steps), m.depths[id])
			}
			if got, want := fmt.Sprintf("%+v %+v", q.Boot, q.Steps), fmt.Sprintf("%+v %+v", r.Boot, r.Steps); got != want {
				t.Fatalf("%s: the steps are\n%s\nand with other numbers\n%s", name, want, got)
			}
			if m.takes(t, r) {
				ways++
			} else {
				late++
			}
			m.takesTheLeast(t, uint32(id))
			for fails, n := range map[bool]*int{false: &through, true: &failing} {
				for k, wanted := range m.names(uint32(id), fails, named) {
					if (k+id/5)%4 != 0 && !fails {
						continue
					}
					end, by := m.d.Breaking(uint32(id), fails, func(w *step.Worker) bool { return named(w.Move) == wanted })
					if named(by) != wanted || len(end.Steps) != m.depths[id]+1 {
						t.Fatalf("%s: %s is found for %s, behind %d steps, and the class is of layer %d", name, named(by), wanted, len(end.Steps), m.depths[id])
					}
					if !fails && !m.takes(t, end) {
						late++
					}
					*n++
				}
			}
		}
	}
	for seed := range uint64(8) {
		tried(fmt.Sprint("timed ", seed), random.Timed(rand.New(rand.NewPCG(seed, 3)), random.Timing{}), false, seed%2 == 0)
	}
	for seed := range uint64(60) {
		if it := random.Draw(seed); it.Reading == model.Dense {
			tried(fmt.Sprint("drawn ", seed), it.System, false, seed%2 == 0)
		}
	}
	for _, merging := range []bool{false, true} {
		tried("soon or late", &model.System{Types: []any{""}, Nodes: []model.NodeSpec{{Name: "n", New: func() model.Node { return &chooses{} }}}}, false, merging)
		tried("keeping", &model.System{Types: []any{""}, Nodes: []model.NodeSpec{{Name: "n", New: func() model.Node { return &keeping{} }}}}, false, merging)
		tried("repeating", &model.System{Types: []any{""}, Network: model.Network{Delay: model.Between(3, 4)},
			Nodes: []model.NodeSpec{{Name: "n", New: func() model.Node { return &repeating{} }}}}, false, merging)
		tried("alike", alike(model.By(2)), true, merging)
		tried("crowd", crowd(), false, merging)
		failing := alike(model.By(2))
		failing.Nodes[1].New = func() model.Node { return &server{mayAsk: 1} }
		tried("failing", failing, false, merging)
	}
	if ways < 150 || through < 250 || failing < 4 || late > 0 {
		t.Errorf("%d ways, %d through a class, %d to a failing handler, and %d without a time", ways, through, failing, late)
	}
}

// A step that no class takes is told as a disagreement of the search with itself.
func TestNoDenseStep(t *testing.T) {
	m := meetDense(t, crowd(), false, true, 6, false)
	for _, fails := range []bool{false, true} {
		err := disagreement(func() { m.d.Breaking(1, fails, func(*step.Worker) bool { return false }) })
		if inner := errors.Unwrap(err); inner == nil || inner.Error() != "a step was taken, but it is not found again" {
			t.Errorf("it says %v", err)
		}
	}
}

// takesTheLeast holds the step behind a class, whichever it is, to be the least by name, and of equal events by number.
func (m *denseMet) takesTheLeast(t *testing.T, class uint32) {
	t.Helper()
	type found struct {
		name       string
		occurrence int32
	}
	asked := 0
	var all []found
	if none := disagreement(func() {
		end, by := m.d.Breaking(class, false, func(w *step.Worker) bool {
			if asked++; asked > 1 { // the first is one of the class, and the others are of the run
				all = append(all, found{m.d.NameOf(w.Move), w.Occurrence(w.Move)})
			}
			return true
		})
		least := slices.MinFunc(all, func(a, b found) int {
			return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.occurrence, b.occurrence))
		})
		if is := (found{m.d.NameOf(by), int32(end.Steps[len(end.Steps)-1].Occurrence)}); is != least {
			t.Fatalf("%v is taken, and %v is the least of %v", is, least, all)
		}
	}); none != nil && asked > 0 {
		t.Fatalf("no step is found: %v", none)
	}
}

// names are those of the steps that a class can take.
func (m *denseMet) names(class uint32, fails bool, named func(step.Move) string) (all []string) {
	w, set := m.w, m.d.Classes
	tell := func([]uint32) { all = append(all, named(w.Move)) }
	w.Emit, w.Fail = tell, nil
	if fails {
		w.Emit, w.Fail = func([]uint32) {}, tell
	}
	w.Zones.At = set.List[class].Zone
	v := set.States[set.List[class].State].V
	w.Expand(v, w.PrintOfState(v))
	w.Emit, w.Fail = nil, nil
	slices.Sort(all)
	return slices.Compact(all)
}
