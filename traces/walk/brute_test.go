package walk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/walk"
)

type (
	note struct{ Is int }
	// A table is a node with random transitions: for each state and note the next state, a message and whether
	// it chooses.
	table struct {
		Is    int
		Self  model.NodeID
		Rules rules
	}
	rules [3][3]rule
	rule  struct{ To, Tell, What, Choices int }
)

func (n *table) Invoke(env model.Env, op any) { n.follows(env, op.(note)) }

func (n *table) Receive(env model.Env, _ model.NodeID, m any) { n.follows(env, m.(note)) }

func (n *table) follows(env model.Env, m note) {
	r := n.Rules[n.Is][m.Is]
	n.Is = r.To
	if r.Choices > 1 {
		n.Is = (n.Is + env.Choose(r.Choices)) % len(n.Rules)
	}
	if r.Tell >= 0 {
		env.Send(model.NodeID(r.Tell), note{r.What})
	}
}

// ruled returns a random protocol of three such nodes. Its claim is violated when two of them are in the last
// state.
func ruled(seed uint64) *model.Protocol {
	r := rand.New(rand.NewPCG(seed, 7))
	var all [3]rules
	for n := range all {
		for s := range all[n] {
			for m := range all[n][s] {
				x := rule{r.IntN(3), r.IntN(4+3*int(seed%2)) - 1 - 3*int(seed%2), r.IntN(3), r.IntN(3)}
				all[n][s][m] = x
			}
		}
	}
	first, second, ops := r.IntN(3), r.IntN(3), 1+r.IntN(1+int(seed%2))
	var cuts []model.Cut
	if r.IntN(4) == 0 {
		at, node := r.IntN(3), model.NodeID(r.IntN(3))
		cuts = []model.Cut{{Name: "low", Beyond: func(n model.Node) bool { return n.(*table).Is == at && n.(*table).Self == node }}}
	}
	return &model.Protocol{Name: "ruled", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Types: []any{note{}}, Network: model.Network{Delay: model.Anytime()}, Cuts: cuts}
		for i := range all {
			spec := model.NodeSpec{Name: fmt.Sprint("n", i), New: func() model.Node { return &table{Self: model.NodeID(i), Rules: all[i]} }}
			if i < ops {
				spec.Script = []model.Op{{Call: note{first}}, {Call: note{second}}}[:1+i]
			}
			s.Nodes = append(s.Nodes, spec)
		}
		return s, nil
	}, Claims: []model.Claim{{Name: "never both", Invariant: func(nodes []model.Node) error {
		if nodes[0].(*table).Is == 2 && nodes[1].(*table).Is == 2 {
			return errors.New("both are")
		}
		return nil
	}}}}
}

// A looked is the result of all runs from a world: whether one without faults ends without a violation, and
// whether one reaches a loop or a cut.
type looked struct {
	avoids, open bool
	way          map[string]bool // states on the way here: true; behind: false
}

func (l *looked) from(t *testing.T, w *world.World) {
	if len(w.Violations) > 0 {
		return
	}
	key := strings.Join(w.State(), "\n")
	if onWay, known := l.way[key]; known {
		l.open = l.open || onWay
		return
	}
	l.way[key] = true
	moves := 0
	for i, m := range w.Moves() {
		if m.Kind.Adversarial() {
			continue
		}
		moves++
		for answer, of := 0, 1; answer < of; answer++ {
			next := w.Fork()
			_, err := next.Step(next.Moves()[i], next.Now, func(n int, _ string) int { of = n; return answer })
			if errors.As(err, new(world.ErrCut)) {
				l.open = true
				continue
			}
			require.NoError(t, err)
			l.from(t, next)
		}
	}
	l.avoids = l.avoids || moves == 0
	l.way[key] = false
}

// The answer whether a violation can be avoided agrees with all runs from each place of a violating run. With
// fewer steps it may be open, but never wrong.
func TestAvoidingAgainstAllRuns(t *testing.T) {
	said := map[walk.Outlook]int{}
	for seed := range uint64(1200) {
		p := ruled(seed)
		header := traces.New(p, "", model.Config{Faults: model.Faults{Loss: 1}}, false, "", "")
		w, err := walk.Begin(p, &header, p.Claims, 0)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 8))
		for range 12 {
			if offers := w.Offers(); len(offers) > 0 {
				_ = w.Take(offers[r.IntN(len(offers))], "", []int{r.IntN(2)})
			}
			if len(w.Run().World.Violations) > 0 {
				break
			}
		}
		if len(w.Run().World.Violations) == 0 {
			continue
		}
		for _, steps := range []int{1 << 20, 6} {
			a := walk.NewAvoiding("never both", steps, nil)
			for at := len(w.Place()) - 1; at >= 0; at-- {
				there, err := walk.BeginAt(p, &header, p.Claims, w.Place()[:at])
				require.NoError(t, err)
				is, other := a.From(there)
				want := looked{way: map[string]bool{}}
				want.from(t, there.Run().World)
				switch {
				case want.avoids:
					assert.NotEqual(t, walk.Inevitable, is, "seed %d, place %v", seed, w.Place()[:at])
				case want.open:
					assert.Equal(t, walk.Open, is, "seed %d, place %v", seed, w.Place()[:at])
				default:
					assert.NotEqual(t, walk.Avoidable, is, "seed %d, place %v", seed, w.Place()[:at])
				}
				if steps > 6 && (want.avoids || !want.open) {
					assert.NotEqual(t, walk.Open, is, "seed %d, place %v want %v %v", seed, w.Place()[:at], want.avoids, want.open)
				}
				if said[is]++; is == walk.Avoidable {
					end, err := walk.BeginAt(p, &header, p.Claims, other)
					require.NoError(t, err)
					assert.Empty(t, end.Run().World.Violations)
					assert.Equal(t, w.Place()[:at].String(), other[:at].String())
					for _, o := range end.Offers() {
						assert.True(t, o.Fault, "the run has ended")
					}
				}
			}
		}
	}
	for _, o := range []walk.Outlook{walk.Open, walk.Avoidable, walk.Inevitable} {
		assert.Greater(t, said[o], 25, "outlook %v", o)
	}
}
