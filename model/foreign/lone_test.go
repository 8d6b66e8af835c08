package foreign

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
)

// An isolated run returns an object in exactly the requested state, the first or the second. It creates the
// object by a history only if it has none.
func TestEitherOfTwoObjects(t *testing.T) {
	l := secrets(func(s *secretive, _ model.Env, m int) { s.Sum += m })
	n, objects := l.Node().(*Node[struct{}]), map[any]any{}
	n.Alone(objects)
	n.Start(&still{})
	c := n.shared.core
	of := objects[place{c, 0}].(*nodeObjects)
	both := []*object{{value: &secretive{}, name: Name{1}, disk: Name{3}}, {value: &secretive{}, name: Name{2}, disk: Name{4}}}
	for i, one := range both {
		of.objects = slices.Clone(both)
		assert.Same(t, one, n.own.get(c, 0, one.name))
		assert.Equal(t, both[1-i:2-i], of.objects, "the other stays")
		of.objects = slices.Clone(both)
		assert.Same(t, one, n.own.withDisk(c, 0, one.disk))
	}
	assert.Nil(t, n.own.get(c, 0, Name{9}))
	assert.Nil(t, n.own.withDisk(c, 0, Name{9}))
}

// A lone node can be shown everywhere: in an isolated run, as any node of the run, and outside a run.
func TestLoneNodesAreShown(t *testing.T) {
	l := secrets(func(s *secretive, _ model.Env, m int) { s.Sum += m })
	l.Lone = true
	sum := func(n *Node[struct{}]) string { return n.Dump()[0].Is }
	n, _ := begun(l)
	n.Receive(&still{}, 1, 3)
	assert.Equal(t, "3", sum(n))
	objects := map[any]any{}
	var nodes []*Node[struct{}]
	for self := range model.NodeID(8) {
		one, env := *n, &drawnEnv{self: self}
		one.Alone(objects)
		one.Start(env)
		one.Receive(env, 1, 10+int(self))
		nodes = append(nodes, &one)
	}
	for i, one := range nodes {
		assert.Equal(t, fmt.Sprint(10+i), sum(one))
	}
}

// A state without history has no object. For a lone object that reaches another state the error reports no
// cause.
func TestNoWayToAState(t *testing.T) {
	_, c := begun(secrets(nil))
	assert.Equal(t, "foreign: no history of the state 00000000000000050000000000000000 is known", refusalOf(func() { c.get(Name{5}) }))
	l := secrets(func(s *secretive, _ model.Env, m int) {
		if s.Sum = 1 + m/9*s.hidden; m != 9 {
			s.hidden = m
		}
	})
	l.Lone = true
	n, c := begun(l)
	one, other := *n, *n
	one.Receive(&still{}, 1, 1)
	other.Receive(&still{}, 1, 2)
	require.Equal(t, one.Name, other.Name)
	with2 := c.histories[one.Name].trails[1]
	c.pool = pool{objects: map[Name][]*object{}}
	one.Receive(&still{}, 1, 9)
	c.pool = pool{objects: map[Name][]*object{}}
	c.pool.put(&object{value: c.replay(with2), trail: with2, name: other.Name})
	assert.Equal(t, "foreign: a history leads to another state than it did before. "+
		"That is for whoever made the node to find out: the same input must have the same effect", refusalOf(func() { c.get(one.Name) }))
}

// An object is created from the nearest object: a copy on the way, or a cached object on the way.
func TestTheNearestObject(t *testing.T) {
	for _, copies := range []bool{true, false} {
		l := secrets(func(s *secretive, _ model.Env, m int) { s.Sum += m })
		l.Fork = func(s *secretive) *secretive { is := *s; return &is }
		n, c := begun(l)
		var way []Name
		for m := range 4 {
			n.Receive(&still{}, 1, m+1)
			way = append(way, n.Name)
		}
		c.pool, c.copies = pool{objects: map[Name][]*object{}}, pool{objects: map[Name][]*object{}}
		near := &object{value: c.replay(c.histories[way[1]].shortest()), trail: c.histories[way[1]].shortest(), name: way[1]}
		if copies {
			c.copies.put(near)
		} else {
			c.pool.put(near)
		}
		before := c.counts
		o := c.get(n.Name)
		assert.Equal(t, 10, o.value.(*secretive).Sum)
		assert.Equal(t, []int{1, 2}, []int{c.counts.Restored - before.Restored, c.counts.Replayed - before.Replayed}, "from the second of four steps two are left")
		assert.Equal(t, c.histories[n.Name].shortest(), o.trail)
	}
}

// A review reports a history that now leads to another state, even if the following reaction is the same.
func TestReviewOfWhatLeadsElsewhere(t *testing.T) {
	late := false
	l := secrets(func(s *secretive, _ model.Env, m int) {
		switch {
		case m == 9:
			s.Sum = -1
		case late && m == 2:
			s.Sum = 7
		default:
			s.Sum, s.hidden = 1, m
		}
	})
	n, c := begun(l)
	for m := range 4 {
		one := *n
		one.Receive(&still{}, 1, m)
		one.Receive(&still{}, 1, 9)
	}
	require.NotEmpty(t, c.histories)
	late = true
	assert.Contains(t, refusalOf(func() { n.Review(map[any]bool{}, func(int) bool { return true }) }),
		"foreign: a history leads to another state than it did before")
}

// A review repeats a recovery where it was seen, and in the first and in the latest state with that disk: each history of these once.
func TestReviewOfEachRecovery(t *testing.T) {
	for turn := range 4 {
		n := clerks(func(c *clerk, _ model.Env, n int) { c.heard = append(c.heard, n) })
		env, c := &still{}, n.shared.core
		if again := c.recover; turn > 1 { // it returns to its own state
			c.recover = func(crashed any) any {
				object := again(crashed).(*clerk)
				object.heard = []int{7}
				return object
			}
		}
		n.Start(env)
		first := n.Name
		n.Receive(env, 1, 1)
		was := []Name{n.Name, first}[turn%2]
		c.turn, n.Name = turn, Name{}
		n.Start(env)
		require.Equal(t, turn < 2, n.Name == first)
		asked := map[*trail]int{}
		for _, s := range c.suspects() {
			for _, r := range s.r {
				if r.t.in.kind == recovered {
					require.Equal(t, was, r.t.before.name)
					asked[s.t]++
				}
			}
		}
		want := map[*trail]int{}
		for _, is := range []Name{was, first, n.Name} {
			for _, t := range c.histories[is].trails {
				want[t] = 1
			}
		}
		assert.Equal(t, want, asked)
	}
}

// If one history always leads to the same state and the other does not, the error does not blame a variable
// that both use.
func TestOneOfTwoIsUnsteady(t *testing.T) {
	made := 0
	l := secrets(nil)
	l.New = func() *secretive {
		made++
		mine, drawn := made, 0
		return &secretive{do: func(s *secretive, env model.Env, m int) {
			if m == 1 {
				drawn = mine
			}
			if m == 9 {
				env.Send(1, drawn)
			}
		}}
	}
	n, c := begun(l)
	start := c.histories[n.Name].shortest()
	one := &trail{before: start, in: input{kind: received, value: 1}, name: n.Name}
	other := &trail{before: start, in: input{kind: received, value: 2}, name: n.Name}
	text := refusalOf(func() {
		c.blame(one, &trail{before: other, in: input{kind: received, value: 9}}, "what it does")
	})
	assert.Contains(t, text, "they differ in what it does. No field explains it: the reaction depends on something outside the object")
}

// A field that differs is not to blame where two objects react alike though it differs.
func TestAFieldThatMakesNoDifference(t *testing.T) {
	n, c := begun(secrets(func(s *secretive, env model.Env, m int) {
		s.hidden = m
		env.Send(1, m)
	}))
	start := c.histories[n.Name].shortest()
	one := &trail{before: start, in: input{kind: received, value: 1}, name: n.Name}
	other := &trail{before: start, in: input{kind: received, value: 2}, name: n.Name}
	text := refusalOf(func() {
		c.blame(one, &trail{before: other, in: input{kind: received, value: 9}}, "what it does")
	})
	assert.Contains(t, text, "Fields that Omit leaves out differ too and may be the cause, or a variable that a closure has captured: hidden (")
}

// An object that asks for less than another was answered reacts differently, and is said to.
func TestAsksForLess(t *testing.T) {
	l := secrets(func(s *secretive, env model.Env, m int) {
		if s.hidden = m; m == 9 {
			env.Choose(2)
		}
	})
	n, c := begun(l)
	start := c.histories[n.Name].shortest()
	for answers, says := range map[int]string{0: "asks Env once more", 1: "does nothing", 2: "asks Env for less"} {
		r, words := c.observe(c.replay(start), &trail{before: start, in: input{kind: received, value: 9}, answers: make([]int32, answers)}, true)
		if len(words) == 0 {
			words = []string{"does nothing"}
		}
		assert.Equal(t, []string{says}, words)
		assert.Equal(t, []int32{2, 0, askedLess}[answers], r.asks)
	}
}

// A failure of an object is reported, and its earlier effects in this step are no part of its reaction.
func TestFailsInWords(t *testing.T) {
	l := secrets(func(s *secretive, env model.Env, m int) {
		if env.Send(1, m); m == 9 {
			panic("nine")
		}
	})
	n, c := begun(l)
	r, words := c.observe(c.replay(c.histories[n.Name].shortest()), &trail{in: input{kind: received, value: 9}}, true)
	assert.Equal(t, reaction{failed: true}, r)
	require.Len(t, words, 2)
	assert.Equal(t, "sends 9 to node 1", words[0])
	assert.Contains(t, words[1], "fails: ")
	assert.Contains(t, words[1], "nine")
}

// It does not blame a variable if the objects react at random.
func TestAFieldIsNotToBlameForChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n, c := begun(secrets(func(s *secretive, env model.Env, m int) {
		s.hidden = m
		env.Send(1, r.IntN(2))
	}))
	start := c.histories[n.Name].shortest()
	one := &trail{before: start, in: input{kind: received, value: 1}, name: n.Name}
	other := &trail{before: start, in: input{kind: received, value: 2}, name: n.Name}
	for range 40 {
		text := refusalOf(func() {
			c.blame(one, &trail{before: other, in: input{kind: received, value: 9}}, "what it does")
		})
		assert.NotContains(t, text, "The field hidden")
	}
}

// An object that is created by its history still belongs to its node.
func TestAnObjectKnowsItsNode(t *testing.T) {
	l := secrets(func(s *secretive, env model.Env, _ int) { s.Sum = int(env.Self()) })
	n, env := l.Node().(*Node[struct{}]), &drawnEnv{self: 3}
	n.Start(env)
	n.Receive(env, 1, 0)
	c := n.shared.core
	c.pool = pool{objects: map[Name][]*object{}}
	assert.Equal(t, "3", n.Dump()[0].Is)
	assert.Equal(t, 1, c.counts.Restored)
}

// The longest history of each state is tested first, and the shortest last.
func TestSuspectsInOrder(t *testing.T) {
	n, c := begun(secrets(func(s *secretive, _ model.Env, m int) { s.Sum = min(s.Sum+m, 3) }))
	for _, way := range [][]int{{3}, {1, 2}, {1, 1, 1}, {2, 1}} {
		one := *n
		for _, m := range append(way, 5) {
			one.Receive(&still{}, 1, m)
		}
	}
	depths := map[Name][]int32{}
	for _, s := range c.suspects() {
		depths[s.t.name] = append(depths[s.t.name], s.t.depth)
	}
	several := 0
	for is, all := range depths {
		if len(all) > 1 {
			several++
			assert.Equal(t, slices.Max(all), all[0])
			assert.Equal(t, c.histories[is].shortest().depth, all[len(all)-1])
			assert.Less(t, all[len(all)-1], all[0])
		}
	}
	assert.Positive(t, several)
}

// For a lone object that starts in two ways the error reports no cause, too.
func TestALoneObjectStartsInTwoWays(t *testing.T) {
	made := 0
	l := &Library[*starting, struct{}]{New: func() *starting { made++; return &starting{Sum: made} }, Lone: true}
	l.Node().(*Node[struct{}]).Start(&still{})
	text := refusalOf(func() { l.Node().(*Node[struct{}]).Start(&still{}) })
	assert.Equal(t, "foreign: two objects in one state react to Start differently: they differ in the state that follows. "+
		"That is for whoever made the node to find out: the same input must have the same effect", text)
}

// For an object that once started differently no history explains the difference.
func TestAnObjectStartedOtherwiseOnce(t *testing.T) {
	made := 0
	l := &Library[*starting, struct{}]{New: func() *starting { made++; return &starting{Sum: min(made, 2)} }}
	l.Node().(*Node[struct{}]).Start(&still{})
	text := refusalOf(func() { l.Node().(*Node[struct{}]).Start(&still{}) })
	assert.Contains(t, text, "two objects in one state react to Start differently: they differ in the state that follows. "+
		"No field explains it: the reaction depends on something outside the object")
}

type starting struct{ Sum int }

func (*starting) Start(model.Env) {}

// The error shows a history itself if a shorter history of the same state acts differently, and otherwise the
// shorter history.
func TestShorterHistoriesAreTold(t *testing.T) {
	l := secrets(func(s *secretive, env model.Env, m int) {
		switch {
		case m == 9:
			env.Send(1, s.hidden)
		case m == 0:
			s.Sum = 1
		default:
			s.Sum, s.hidden = 5, m
		}
	})
	n, c := begun(l)
	one, longer := *n, *n
	one.Receive(&still{}, 1, 1)
	longer.Receive(&still{}, 1, 0)
	same := longer
	longer.Receive(&still{}, 1, 2)
	same.Receive(&still{}, 1, 1)
	require.Equal(t, one.Name, longer.Name)
	histories := c.histories[one.Name].trails
	require.Len(t, histories, 3)
	for _, h := range histories {
		want := "Start, Receive on 1 from node 1: it sends 1 to node 1"
		if h.in.value == 2 {
			want = "Start, Receive on 0 from node 1, Receive on 2 from node 1: it sends 2 to node 1"
		}
		assert.Contains(t, c.story(h, &trail{in: input{kind: received, value: 9}}), want)
	}
}

// Each question of two objects in one state has to be equal, not only the first.
func TestEachQuestionIsCompared(t *testing.T) {
	n, _ := begun(secrets(func(s *secretive, env model.Env, m int) {
		if m != 9 {
			s.Sum, s.hidden = 1, m
			return
		}
		env.Choose(2)
		env.Choose(2 + s.hidden)
		env.Choose(2)
		s.Sum, s.hidden = 7, 0
	}))
	one, other := *n, *n
	one.Receive(&still{}, 1, 1)
	other.Receive(&still{}, 1, 2)
	require.Equal(t, one.Name, other.Name)
	answered := func() *still { return &still{replayer{answers: []int32{0, 0, 0}}} }
	one.Receive(answered(), 1, 9)
	assert.Contains(t, refusalOf(func() { other.Receive(answered(), 1, 9) }), "they differ in what it asks Env. The field hidden (")
}

// A path is reported in the form of Omit, as far as it leads to a field.
func TestPathsAsOmitHasThem(t *testing.T) {
	n, c := begun(secrets(nil))
	for path, want := range map[string]string{
		"hidden": "hidden", `names["a]"].of`: "names[].of", "names[2][3].of": "names[][].of", "Sum.len": "Sum", "Sum.of.len": "Sum", "nowhere": "nowhere",
	} {
		if path == "names[2][3].of" {
			want = "names[][]" // it leads to no field, so only the name remains
		}
		assert.Equal(t, want, c.omitPath(path, c.histories[n.Name].shortest()), path)
	}
}

// A slice has the same elements where it has another capacity, and never too little.
func TestRoomy(t *testing.T) {
	slice := []int{1, 2, 3}
	for capacity, want := range map[int]int{0: 3, 3: 3, 8: 8} {
		is := withCapacity(reflect.ValueOf(slice), capacity).Interface().([]int)
		assert.Equal(t, []int{1, 2, 3}, is)
		assert.Equal(t, want, cap(is))
		is[0] = 9
	}
	assert.Equal(t, []int{1, 2, 3}, slice)
}

// Before it starts a node has no object. So it has no details and no changes.
func TestNothingIsAskedBeforeStart(t *testing.T) {
	l := secrets(func(s *secretive, _ model.Env, m int) { s.Sum += m })
	l.Details = func(*secretive) []string { return []string{"a detail"} }
	before := l.Node().(*Node[struct{}])
	assert.Empty(t, before.Details())
	assert.Empty(t, before.Dump())
	n, _ := begun(l)
	assert.Equal(t, []string{"a detail"}, n.Details())
	n.Receive(&still{}, 1, 3)
	assert.Empty(t, n.Changes(before, nil), "all that it has is new")
	assert.Empty(t, before.Changes(n, nil))
	assert.False(t, n.Lone())
	l = secrets(nil)
	l.Lone = true
	assert.True(t, l.Node().(*Node[struct{}]).Lone())
}

// The View of an object may be a plain number. The number and its change are shown, and with a custom
// snapshot nothing else.
func TestAViewThatIsANumber(t *testing.T) {
	l := &Library[*secretive, int]{
		New: func() *secretive {
			return &secretive{do: func(s *secretive, _ model.Env, m int) { s.Sum, s.hidden = s.Sum+m/10, m }}
		},
		View: func(s *secretive) int { return s.Sum },
	}
	for _, own := range []bool{false, true} {
		one := &Library[*secretive, int]{New: l.New, View: l.View}
		if own {
			one.Snapshot = func(s *secretive) []byte { return fmt.Append(nil, s.Sum, s.hidden) }
		}
		n := one.Node().(*Node[int])
		n.Start(&still{})
		before := *n
		n.Receive(&still{}, 1, 12)
		between := *n
		n.Receive(&still{}, 1, 3)
		assert.Equal(t, []describe.Field{{Name: "View", Is: "1"}}, n.Fields(nil))
		view := []describe.Change{{Field: "View", Before: "0", After: "1"}}
		assert.Equal(t, own, reflect.DeepEqual(n.Fields(nil), n.Compared(nil)), "all fields are compared, but with Snapshot the View only")
		hidden := []describe.Change{{Field: "hidden", Before: "12", After: "3"}}
		if own {
			hidden = nil
		}
		changes := between.Changes(&before, nil)
		if own {
			assert.Equal(t, view, changes)
		} else {
			assert.True(t, slices.Contains(changes, view[0]))
			assert.True(t, slices.Contains(changes, describe.Change{Field: "hidden", Before: "0", After: "12"}))
		}
		assert.Equal(t, hidden, n.Changes(&between, nil))
		assert.Empty(t, n.Changes(n, nil))
	}
}
