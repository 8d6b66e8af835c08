package statespace_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/checker/search/statespace"
	"contend/model"
)

// A sender sends its server a one, a two or a three. After a one it waits for an answer.
type sender struct{}

func (*sender) Invoke(env model.Env, _ any) {
	number := 1 + env.Choose(3)
	env.Send(1, number)
	if number > 1 {
		env.Return(nil)
	}
}

func (*sender) Receive(env model.Env, _ model.NodeID, _ any) { env.Return(nil) }

// A server counts to the number that it is sent, and notes it; it cannot count to two, and must not count to three.
type server struct{ Count int }

func (s *server) Receive(env model.Env, from model.NodeID, m any) {
	switch s.Count = m.(int); s.Count {
	case 1:
		env.Send(from, "one")
	case 2:
		panic("it cannot count to two")
	}
	env.Note(s.Count)
}

// A noted monitor waits for a note of one, and is broken by one of three.
type noted struct{ One bool }

func (n *noted) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Noted && o.Value == 1:
		n.One = true
	case o.Kind == model.Noted && o.Value == 3:
		w.Violate("three is noted")
	}
}

type goal struct{ One bool }

func (g *goal) Observe(_ model.Watch, o model.Observation) {
	g.One = g.One || o.Kind == model.Noted && o.Value == 1
}
func (g *goal) Reached() bool { return g.One }

// counting has a message that may be lost, and a search cuts it short where the server counts to more than most, or at all if most is
// negative.
func counting(most int) (*model.System, []model.Claim) {
	s := &model.System{Types: []any{0, ""}, Network: model.Network{Delay: model.Anytime()}, Faults: model.Faults{Loss: 1},
		Nodes: []model.NodeSpec{
			{Name: "c", Role: model.Client, New: func() model.Node { return &sender{} }, Script: []model.Op{{Call: "go"}}},
			{Name: "s", Role: model.Server, New: func() model.Node { return &server{} }},
		}}
	if most != 0 {
		s.Cuts = []model.Cut{{Name: "small", Beyond: func(n model.Node) bool { is, server := n.(*server); return server && is.Count > max(most, 0) }}}
	}
	return s, []model.Claim{
		{Name: "no three", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &noted{} }},
		{Name: "below three", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if s, up := nodes[1].(*server); up && s.Count > 2 {
				return errors.New("it is three")
			}
			return nil
		}},
		{Name: "one", Kind: model.PossibleFromEverywhere, Monitor: func(*model.System) model.Monitor { return &goal{} }},
	}
}

// lines are the states and the steps of a space.
func lines(sp *statespace.Space) (states, edges []string) {
	for n, m := range sp.States {
		text := fmt.Sprintf("%d from %d: counts %d, in flight %v", n, m.From, m.Nodes[1].(*server).Count, m.InFlight)
		for _, is := range []struct {
			it   bool
			what string
		}{{m.Done, "done"}, {m.Expanded, "expanded"}, {m.Stuck, "stuck"}, {m.Cut, "cut"}} {
			if is.it {
				text += ", " + is.what
			}
		}
		states = append(states, fmt.Sprintf("%s, violates %v, doomed %v", text, m.Violates, m.Doomed))
	}
	for _, e := range sp.Edges {
		if e.Step.Occurrence != 0 {
			panic("a step of a space takes no event of a run")
		}
		edges = append(edges, fmt.Sprintf("%d to %d: %v %v, violates %v", e.From, e.To, e.Step.Kind, e.Step.Value, e.Violates))
	}
	return states, edges
}

func searched(t *testing.T, most int, opt search.Options) (states, edges []string) {
	t.Helper()
	s, claims := counting(most)
	return lines(run(t, s, claims, opt).Space)
}

func run(t *testing.T, s *model.System, claims []model.Claim, opt search.Options) *search.Result {
	t.Helper()
	opt.Draw, opt.Pure, opt.Workers = true, true, 1
	r, err := search.Run(s, claims, opt)
	require.NoError(t, err)
	return r
}

// A space has each state as it was met first, with what is wrong there, and each step. What follows a two is hidden by the handler that
// fails on it, so that nothing is doomed before.
func TestSpace(t *testing.T) {
	states, edges := searched(t, 0, search.Options{})
	assert.Equal(t, []string{
		"0 from -1: counts 0, in flight [], expanded, violates [], doomed []",
		"1 from 0: counts 0, in flight [{0 1 1 0}], expanded, violates [], doomed []",
		"2 from 0: counts 0, in flight [{0 1 2 0}], expanded, violates [], doomed []",
		"3 from 0: counts 0, in flight [{0 1 3 0}], expanded, violates [], doomed [2]",
		"4 from 1: counts 1, in flight [{1 0 one 0}], expanded, violates [], doomed []",
		"5 from 1: counts 0, in flight [], expanded, stuck, violates [], doomed [2]",
		"6 from 2: counts 0, in flight [{0 1 2 0}], done, expanded, violates [], doomed []",
		"7 from 2: counts 0, in flight [], expanded, violates [], doomed [2]",
		"8 from 3: counts 3, in flight [], expanded, violates [1], doomed [2]",
		"9 from 3: counts 0, in flight [{0 1 3 0}], done, expanded, violates [], doomed [2]",
		"10 from 4: counts 1, in flight [], expanded, violates [], doomed []",
		"11 from 4: counts 1, in flight [], expanded, stuck, violates [], doomed []",
		"12 from 6: counts 0, in flight [], done, expanded, violates [], doomed [2]",
		"13 from 8: counts 3, in flight [], done, expanded, violates [1], doomed [2]",
		"14 from 10: counts 1, in flight [], done, expanded, violates [], doomed []",
	}, states)
	assert.Equal(t, []string{
		"0 to 1: invoke go, violates []",
		"0 to 2: invoke go, violates []",
		"0 to 3: invoke go, violates []",
		"1 to 4: deliver 1, violates []",
		"1 to 5: lose 1, violates []",
		"2 to -1: deliver 2, violates [3]",
		"2 to 6: return <nil>, violates []",
		"2 to 7: lose 2, violates []",
		"3 to 8: deliver 3, violates [0]",
		"3 to 9: return <nil>, violates []",
		"3 to 7: lose 3, violates []",
		"4 to 10: deliver one, violates []",
		"4 to 11: lose one, violates []",
		"6 to -1: deliver 2, violates [3]",
		"6 to 12: lose 2, violates []",
		"7 to 12: return <nil>, violates []",
		"8 to 13: return <nil>, violates []",
		"9 to 13: deliver 3, violates [0]",
		"9 to 12: lose 3, violates []",
		"10 to 14: return <nil>, violates []",
	}, edges)
}

// What a cut keeps from happening is no step, and the states in which it does are marked; nothing is doomed before a cut.
func TestSpaceWithACut(t *testing.T) {
	states, edges := searched(t, 2, search.Options{})
	require.Len(t, states, 13)
	for n, text := range states {
		assert.Equal(t, n == 3 || n == 8, strings.Contains(text, ", cut,"), text)
		assert.Equal(t, n == 5 || n == 7 || n == 11, strings.HasSuffix(text, "doomed [2]"), text)
	}
	assert.NotContains(t, edges, "3 to 8: deliver 3, violates [0]")
	assert.Contains(t, edges, "3 to 8: return <nil>, violates []")
}

// A state is not stuck where a cut hides what would come, or where only one who comes back would go on.
func TestStatesThatOnlySeemStuck(t *testing.T) {
	states, _ := searched(t, -1, search.Options{})
	assert.Equal(t, "1 from 0: counts 0, in flight [{0 1 1 0}], expanded, cut, violates [], doomed []", states[1])
	s, claims := counting(0)
	s.Faults = model.Faults{Restarts: 1}
	s.Nodes[1].Crash = model.CrashRecovery
	sp, others, waiting := run(t, s, claims[2:], search.Options{}).Space, map[int]bool{}, 0
	for _, e := range sp.Edges {
		others[e.From] = others[e.From] || e.Step.Kind != model.Restart
	}
	for n, m := range sp.States {
		if m.Expanded && !m.Done && !others[n] && m.Nodes[1] == nil {
			assert.False(t, m.Stuck, "the server may come back")
			waiting++
		}
	}
	assert.Positive(t, waiting)
}

// A step, or a state, may break several claims at once; the number that a step comes to breaks none. To keep a space hides nothing from
// the search.
func TestSeveralClaims(t *testing.T) {
	s, claims := counting(0)
	claims = []model.Claim{claims[0], claims[1], claims[0], claims[1], claims[2], claims[2]}
	for i := range claims {
		claims[i].Name += fmt.Sprint(" ", i)
	}
	r := run(t, s, claims, search.Options{})
	states, edges := lines(r.Space)
	assert.Contains(t, edges, "3 to 8: deliver 3, violates [0 2]")
	assert.Equal(t, "8 from 3: counts 3, in flight [], expanded, violates [1 3], doomed [4 5]", states[8])
	assert.Contains(t, r.Violated(), len(claims), "a handler fails")

	cost := model.Cost{Name: "notes", Most: 3, Meter: func(*model.System) model.Monitor { return &meter{} }}
	_, edges = lines(run(t, s, []model.Claim{cost.Claim()}, search.Options{}).Space)
	assert.Contains(t, edges, "3 to 8: deliver 3, violates []")
}

// A meter measures what is noted.
type meter struct{}

func (*meter) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Measure(o.Value.(int))
	}
}

// What a limit leaves is not expanded.
func TestSpaceThatIsLeft(t *testing.T) {
	states, edges := searched(t, 0, search.Options{MaxStates: 2})
	assert.Len(t, edges, 3)
	for n, text := range states {
		assert.Equal(t, n == 0, strings.Contains(text, ", expanded,"), text)
	}
}

// A starter is given one of two or three answers as it starts: it does nothing, counts, or fails. What it counts it must not note.
type starter struct {
	answers int
	Count   int
}

func (s *starter) Start(env model.Env) {
	if s.Count = env.Choose(s.answers); s.Count == 2 {
		panic("it cannot start with two")
	}
	env.Note(3 * s.Count)
}

// First states were met from no other, and no step leads to them, though a claim may be broken as they are made.
func TestFirstStates(t *testing.T) {
	s := &model.System{Types: []any{0}, Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{
		{Name: "s", Role: model.Server, New: func() model.Node { return &starter{answers: 3} }}}}
	_, claims := counting(0)
	r := run(t, s, claims[:1], search.Options{})
	assert.Empty(t, r.Space.Edges)
	require.Len(t, r.Space.States, 2)
	for n, m := range r.Space.States {
		assert.Equal(t, -1, m.From)
		assert.Equal(t, n, m.Nodes[0].(*starter).Count)
		assert.True(t, m.Done)
		assert.False(t, m.Stuck)
	}
}

// Where time is locked a state is stuck, though something is pending.
func TestStatesInWhichTimeIsLocked(t *testing.T) {
	s, claims := counting(0)
	s.Network.Channel, s.Faults = model.FIFO, model.Faults{}
	s.Nodes[1].New = func() model.Node { return &teller{} }
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		return model.Exactly(map[any]model.Ticks{"slow": 3, "fast": 1}[m])
	}
	done := map[bool]int{}
	for _, m := range run(t, s, claims[:1], search.Options{Timed: true}).Space.States {
		if m.Stuck {
			assert.Len(t, m.InFlight, 2)
			done[m.Done]++
		}
	}
	assert.Positive(t, done[false])
	assert.Positive(t, done[true], "whether or not the script is done")
}

// A teller sends a message that is slow, and one behind it that is due sooner.
type teller struct{}

func (*teller) Receive(env model.Env, from model.NodeID, _ any) {
	env.Send(from, "slow")
	env.Send(from, "fast")
}

// Of servers that are alike one state stands for all that are renamings of it.
func TestSpaceOfOrbits(t *testing.T) {
	s, claims := counting(0)
	s.Faults.Loss = 0
	for range 2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", len(s.Nodes)), Role: model.Server, New: func() model.Node { return &starter{answers: 2} }})
	}
	s.Nodes = slices.Delete(s.Nodes, 1, 2)
	s.Nodes[0].Script = nil
	r := run(t, s, claims[:1], search.Options{Symmetry: true})
	assert.EqualValues(t, 3, r.States)
	assert.Len(t, r.Space.States, 3, "none, one or both of them count")
}
