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

// watcher counts notes, so that monitors are compared too.
type watcher struct{ Seen []int }

func (x *watcher) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && len(x.Seen) < 3 {
		x.Seen = append(x.Seen, o.Value.(int))
	}
}

var watching = []model.Claim{{Name: "watch", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &watcher{} }}}

// simpleLimit is how many states the interpreter goes through.
const simpleLimit = 300

// simpleStates explores a system with the interpreter alone: each state is reached
// by running its choices from the start again. It returns the reachable tuples of
// node states; ok is false when there are too many.
func simpleStates(t *testing.T, s *model.System, timed bool) (states map[string]bool, ok bool) {
	states, seen := map[string]bool{}, map[string]bool{}
	codec, err := value.New(s)
	if err != nil {
		t.Fatal(err)
	}
	type choice struct{ move, at, answer int }
	type walk struct {
		boot  []int // answers to Start
		steps []choice
	}
	paths := []walk{{}}
	for len(paths) > 0 {
		boot, path := paths[0].boot, paths[0].steps
		paths = paths[1:]
		asked := 0
		w, err := world.Start(s, codec, watching, world.Options{Timed: timed, Boot: func(n int, _ string) int {
			if asked++; asked > len(boot) { // not answered yet: go both ways, this one first
				for is := 1; is < n; is++ {
					paths = append(paths, walk{boot: append(slices.Clone(boot), is)})
				}
				boot = append(slices.Clone(boot), 0)
			}
			return boot[asked-1]
		}})
		if err != nil {
			t.Fatal(err)
		}
		var arities []int
		for _, c := range path {
			arities = arities[:0]
			first := true
			_, err := w.Step(allMoves(w)[c.move], world.Time(c.at), func(n int, _ string) int {
				arities = append(arities, n)
				if first {
					first = false
					return c.answer % n
				}
				return 0
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(arities) > 1 {
			return nil, false // the odometer of this test turns one wheel
		}
		if len(arities) == 1 && path[len(path)-1].answer == 0 {
			last := slices.Clone(path)
			last[len(last)-1].answer = 1
			paths = append(paths, walk{boot, last})
		}
		key := strings.Join(w.State(), "\n")
		if seen[key] {
			continue
		}
		seen[key] = true
		states[nodesKey(w)] = true
		if len(seen) > simpleLimit {
			return nil, false
		}
		deadline, _ := w.Deadline()
		for i, m := range allMoves(w) {
			from, to := w.Now, w.Now
			if timed {
				if to = min(deadline, w.Now+8); m.Event != nil && !m.Kind.Adversarial() {
					from, to, _ = w.Fires(m.Event)
					to = min(to, w.Now+8)
				}
			}
			for at := from; at <= to; at++ {
				paths = append(paths, walk{boot, append(slices.Clone(path), choice{i, int(at), 0})})
			}
		}
	}
	return states, true
}

// allMoves are the moves of a world, forgeries included.
func allMoves(w *world.World) []world.Move { return append(w.Moves(), w.Forgeries()...) }

func nodesKey(w *world.World) string {
	key := ""
	for i := range w.System.Nodes {
		key += fmt.Sprintf("%x;", w.Node(model.NodeID(i)))
	}
	return key
}

// engineStates does the same with the search, and reports whether it absorbed echoes.
func engineStates(t *testing.T, s *model.System, timed, stale bool) (states map[string]bool, echoes bool) {
	x, _, _ := attempts(t, s, watching, Options{Timed: timed, Stale: stale}, func(x *explorer) {
		states = map[string]bool{}
		x.observer = eachState(func(v []uint32) {
			key := ""
			for i := range x.N {
				if v[i] == component.Down {
					key += ";"
				} else {
					key += fmt.Sprintf("%x;", x.Locals.Items[v[i]].Bytes)
				}
			}
			states[key] = true
		})
	})
	return states, x.absorbedEchoes()
}

// absorbedEchoes reports whether a search deleted an echo.
func (x *explorer) absorbedEchoes() bool { return x.absorber() != nil && len(x.absorber().Calls) > 0 }

// The fast engine and the simple interpreter reach the same states, with every
// channel, fault and timer, untimed and on the grid; and stale absorption loses none.
func TestEngineAgreesWithInterpreter(t *testing.T) {
	compared := map[bool]int{}
	for seed := range uint64(few(166, 150)) {
		r := rand.New(rand.NewPCG(seed, 1))
		timed := seed%2 == 0
		// The grid closes the bound of a hold, the interpreter does not.
		if ok, _ := agree(t, random.System(r, !timed), seed, timed); ok {
			compared[timed]++
		}
	}
	t.Logf("compared %d untimed and %d timed systems", compared[false], compared[true])
	if compared[false] < few(16, 15) || compared[true] < few(16, 15) {
		t.Errorf("too few systems were small enough to compare: %v", compared)
	}
}

// So they do where late requests are refused, operations begin at boot, and a
// Byzantine server answers; and many systems have echoes.
func TestEngineAgreesWithInterpreterOnRefusals(t *testing.T) {
	compared, atBoot, forged, echoing := map[bool]int{}, 0, 0, 0
	for seed := range uint64(few(200, 150)) {
		timed := seed%8 == 0
		s := random.Refusals(rand.New(rand.NewPCG(seed, 3)))
		ok, echoes := agree(t, s, seed, timed)
		if !ok {
			continue
		}
		compared[timed]++
		if len(s.AtBoot()) > 0 {
			atBoot++
		}
		if s.Forge != nil {
			forged++
		}
		if echoes {
			echoing++
		}
		if echoes && timed {
			t.Errorf("seed %d: an echo is absorbed on the grid, where its answer has to arrive in time", seed)
		}
	}
	t.Logf("compared %d untimed and %d timed systems: %d begin at boot, %d have a liar, %d have echoes",
		compared[false], compared[true], atBoot, forged, echoing)
	if compared[true] < few(3, 2) || atBoot < few(16, 12) || forged < few(3, 2) || echoing < few(10, 7) {
		t.Error("too few systems of some kind were small enough to compare")
	}
}

// agree compares the states of one system, unless there are too many for the
// interpreter, and reports whether echoes were absorbed.
func agree(t *testing.T, s *model.System, seed uint64, timed bool) (compared, echoes bool) {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if r := explore(t, s, Options{Timed: timed, MaxStates: simpleLimit}, watching...); !r.Complete {
		return false, false
	}
	want, ok := simpleStates(t, s, timed)
	if !ok {
		return false, false
	}
	for _, stale := range []bool{false, true} {
		var got map[string]bool
		got, echoes = engineStates(t, s, timed, stale)
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d, timed %v, stale %v, %v, %+v: the search reaches %d states, the interpreter %d\nonly search: %v\nonly interpreter: %v",
				seed, timed, stale, s.Network.Channel, s.Faults, len(got), len(want), missing(got, want), missing(want, got))
		}
	}
	return true, echoes
}

func missing(from, in map[string]bool) []string {
	var out []string
	for k := range from {
		if !in[k] {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), 5)]
}
