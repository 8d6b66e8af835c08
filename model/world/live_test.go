package world_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A roamer executes its choices, and notes the state of its fields.
type roamer struct {
	L []int
	M map[int]int
	N int
}

func (r *roamer) Start(env model.Env) { r.act(env, 7) }

func (r *roamer) Invoke(env model.Env, op any) {
	r.act(env, 8)
	if op != "free" {
		env.Return(r.N)
	}
}

func (r *roamer) Receive(env model.Env, _ model.NodeID, m any) {
	if list, is := m.([]int); is {
		r.N += list[0] % 3
	}
	r.act(env, 8)
}

func (r *roamer) Timeout(env model.Env, _ any) { r.act(env, 8) }

func (r *roamer) act(env model.Env, ways int) {
	env.Note(fmt.Sprint(r.L == nil, len(r.L), r.M == nil, len(r.M)))
	r.N++
	switch env.Choose(ways) {
	case 0:
		r.L = append(r.L, r.N)
	case 1:
		r.L = r.L[:0]
	case 2:
		r.M = nil
	case 3:
		r.M[len(r.M)] = r.N
	case 4:
		env.After("k", model.By(3))
		env.Hold("h", model.Through(2))
	case 5:
		if env.Held("h") {
			env.Cancel("k")
		}
	case 6:
		m := []int{r.N}
		env.Broadcast([]model.NodeID{0, 1, 2}, m)
		m[0] = -1 // it was copied
	case 7:
		r.L, r.N = nil, 100 // which does not last
		if env.Draw(3) == 0 {
			panic("it fails")
		}
		r.N = 101 // beyond the cut
	}
}

// roaming returns a system of roamers and a Byzantine node, with all faults.
func roaming() *model.System {
	made := func() model.Node { return &roamer{M: map[int]int{}} }
	s := system(
		model.NodeSpec{Name: "c", New: made, Script: []model.Op{{Call: "go", Release: "free", Stay: model.By(1)}, {Call: "go"}}},
		model.NodeSpec{Name: "s", Role: model.Server, New: made},
		model.NodeSpec{Name: "l", Byzantine: true},
	)
	s.Types = []any{[]int{}}
	s.Network = model.Network{Delay: model.By(2)}
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{[]int{7}, []int{8}} }
	s.Faults = model.Faults{Loss: 1, Duplication: 1, Restarts: 1}
	s.Cuts = []model.Cut{{Name: "far", Beyond: func(n model.Node) bool { return n.(*roamer).N > 100 }}}
	return s
}

// A tally counts observations, and records their order like a roamer.
type tally struct {
	Seen []string
	Of   map[string]int
}

func (t *tally) Observe(w model.Watch, o model.Observation) {
	if t.Of == nil || t.Seen != nil && len(t.Seen) == 0 {
		w.Violate("it finds %v and %v", t.Of, t.Seen)
	}
	t.Of[fmt.Sprint(o.Value)]++
	if t.Seen = append(t.Seen, fmt.Sprint(o.Kind)); len(t.Seen) > 2 {
		t.Seen, t.Of = t.Seen[:0], nil
		w.Witness()
	}
}

// A live world runs like another, with new or used buffers: after each step the same moves are possible, the
// records are equal, and the states are equal. That includes failures and cuts.
func TestLiveWorldsRunAlike(t *testing.T) {
	s, claims := roaming(), []model.Claim{{Name: "tally", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &tally{Of: map[string]int{}} }}}
	require.NoError(t, s.Validate())
	codec, err := value.For(s, claims)
	require.NoError(t, err)
	setting, err := world.Prepare(s, codec, claims)
	require.NoError(t, err)
	room, met := &world.Buffers{}, map[string]int{}
	for seed := range uint64(300) {
		opt := world.Options{Timed: seed%2 == 1, Parts: 2}
		picks := func() world.Chooser {
			r := rand.New(rand.NewPCG(seed, 1))
			return func(n int, _ string) int { return r.IntN(n) }
		}
		start := func(live *world.Buffers) (*world.World, world.Chooser) {
			choose := picks()
			opt := opt
			opt.Live, opt.Boot = live, choose
			if live != nil && seed%4 > 1 {
				opt.Purity = world.NewPurity()
			}
			w, err := setting.Start(opt)
			require.NoError(t, err)
			return w, choose
		}
		one, first := start(nil)
		live, second := start(room)
		require.Equal(t, one.Began, live.Began)
		for walk := rand.New(rand.NewPCG(seed, 2)); ; {
			require.Equal(t, one.State(), live.State(), "seed %d, after %d steps", seed, one.Steps)
			require.Equal(t, one.Violations, live.Violations)
			require.Equal(t, one.Witnessed, live.Witnessed)
			require.Equal(t, one.Cut, live.Cut)
			moves, lived := slices.Concat(one.Moves(), one.Forgeries()), slices.Concat(live.Moves(), live.Forgeries())
			require.Equal(t, names(moves), names(lived), "seed %d, after %d steps", seed, one.Steps)
			if len(moves) == 0 || one.Failed() || one.Steps == 40 {
				break
			}
			k, at := walk.IntN(len(moves)), one.Now
			if e := moves[k].Event; e != nil && moves[k].Kind == e.Kind {
				at, _, _ = one.Fires(e)
			}
			a, err := one.Step(moves[k], at, first)
			b, err2 := live.Step(lived[k], at, second)
			require.Equal(t, err, err2)
			if errors.As(err, new(world.ErrCut)) {
				met["cut"]++
			}
			require.Equal(t, fmt.Sprint(a.Choices, a.Observations, names(sent(a))), fmt.Sprint(b.Choices, b.Observations, names(sent(b))))
			met[moves[k].Kind.String()]++
		}
		for id := range s.Nodes {
			assert.Equal(t, one.Node(model.NodeID(id)), live.Node(model.NodeID(id)))
		}
		if one.Failed() {
			met["failure"]++
		}
	}
	for _, what := range []string{"cut", "failure", "deliver", "timeout", "lose", "duplicate", "crash", "restart", "forge", "return", "release"} {
		assert.Greater(t, met[what], 10, what)
	}
}

// sent returns the messages of a step as moves.
func sent(r world.Record) (all []world.Move) {
	for _, e := range r.Sent {
		all = append(all, world.Move{Kind: e.Kind, Event: e})
	}
	return all
}
