package graph

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/model"
)

// The states of the graphs below, by number, and what of the goal is known in each.
const (
	goal   = iota
	open   // a step leads to the goal
	closed // a step on a closed bound leads to the goal
	cut    // a cut keeps a step from being taken
	doomed
	unmet // it lies before the beginning of the search
)

func claimed(kinds ...model.Kind) (all []model.Claim) {
	all = []model.Claim{{Name: "without a goal", Kind: model.Always}}
	for _, k := range kinds {
		all = append(all, model.Claim{Name: k.String(), Kind: k, Done: true})
	}
	return all
}

// five is the graph of the five states that are met, for one claim.
func five(t *testing.T) *Graph {
	t.Helper()
	g := New(claimed(model.PossibleFromEverywhere), false)
	require.NotNil(t, g)
	require.Len(t, g.Possible, 1)
	g.Possible[0].Reached = []bool{true, false, false, false, false}
	g.Edges.Close(nil, 0)
	g.Edges.Edge(liveness.Edge{To: goal})
	g.Edges.Close(nil, 0)
	g.Edges.Edge(liveness.Edge{To: goal, Flags: liveness.Closed})
	g.Edges.Close(nil, 0)
	g.Edges.Close(nil, liveness.Spare)
	g.Edges.Edge(liveness.Edge{To: goal, Flags: liveness.Environment})
	g.Edges.Close(nil, 0)
	return g
}

// along is a run along states.
func along(states ...uint64) (r runs.Route) {
	for i, s := range states {
		if r.Keys = append(r.Keys, fingerprint.Print{A: s}); i > 0 {
			r.Steps = append(r.Steps, runs.Step{Kind: model.Deliver})
		}
	}
	return r
}

func numbered(key fingerprint.Print) (uint32, bool) { return uint32(key.A), key.A != unmet }

// A run is behind its point of no return where all states from there on are doomed; whether the one before is, is known only where the
// goal can be reached from it.
func TestNoReturn(t *testing.T) {
	g := five(t)
	passing := along(open, unmet, doomed)
	passing.Steps[0].Kind = step.Passing
	late := along(open, doomed, unmet)
	late.Steps[1].Kind = step.Passing
	for name, c := range map[string]struct {
		run   runs.Route
		exact bool
		want  NoReturn
	}{
		"the goal is reached":         {along(open, goal), false, NoReturn{After: -1}},
		"it can be":                   {along(doomed, open), false, NoReturn{After: -1}},
		"it can be, on whole ticks":   {along(open), true, NoReturn{After: -1}},
		"at once":                     {along(doomed), false, NoReturn{}},
		"from the start":              {along(doomed, doomed, doomed), false, NoReturn{}},
		"after the first":             {along(open, doomed, doomed), false, NoReturn{After: 1}},
		"after the last":              {along(doomed, open, doomed), false, NoReturn{After: 2}},
		"perhaps before a bound":      {along(open, closed, doomed), false, NoReturn{After: 2, AtLatest: true}},
		"perhaps before a cut":        {along(cut, doomed), false, NoReturn{After: 1, AtLatest: true}},
		"perhaps before the search":   {along(unmet, doomed, doomed), false, NoReturn{After: 1, AtLatest: true}},
		"behind a cut":                {along(open, cut), false, NoReturn{Unknown: "states"}},
		"before the search":           {along(unmet), false, NoReturn{Unknown: "states"}},
		"on a bound":                  {along(open, closed), false, NoReturn{Unknown: decide.StrictBound}},
		"on whole ticks":              {along(open, doomed), true, NoReturn{Unknown: decide.StrictBound}},
		"a move that is no step":      {passing, false, NoReturn{After: 1}},
		"a last move that is no step": {late, false, NoReturn{After: 1}},
	} {
		got := g.NoReturn(1, c.run, Context{Number: numbered, Limit: "states", Exact: c.exact})
		assert.Equal(t, &c.want, got, name)
	}
	g.Possible[0].Reached = make([]bool, 5)
	assert.Equal(t, -1, g.NoReturn(1, along(open), Context{Number: numbered}).After, "the graph is searched once for a claim")
}

// Each claim has its own goal, of whatever kind it is.
func TestNoReturnOfEachClaim(t *testing.T) {
	g := New(claimed(model.Eventually, model.AlmostSurely, model.PossibleFromEverywhere), false)
	for i, list := range [][]Goals{g.Fairly, g.Surely, g.Possible} {
		require.Len(t, list, 1)
		assert.Equal(t, i+1, list[0].Claim)
		list[0].Reached = make([]bool, 3)
		list[0].Reached[i] = true
	}
	for range 3 {
		g.Edges.Close(nil, 0)
	}
	for claim := 1; claim <= 3; claim++ {
		for state := range uint64(3) {
			want := 0
			if int(state) == claim-1 {
				want = -1
			}
			assert.Equal(t, want, g.NoReturn(claim, along(state), Context{Number: numbered}).After, "claim %d in state %d", claim, state)
		}
	}
}

// The graph is kept for claims that no single run can refute, and which events there are where they are about fairness or chance.
func TestWhatIsKept(t *testing.T) {
	var none *Graph
	assert.False(t, none.Fair())
	assert.Nil(t, New(claimed(model.Always, model.Sometimes), false))
	for _, kind := range []model.Kind{model.PossibleFromEverywhere, model.Eventually, model.AlmostSurely, model.Sometimes, model.Always} {
		needs := kind != model.Sometimes && kind != model.Always
		assert.Equal(t, needs, Ahead(kind), kind.String())
		assert.Nil(t, New(claimed(kind), true), "in dense time none of them is decided")
		g := New(claimed(kind), false)
		if require.Equal(t, needs, g != nil); !needs {
			continue
		}
		assert.Len(t, g.All(), 1)
		assert.Equal(t, kind != model.PossibleFromEverywhere, g.Fair())
		assert.Equal(t, kind == model.AlmostSurely, g.Process != nil)
		g.Edges.Edge(liveness.Edge{Flags: liveness.Environment})
		assert.Equal(t, kind == model.Eventually, g.Edges.Size() == 1, "steps of the environment matter to fairness")
	}
}

// States that were met and not expanded are as if a cut stood before them, and those that were expanded are not.
func TestWhatIsLeft(t *testing.T) {
	g := New(claimed(model.PossibleFromEverywhere), false)
	g.Possible[0].Reached = make([]bool, 4)
	g.Keys, g.parents, g.expanded = []fingerprint.Print{{A: 7}, {A: 8}, {A: 9}, {A: 10}}, []uint32{^uint32(0), 0, 1, 1}, 2
	g.Edges.Close(nil, 0)
	g.Edges.Edge(liveness.Edge{To: 3})
	g.Edges.Close(nil, 0)
	g.LeaveRest()
	assert.Equal(t, []liveness.Reach{liveness.Never, liveness.BehindCut, liveness.BehindCut, liveness.BehindCut}, g.Edges.Reach(g.Possible[0].Reached))
	g.LeaveRest()
	assert.EqualValues(t, 4, g.expanded)
	assert.Equal(t, []fingerprint.Print{{A: 8}}, g.Parent(3))
}
