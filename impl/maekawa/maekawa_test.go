package maekawa

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/mutex"
	"contend/model"
	"contend/model/world"
)

// A scene is an untimed run, step by step.
type scene struct {
	testing.TB
	*world.World
}

// happens executes events by name: "p0 asks", "p0→p1 Request".
func (s scene) happens(events ...string) {
	s.Helper()
	for _, name := range events {
		pending := s.Pending()
		i := slices.IndexFunc(pending, func(e *world.Event) bool { return s.name(e) == name })
		require.GreaterOrEqual(s, i, 0, "%s is not pending", name)
		_, err := s.Step(world.Move{Kind: pending[i].Kind, Event: pending[i]}, 0, func(int, string) int { return 0 })
		require.NoError(s, err)
	}
}

func (s scene) name(e *world.Event) string {
	switch name := s.System.Name; {
	case e.Kind == model.Deliver:
		return fmt.Sprintf("%s→%s %T", name(e.From), name(e.Node), e.Value)
	case e.Kind == model.Invoke:
		return name(e.Node) + " asks"
	default:
		return fmt.Sprint(name(e.Node), " ", e.Kind)
	}
}

func (s scene) process(i int) Process { return *s.Live(model.NodeID(i)).(*Process) }

// The example of the lecture's problem 1, line by line.
func TestTheLecturesDeadlock(t *testing.T) {
	system, err := Protocol.System("", sized(7, 3, 1))
	require.NoError(t, err)
	w, err := world.New(system, nil, world.Options{})
	require.NoError(t, err)
	s := scene{t, w}
	sets := system.Setup.(*Config).Sets
	require.Equal(t, [][]model.NodeID{{0, 1, 2}, {1, 3, 5}, {2, 4, 5}}, sets[:3])

	s.happens("p0 asks", "p1 asks", "p2 asks") // "p0, p1, p2 send request to S0, S1, S2, respectively"
	for _, vote := range []struct{ from, to int }{
		{0, 0}, {2, 0}, {1, 1}, // "From S0, p0 & p2 send OK to p0, but p1 sends OK to p1"
		{3, 1}, {5, 2}, // "From S1, p1 & p3 send OK to p1, but p5 sends OK to p2"
		{4, 2}, // "From S2, p4 & p5 send OK to p2, but p2 sends OK to p0"
	} {
		s.happens(fmt.Sprintf("p%d→p%d maekawa.Request", vote.to, vote.from), fmt.Sprintf("p%d→p%d maekawa.OK", vote.from, vote.to))
	}
	s.happens("p0→p1 maekawa.Request", "p1→p5 maekawa.Request", "p2→p2 maekawa.Request") // which are queued
	require.Empty(t, s.Pending(), "nothing can happen any more")
	for i, short := range []int{1, 5, 2} { // "p0 waits for p1, p1 waits for p2, and p2 waits for p0"
		assert.True(t, s.process(i).Waiting)
		assert.Equal(t, 2, s.process(i).OKs)
		assert.Equal(t, []model.NodeID{model.NodeID(i)}, s.process(short).Queue, "p%d waits for the vote of p%d", i, short)
		assert.Equal(t, model.Some(model.NodeID((i+1)%3)), s.process(short).Vote)
	}
}

func TestFamilies(t *testing.T) {
	for n := 1; n <= mostProcesses; n++ {
		for _, sets := range []int{smallest, grid, majorities} {
			f := family(model.Config{N: n}.With(Sets.Is(sets)))
			assert.NoError(t, check(f), "n = %d, sets = %d", n, sets)
		}
	}
	for n, k := range map[int]int{1: 1, 2: 2, 3: 2, 4: 3, 7: 3, 8: 4, 13: 4} {
		assert.Len(t, family(model.Config{N: n})[0], k, "n = %d", n)
	}
	assert.Equal(t, [][]model.NodeID{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}, crosses(4))
	assert.Len(t, crosses(9)[0], 5, "2√N − 1")
	for _, i := range []int{7, 13} { // a plane: two sets share one member
		f := family(model.Config{N: i})
		for a := range f {
			for b := range a {
				assert.Equal(t, 1, shared(f[a], f[b]))
			}
		}
	}
}

func TestBadFamiliesAreRefused(t *testing.T) {
	for want, sets := range map[string][][]model.NodeID{
		"the voting set of p1 is [0], but must contain 1":                                            {{0}, {0}},
		"the voting sets of p0 and p1 have 1 and 2 members, but all must have the same number":       {{0}, {0, 1}},
		"p0 and p1 belong to 3 and 2 voting sets, but each must belong to the same number":           {{0, 1}, {0, 1}, {0, 2}},
		"the voting sets of p0 and p2 are [0 1] and [2 3], but any two must have a member in common": {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
	} {
		assert.EqualError(t, check(sets), want)
	}
	bad := sized(4, 2, 1).With(Sets.Is(halves))
	_, err := Protocol.System("", bad)
	assert.EqualError(t, err, "sets is 3, and with n = 4 the voting sets of p0 and p2 are [0 1] and [2 3], but any two must have a member in common; --beyond-bounds checks it all the same")
	bad.Beyond = true
	_, err = Protocol.System("", bad)
	assert.NoError(t, err)
}

// "K = M ≈ √N is the optimal solution that minimizes K": no families have smaller sets than the families here. If
// processes may belong to different numbers of sets, sets of two suffice.
func TestSmallestSets(t *testing.T) {
	for n := 1; n <= 7; n++ {
		assert.Equal(t, len(family(model.Config{N: n})[0]), leastSize(n, true), "n = %d", n)
		assert.Equal(t, min(n, 2), leastSize(n, false), "n = %d, whatever M", n)
	}
}

// leastSize returns the least K of all families of voting sets of n processes. It tries all families.
func leastSize(n int, sameM bool) int {
	for k := 1; ; k++ {
		if extended(nil, n, k, sameM) {
			return k
		}
	}
}

// extended reports whether some sets can be completed to a family, with S_i for the next i.
func extended(sets [][]model.NodeID, n, k int, sameM bool) bool {
	i := len(sets)
	if i == n {
		return !sameM || check(sets) == nil
	}
	for bits := range 1 << n {
		set := members(bits)
		meets := func(other []model.NodeID) bool { return shared(set, other) > 0 }
		if len(set) == k && slices.Contains(set, model.NodeID(i)) && all(sets, meets) && extended(append(slices.Clip(sets), set), n, k, sameM) {
			return true
		}
	}
	return false
}

func members(bits int) (set []model.NodeID) {
	for id := model.NodeID(0); bits>>id != 0; id++ {
		if bits>>id&1 == 1 {
			set = append(set, id)
		}
	}
	return set
}

func all(sets [][]model.NodeID, is func([]model.NodeID) bool) bool {
	return !slices.ContainsFunc(sets, func(s []model.NodeID) bool { return !is(s) })
}

// Processes can wait for each other in a circle exactly when each shares a voter of their own
// with the next: docs/proofs/maekawa.md#when-a-deadlock-is-possible.
func TestWhereADeadlockIsPossible(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for asking := 1; asking <= min(n, 3); asking++ {
			c := sized(n, asking, 1)
			rows, err := checker.Check(Protocol, model.Check{Config: c, Claims: []string{"deadlock freedom"}}, checker.Options{Workers: 1})
			require.NoError(t, err)
			want := checker.Holds
			if circleOf(family(c), asking) {
				want = checker.Violated
			}
			is := rows[0].Claims[0].Verdict
			assert.Equal(t, want, is, "n = %d, asking = %d", n, asking)
			t.Logf("n = %d, asking = %d: %v, %d states", n, asking, is, rows[0].States)
		}
	}
}

// circleOf reports whether two, or all, of two or three processes can wait in a circle.
func circleOf(sets [][]model.NodeID, asking int) bool {
	for i := range asking {
		for j := range i {
			if shared(sets[i], sets[j]) > 1 {
				return true
			}
		}
	}
	if asking < 3 {
		return false
	}
	for _, a := range sets[0] {
		for _, b := range sets[1] {
			for _, c := range sets[2] {
				if a != b && b != c && a != c && slices.Contains(sets[1], a) && slices.Contains(sets[2], b) && slices.Contains(sets[0], c) {
					return true
				}
			}
		}
	}
	return false
}

// The lecture's table: 3K messages for an entry and an exit, with messages to itself, and a round trip until the entry.
// The chain has one more message if a process's own request arrives after another's vote.
func TestTheLecturesCosts(t *testing.T) {
	for n, k := range map[int]int{1: 1, 2: 2, 3: 2, 4: 3, 7: 3, 13: 4} {
		c := model.Config{N: n}.With(mutex.Asking.Is(1), model.Ops.Is(1))
		printed, alone, ordered := model.Check{Config: c}, model.Check{Config: c, Variant: "own-vote-at-once"}, model.Check{Config: c, Variant: "ordered"}
		cost(t, "messages per entry", printed, 2*k, 2*k)
		cost(t, "messages per entry", alone, 2*(k-1), 2*(k-1))
		cost(t, "messages per entry and exit", printed, 3*k, 3*k)
		cost(t, "messages per entry and exit", alone, 3*(k-1), 3*(k-1))
		cost(t, "messages per entry and exit", ordered, 3*k, 3*k)
		cost(t, "client delay", printed, 2, min(3, k+1))
		cost(t, "client delay", alone, min(2, 2*(k-1)), min(2, 2*(k-1)))
		cost(t, "client delay", ordered, 2*k, 2*k)
	}
	for _, c := range []model.Config{sized(2, 2, 1), sized(3, 3, 1), sized(7, 2, 1)} {
		k := len(family(c)[0])
		cost(t, "messages per entry", model.Check{Config: c}, 2*k, 2*k)
	}
}

// cost checks the least and the most value of a cost.
func cost(t *testing.T, name string, c model.Check, least, most int) {
	t.Helper()
	i := slices.IndexFunc(costed, func(c *model.Cost) bool { return c.Name == name })
	row, err := checker.FindCost(Protocol, costed[i], c, checker.Options{Workers: 1})
	require.NoError(t, err)
	require.True(t, row.Complete && row.Least.Confirmed && row.Most.Confirmed)
	assert.Equal(t, []int{least, most}, []int{row.Least.Number, row.Most.Number}, "%s: %s", row.Command, name)
}
