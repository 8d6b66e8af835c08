package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A machine is a node whose handlers are a random table.
type machine struct {
	table *table
	State int
	Log   []int // the last message seen, so that slices are exercised
}

type table struct {
	peers []model.NodeID
	next  [4][6]reaction // by state and trigger
	holds bool
}

// A reaction is what a handler does.
type reaction struct {
	state         int
	send, to      int // message −1: none
	arm           int // alarm window's end; −1: none
	hold, ask     bool
	choose        bool
	note, cancels bool
}

type (
	msg   struct{ K int }
	alarm struct{}
	lock  struct{}
	call  struct{}
	leave struct{}
)

func (m *machine) react(env model.Env, trigger int) {
	r := m.table.next[m.State][trigger]
	if r.ask && m.table.holds && env.Held(lock{}) {
		return
	}
	m.State = r.state
	if r.choose && env.Choose(2) == 1 {
		m.State = (m.State + 1) % 4
	}
	if r.send >= 0 {
		env.Send(m.table.peers[r.to], msg{r.send})
	}
	if r.arm >= 0 {
		env.After(alarm{}, model.Between(model.Ticks(r.arm/2), model.Ticks(r.arm)))
	}
	if r.cancels {
		env.Cancel(alarm{})
	}
	if r.hold && m.table.holds {
		env.Hold(lock{}, model.Through(2))
	}
	if r.note {
		env.Note(r.state)
	}
}

func (m *machine) Receive(env model.Env, _ model.NodeID, x any) {
	m.Log = []int{x.(msg).K}
	m.react(env, x.(msg).K)
}
func (m *machine) Timeout(env model.Env, _ any) { m.react(env, 3) }
func (m *machine) Start(env model.Env)          { m.react(env, 5) }
func (m *machine) Invoke(env model.Env, op any) {
	m.react(env, 4)
	if op == (call{}) {
		env.Return(m.State)
	}
}

// randomSystem makes a small system. Messages travel only a few times, since each
// state sends at most one message and states mostly move on.
func randomSystem(r *rand.Rand, holds bool) *model.System {
	n := 2 + r.IntN(2)
	t := &table{holds: holds}
	for i := range n {
		t.peers = append(t.peers, model.NodeID(i))
	}
	for s := range t.next {
		for k := range t.next[s] {
			t.next[s][k] = reaction{
				state: min(3, s+r.IntN(3)), send: r.IntN(5) - 2, to: r.IntN(n), arm: r.IntN(8) - 5, hold: r.IntN(3) == 0, ask: r.IntN(3) == 0,
				choose: r.IntN(6) == 0, note: r.IntN(4) == 0, cancels: r.IntN(6) == 0,
			}
			if s == 3 {
				t.next[s][k].send, t.next[s][k].arm = -1, -1
			}
		}
	}
	for s := range t.next { // Start makes no choices
		t.next[s][5].choose, t.next[s][5].ask = false, false
	}
	s := &model.System{
		Network: model.Network{Channel: model.Channel(r.IntN(3)), Delay: model.Between(0, model.Ticks(r.IntN(2)))},
		Faults:  [...]model.Faults{{}, {Loss: 1}, {Duplication: 1}, {Crashes: 1}, {Restarts: 1}}[r.IntN(5)],
		Types:   []any{msg{}, alarm{}, lock{}, call{}, leave{}},
	}
	for i := range n {
		spec := model.NodeSpec{Name: fmt.Sprint("m", i), Role: model.Server, New: func() model.Node { return &machine{table: t} }}
		if i == 0 {
			spec.Role, spec.Script = model.Client, []model.Op{{Call: call{}, After: model.Between(0, 1), Release: leave{}}}
		}
		s.Nodes = append(s.Nodes, spec)
	}
	return s
}

// watcher counts notes, so that monitors are compared too.
type watcher struct{ Seen []int }

func (x *watcher) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && len(x.Seen) < 3 {
		x.Seen = append(x.Seen, o.Value.(int))
	}
}

var watching = []model.Claim{{Name: "watch", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &watcher{} }}}

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
	paths := [][]choice{nil}
	for len(paths) > 0 {
		path := paths[0]
		paths = paths[1:]
		w, err := world.Start(s, codec, watching, world.Options{Timed: timed})
		if err != nil {
			t.Fatal(err)
		}
		var arities []int
		for _, c := range path {
			arities = arities[:0]
			first := true
			_, err := w.Step(w.Moves()[c.move], world.Time(c.at), func(n int, _ string) int {
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
			paths = append(paths, last)
		}
		key := strings.Join(w.State(), "\n")
		if seen[key] {
			continue
		}
		seen[key] = true
		states[nodesKey(w)] = true
		if len(seen) > 300 {
			return nil, false
		}
		deadline, _ := w.Deadline()
		for i, m := range w.Moves() {
			from, to := w.Now, w.Now
			if timed {
				if to = min(deadline, w.Now+8); m.Event != nil && !m.Kind.Adversarial() {
					from, to, _ = w.Fires(m.Event)
					to = min(to, w.Now+8)
				}
			}
			for at := from; at <= to; at++ {
				paths = append(paths, append(slices.Clone(path), choice{i, int(at), 0}))
			}
		}
	}
	return states, true
}

func nodesKey(w *world.World) string {
	key := ""
	for i := range w.System.Nodes {
		key += fmt.Sprintf("%x;", w.Node(model.NodeID(i)))
	}
	return key
}

// engineStates does the same with the search.
func engineStates(t *testing.T, s *model.System, timed, stale bool) map[string]bool {
	codec, err := value.New(s)
	if err != nil {
		t.Fatal(err)
	}
	spared := map[string]bool{}
	for {
		states := map[string]bool{}
		x := newExplorer(s, codec, watching, Options{Timed: timed, Stale: stale}, closing, false, spared)
		x.onState = func(v []uint32) {
			key := ""
			for i := range x.n {
				if v[i] == down {
					key += ";"
				} else {
					key += fmt.Sprintf("%x;", x.locals.items[v[i]].bytes)
				}
			}
			states[key] = true
		}
		_, again, err := x.attempt()
		if err != nil {
			t.Fatal(err)
		}
		if wrong, ok := again.(refutation); ok {
			spared[wrong.message] = true
			continue
		}
		return states
	}
}

// The fast engine and the simple interpreter reach the same states, with every
// channel, fault and timer, untimed and on the grid; and stale absorption loses none.
func TestEngineAgreesWithInterpreter(t *testing.T) {
	compared := map[bool]int{}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		timed := seed%2 == 0
		s := randomSystem(r, !timed) // the grid closes the bound of a hold, the interpreter does not
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		want, ok := simpleStates(t, s, timed)
		if !ok {
			continue
		}
		compared[timed]++
		for _, stale := range []bool{false, true} {
			got := engineStates(t, s, timed, stale)
			if !maps.Equal(got, want) {
				t.Fatalf("seed %d, timed %v, stale %v, %v, %+v: the search reaches %d states, the interpreter %d\nonly search: %v\nonly interpreter: %v",
					seed, timed, stale, s.Network.Channel, s.Faults, len(got), len(want), missing(got, want), missing(want, got))
			}
		}
	}
	t.Logf("compared %d untimed and %d timed systems", compared[false], compared[true])
	if compared[false] < 50 || compared[true] < 50 {
		t.Errorf("too few systems were small enough to compare: %v", compared)
	}
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
