package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// A wanderer moves to places that it chooses, until it reaches a place without exit. It calls in place 1.
type wanderer struct {
	ways [7][2]int // of each place; 0 where there is none

	Place int
}

func (w *wanderer) Start(env model.Env) { env.Send(env.Self(), "on") }

func (w *wanderer) Receive(env model.Env, _ model.NodeID, _ any) {
	if w.Place = w.ways[w.Place][env.Choose(2)]; w.Place == 1 {
		env.Note("here")
	} else if w.ways[w.Place] != [2]int{} {
		env.Send(env.Self(), "on")
	}
}

// called waits for the call.
type called struct{ Is bool }

func (c *called) Observe(_ model.Watch, o model.Observation) { c.Is = c.Is || o.Kind == model.Noted }
func (c *called) Reached() bool                              { return c.Is }

// wandering returns a random wanderer. Its messages take time, and may be lost.
func wandering(seed uint64) random.Case {
	r := rand.New(rand.NewPCG(seed, 31))
	var ways [7][2]int
	for i := range ways {
		if i != 1 && r.IntN(12) > 0 {
			ways[i] = [2]int{1 + r.IntN(6), 1 + r.IntN(6)}
		}
	}
	ways[0] = [2]int{2, 3}
	s := &model.System{
		Nodes:   []model.NodeSpec{{Name: "w", Role: model.Peer, New: func() model.Node { return &wanderer{ways: ways} }}},
		Network: model.Network{Delay: model.Between(0, model.Ticks(r.IntN(2)))},
		Faults:  model.Faults{Loss: r.IntN(2)},
		Types:   []any{""},
	}
	kind := []model.Kind{model.PossibleFromEverywhere, model.Eventually}[r.IntN(2)]
	claim := model.Claim{Name: "calls", Kind: kind, Monitor: func(*model.System) model.Monitor { return &called{} }}
	return random.Case{System: s, Claims: []model.Claim{claim}, Reading: []model.Reading{model.Untimed, model.Grid}[r.IntN(2)]}
}

// counted are the runs that the test below has seen.
type counted struct{ points, late, open, loops int }

// After its point of no return no state of a counterexample can reach the goal, but the state immediately
// before the point can. If the trace has no such point, its last state can. Brute force confirms this for
// random systems, untimed and on the grid.
func TestNoReturn(t *testing.T) {
	var seen counted
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { seen.judge(t, wandering(seed)) })
	}
	t.Logf("%+v", seen)
	assert.Greater(t, min(seen.points, seen.late, seen.open, seen.loops), 10)
}

// judge holds the counterexample of a case's one claim against brute force.
func (seen *counted) judge(t *testing.T, it random.Case) {
	clock := oracle.Whole
	if it.Reading == model.Untimed {
		clock = oracle.None
	}
	truth, err := oracle.Explore(it.System, it.Claims, clock, small)
	if err != nil || truth.Strict {
		return // too large, or the search may know less
	}
	rows, err := Check(it, checker.Options{Workers: 1, MaxStates: searched})
	require.NoError(t, err)
	found, _ := Find(rows, it.Claims[0].Name)
	tr := found.Counterexample
	if tr == nil {
		return
	}
	if tr.Loop > 0 {
		seen.loops++
	}
	require.NotNil(t, tr.NoReturn)
	leads := leading(t, it, tr, truth)
	point, ok := tr.NoReturn.Point()
	switch {
	case ok:
		seen.points++
		assert.NotContains(t, leads[point:], true, "from step %d on", point)
	case tr.NoReturn.Unknown == "":
		seen.open++
		assert.True(t, leads[len(leads)-1])
	}
	assert.False(t, tr.NoReturn.AtLatest, "nothing is cut, and no bound is closed")
	if ok && point > 0 {
		seen.late++
		assert.True(t, leads[point-1], "before step %d", point)
	}
}

// leading returns for each state of a run whether the goal can be reached from it.
func leading(t *testing.T, it random.Case, tr *traces.Trace, g *oracle.Graph) (all []bool) {
	t.Helper()
	reaches := g.Reaches(it.Claims[0])
	for k := range len(tr.Steps) + 1 {
		run, err := replay.Until(protocol(it), tr, it.Claims, k)
		require.NoError(t, err)
		n, ok := g.Number(run.World)
		require.True(t, ok, "brute force did not come to the state after step %d", k)
		all = append(all, reaches[n])
	}
	return all
}
