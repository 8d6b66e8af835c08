package foreign

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
	"contend/model/wrapped"
)

// The shortest and the longest history of a state are stored, whatever their order, and some others.
func TestHistories(t *testing.T) {
	for _, depths := range [][]int32{{5, 3, 9, 1, 4, 7, 2, 8, 6, 10}, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}} {
		h := &histories{}
		for range 3 {
			for _, d := range depths {
				h.add(&trail{depth: d, sum: uint64(d)})
				most := int32(0)
				for _, one := range h.trails {
					assert.GreaterOrEqual(t, one.depth, h.shortest().depth)
					most = max(most, one.depth)
				}
				assert.Equal(t, most, h.trails[min(1, len(h.trails)-1)].depth)
			}
		}
		assert.EqualValues(t, 1, h.shortest().depth)
		assert.EqualValues(t, 10, h.trails[1].depth)
		require.Len(t, h.trails, maxTrails)
		seen := map[uint64]bool{}
		for _, one := range h.trails {
			assert.False(t, seen[one.sum], "each once")
			seen[one.sum] = true
		}
	}
	assert.Nil(t, (*histories)(nil).shortest())
}

// The other stored histories are from all times: some early, some late.
func TestHistoriesOfAllTimes(t *testing.T) {
	h, replaced := &histories{}, map[int]bool{}
	for n := uint64(1); n <= 1000; n++ {
		before := slices.Clone(h.trails)
		h.add(&trail{depth: 5, sum: n})
		for i := range before {
			if before[i] != h.trails[i] {
				replaced[i] = true
			}
		}
	}
	assert.Equal(t, map[int]bool{2: true, 3: true, 4: true, 5: true}, replaced)
	early, late := 0, 0
	for _, one := range h.trails[2:] {
		if one.sum <= 900 {
			early++
		}
		if one.sum > 100 {
			late++
		}
	}
	assert.Positive(t, early)
	assert.Positive(t, late)
}

// A clerk records its inputs. It records some of them on its disk.
type clerk struct {
	heard []int
	disk  *[]int
	do    func(c *clerk, env model.Env, n int)
}

func (c *clerk) Receive(env model.Env, _ model.NodeID, m any) { c.do(c, env, m.(int)) }

func clerks(do func(c *clerk, env model.Env, n int)) *Node[struct{}] {
	l := &Library[*clerk, struct{}]{
		New:     func() *clerk { return &clerk{disk: &[]int{}, do: do} },
		Recover: func(crashed *clerk) *clerk { return &clerk{disk: crashed.disk, do: do} },
		Stable:  func(c *clerk) any { return c.disk },
		Omit:    []string{"disk"},
	}
	return l.Node().(*Node[struct{}])
}

// An object is found by its name alone. So the name covers the content of the disk.
func TestNameCoversTheDisk(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { *c.disk = append(*c.disk, n) })
	env := &still{}
	n.Start(env)
	one, other := *n, *n
	one.Receive(env, 1, 1)
	other.Receive(env, 1, 2)
	assert.NotEqual(t, one.Name, other.Name)
	assert.NotEqual(t, one.Disk, other.Disk)
}

// The name also covers the View of the object, even its omitted fields.
func TestNameCoversTheView(t *testing.T) {
	l := &Library[*clerk, int]{
		New:  func() *clerk { return &clerk{do: func(c *clerk, _ model.Env, n int) { c.heard = append(c.heard, n) }} },
		View: func(c *clerk) int { return len(c.heard) },
		Omit: []string{"heard"},
	}
	n, env := l.Node().(*Node[int]), &still{}
	n.Start(env)
	first := *n
	n.Receive(env, 1, 1)
	assert.NotEqual(t, first.Name, n.Name)
	assert.Equal(t, 1, n.View)
}

// A node restarts from its disk. It alternates between the first and the latest state with this disk.
func TestDisksInTurn(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { c.heard = append(c.heard, n) })
	env := &still{}
	n.Start(env)
	first := n.Name
	n.Receive(env, 1, 1)
	c := n.shared.core
	assert.ElementsMatch(t, []Name{first, n.Name}, []Name{c.stateWithDisk(n.Disk), c.stateWithDisk(n.Disk)})
}

// An object that its history does not lead to the state on record any more is refused.
func TestAstray(t *testing.T) {
	late := false
	n := clerks(func(c *clerk, _ model.Env, n int) {
		if c.heard = append(c.heard, n); late {
			c.heard = append(c.heard, 0)
		}
	})
	const says = "foreign: a history leads to another state than it did before"
	env := &still{}
	n.Start(env)
	n.Receive(env, 1, 1)
	c := n.shared.core
	late, c.pool = true, pool{objects: map[Name][]*object{}}
	assert.Contains(t, refusalOf(func() { c.get(n.Name) }), says)
}

// A diarist adds up its inputs, and has a diary that is omitted from its state.
type diarist struct {
	Sum   int
	diary []int
}

func (d *diarist) Receive(_ model.Env, _ model.NodeID, m any) {
	d.Sum, d.diary = (d.Sum+m.(int))%7, append(d.diary, m.(int))
}

// A cached object has the recorded history of its name, however it was created: cached in the previous state,
// created by its own history, or by part of another object's history.
func TestObjectsHaveTheirHistories(t *testing.T) {
	l := &Library[*diarist, struct{}]{New: func() *diarist { return &diarist{} }, Omit: []string{"diary"}}
	n := l.Node().(*Node[struct{}])
	c, env, r := n.shared.core, &still{}, rand.New(rand.NewPCG(1, 1))
	n.Start(env)
	nodes := []*Node[struct{}]{n}
	for range 300 {
		next := *nodes[r.IntN(len(nodes))]
		next.Receive(env, 1, 1+r.IntN(3))
		if nodes = append(nodes, &next); r.IntN(4) == 0 {
			c.pool.get(nodes[r.IntN(len(nodes))].Name) // it is needed elsewhere
		}
		for _, o := range c.pool.queue {
			if o.removed {
				continue
			}
			var heard []int
			for t := o.trail; t != nil; t = t.before {
				if n, is := t.in.value.(int); is {
					heard = append(heard, n)
				}
			}
			slices.Reverse(heard)
			require.Equal(t, heard, o.value.(*diarist).diary)
		}
	}
	assert.Greater(t, c.counts.Restored, 20)
}

// A keeper stores its inputs, and changes them later.
type keeper struct{ All [][]int }

// A letter has something in it that can be changed.
type letter struct{ Of []int }

func (k *keeper) Receive(_ model.Env, _ model.NodeID, m any) {
	for _, earlier := range k.All {
		earlier[0]++
	}
	k.All = append(k.All, m.(letter).Of)
}

// A history has its own copies of messages. No object changes them.
func TestHistoriesHaveTheirMessages(t *testing.T) {
	l := &Library[*keeper, struct{}]{New: func() *keeper { return &keeper{} }}
	n, env := l.Node().(*Node[struct{}]), &still{}
	n.Start(env)
	n.Receive(env, 1, letter{[]int{1}})
	n.Receive(env, 1, letter{[]int{5}})
	c := n.shared.core
	for range 2 {
		assert.Equal(t, [][]int{{2}, {5}}, c.replay(c.histories[n.Name].shortest()).(*keeper).All)
	}
}

// If objects can be copied, each request for an object in a state returns a separate object.
func TestCopiesAreOfOne(t *testing.T) {
	fork := func(k *keeper) *keeper {
		is := &keeper{}
		for _, one := range k.All {
			is.All = append(is.All, slices.Clone(one))
		}
		return is
	}
	l := &Library[*keeper, struct{}]{New: func() *keeper { return &keeper{} }, Fork: fork}
	n, env := l.Node().(*Node[struct{}]), &still{}
	n.Start(env)
	n.Receive(env, 1, letter{[]int{1}})
	c := n.shared.core
	c.pool = pool{objects: map[Name][]*object{}}
	met := map[*keeper]bool{}
	for range 4 {
		met[c.get(n.Name).value.(*keeper)] = true
	}
	assert.Len(t, met, 4)
	assert.Equal(t, 1, c.counts.Restored, "the first by its history, and the others are copies")
}

// In an isolated run a node uses one object, also after a crash, and leaves no object for others.
func TestAlone(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { c.heard = append(c.heard, n) })
	env, c := &still{}, n.shared.core
	var crashed []any
	again := c.recover
	c.recover = func(object any) any { crashed = append(crashed, object); return again(object) }
	runs := []map[any]any{{}, {}}
	for _, objects := range runs {
		one := *n
		one.Alone(objects)
		one.Start(env)
		first := objects[place{c, 0}].(*nodeObjects).only(t)
		for i := range 5 {
			one.Receive(env, 1, i)
			assert.Same(t, first, objects[place{c, 0}].(*nodeObjects).only(t))
		}
		one.Name = Name{}
		one.Start(env)
		require.NotEmpty(t, crashed)
		assert.Same(t, first, crashed[len(crashed)-1])
	}
	assert.NotSame(t, runs[0][place{c, 0}].(*nodeObjects).only(t), runs[1][place{c, 0}].(*nodeObjects).only(t))
	assert.Zero(t, c.pool.count)
	assert.Equal(t, 14, c.counts.Alone)
}

// A second is the Env of another node.
type second struct{ still }

func (*second) Self() model.NodeID { return 1 }

// Nodes in the same state have separate objects, also in an isolated run.
func TestNodesAreApart(t *testing.T) {
	l := &Library[*keeper, struct{}]{New: func() *keeper { return &keeper{} }}
	one, objects := l.Node().(*Node[struct{}]), map[any]any{}
	one.Alone(objects)
	other := *one
	one.Start(&still{})
	other.Start(&second{})
	c := one.shared.core
	first, its := objects[place{c, 0}].(*nodeObjects).only(t), objects[place{c, 1}].(*nodeObjects).only(t)
	other.Receive(&second{}, 0, letter{[]int{1}})
	assert.Same(t, first, objects[place{c, 0}].(*nodeObjects).only(t))
	assert.Same(t, its, objects[place{c, 1}].(*nodeObjects).only(t))
}

// A run that is over frees all objects of a node.
func TestReleased(t *testing.T) {
	var discarded []any
	l := &Library[*keeper, struct{}]{New: func() *keeper { return &keeper{} }, Discard: func(k *keeper) { discarded = append(discarded, k) }}
	n, env, objects := l.Node().(*Node[struct{}]), &still{}, map[any]any{}
	n.Alone(objects)
	n.Start(env)
	again := *n
	again.Name = Name{}
	again.Start(env)
	of := objects[place{n.shared.core, 0}].(*nodeObjects)
	require.Len(t, of.objects, 2)
	want := []any{of.objects[0].value, of.objects[1].value}
	of.Release()
	assert.Equal(t, want, discarded)
	assert.Empty(t, of.objects)
	of.Release()
	assert.Len(t, discarded, 2, "no object is freed twice")
}

// What another version of the package has written is refused.
func TestHistoriesOfAnotherVersion(t *testing.T) {
	n, c := begun(secrets(nil))
	codec, err := value.For(&model.System{}, nil)
	require.NoError(t, err)
	b := n.Histories(codec)
	b[len(version)-1]--
	text := refusalOf(func() { n.Recall(codec, b) })
	assert.Equal(t, "foreign: the checkpoint is of another version of this package; begin the search anew", text)
	assert.Len(t, c.states, 1)
}

// Branches of an isolated run are independent of the later run, and the run of its branches.
func TestBranchesAreApart(t *testing.T) {
	l := &Library[*keeper, struct{}]{New: func() *keeper { return &keeper{} }, Recover: func(*keeper) *keeper { return &keeper{} }, Lone: true}
	n, env, objects := l.Node().(*Node[struct{}]), &still{}, map[any]any{}
	n.Alone(objects)
	n.Start(env)
	of := objects[place{n.shared.core, 0}].(*nodeObjects)
	branch := of.Branch().(*nodeObjects)
	began := n.Name
	is := func(name Name) func(name, disk Name) bool { return func(one, _ Name) bool { return one == name } }
	n.Receive(env, 1, letter{[]int{1}})
	assert.NotNil(t, of.past(is(n.Name)))
	assert.NotNil(t, of.past(is(began)))
	assert.Nil(t, branch.past(is(n.Name)))
	assert.NotNil(t, branch.past(is(began)))
	n.Disk = Name{}
	n.Start(env)
	n.Receive(env, 1, letter{[]int{2}})
	assert.NotNil(t, of.past(is(began)), "states before a crash without a disk stay")
}

// The search's histories of objects are written and read again.
func TestSavedHistories(t *testing.T) {
	do := func(c *clerk, env model.Env, n int) {
		if c.heard = append(c.heard, n+env.Choose(2)+env.Choose(3)); len(c.heard) == 2 {
			c.heard = c.heard[:1]
		}
		if *c.disk = []int{len(c.heard)}; n == 3 {
			panic("it is three")
		}
	}
	n := clerks(do)
	codec, err := value.For(&model.System{Nodes: []model.NodeSpec{{Name: "clerk", New: func() model.Node { return n }}}, Types: []any{0}}, nil)
	require.NoError(t, err)
	for i := range 12 {
		one := clerks(nil)
		*one = *n
		env := &still{replayer{answers: []int32{int32(i & 1), int32(i % 3), int32(i >> 1 & 1), 2, 1, 0, 1, 1}}}
		one.Start(env)
		for _, m := range []int{i % 3, 1, 2} {
			one.Receive(env, model.NodeID(i%2), m)
		}
		func() {
			defer func() { assert.NotNil(t, recover()) }()
			one.Receive(env, 1, 3)
		}()
	}
	was, again := n.shared.core, clerks(do)
	again.Recall(codec, n.Histories(codec))
	is := again.shared.core
	require.Len(t, is.reactions, len(was.reactions))
	failed := 0
	for key, r := range was.reactions {
		a, b := r, is.reactions[key]
		assert.Equal(t, a.t.told(), b.t.told())
		a.t, b.t = nil, nil
		assert.Equal(t, a, b)
		failed += b2i(a.failed)
	}
	assert.Positive(t, failed)
	assert.Equal(t, was.states, is.states)
	for _, name := range was.states {
		require.Len(t, is.histories[name].trails, len(was.histories[name].trails))
		for i, one := range was.histories[name].trails {
			assert.Equal(t, one.told(), is.histories[name].trails[i].told())
			assert.Equal(t, one.sum, is.histories[name].trails[i].sum)
		}
	}
	assert.Equal(t, was.disks, is.disks)
	assert.Panics(t, func() { clerks(do).Recall(codec, []byte("something else")) })
}

// told returns a history as a list of its parts.
func (t *trail) told() (all []any) {
	for ; t != nil; t = t.before {
		all = append(all, t.in, append([]int32{}, t.answers...), t.name, t.depth)
	}
	return all
}

// A review repeats the known reactions of a state on new objects of all its known histories: the shortest,
// the longest and others.
func TestReview(t *testing.T) {
	for odd := range 3 { // the number of ones after which a two is answered
		n := clerks(nil)
		n.shared.core.make = func() any {
			ones := 0
			return &clerk{disk: &[]int{}, do: func(_ *clerk, env model.Env, m int) {
				if ones += b2i(m == 1); m == 2 && ones == odd {
					env.Send(1, m)
				}
			}}
		}
		env, c := &still{}, n.shared.core
		n.Start(env)
		states := []Node[struct{}]{*n}
		for range 2 {
			n.Receive(env, 1, 1)
			states = append(states, *n)
		}
		require.Equal(t, states[0].Name, states[2].Name)
		c.pool = pool{objects: map[Name][]*object{}}
		other := c.histories[n.Name].trails[b2i(odd == 0)]
		c.cache(&object{value: c.replay(other), trail: other, name: n.Name})
		n.Receive(env, 1, 2)
		assert.Contains(t, refusalOf(func() { n.Review(map[any]bool{}, func(int) bool { return true }) }),
			"two objects in one state react to Receive on 2 differently: they differ in what it does. No field differs")
		is := n.Review(map[any]bool{}, func(int) bool { return false })
		assert.Equal(t, wrapped.Reviewed{States: 1, Left: is.Left}, is, "there is no time")
		assert.Positive(t, is.Left)
		assert.Equal(t, wrapped.Reviewed{}, n.Review(map[any]bool{c: true}, nil), "reviewed before")
	}
}

// A history is replayed with its recorded answers.
func TestHistoriesAreAnsweredAsTheyWere(t *testing.T) {
	for answer, want := range map[int32]int{1: 1, 0: 2} {
		n := clerks(func(c *clerk, env model.Env, _ int) {
			if env.Held("it") {
				c.heard = []int{1}
				return
			}
			c.heard = []int{2}
		})
		heard := &recorder{listener: listener{Env: held(answer == 1)}}
		c := n.shared.core
		start := &trail{in: input{kind: started}}
		first := c.drive(c.make(), input{kind: received, value: 0}, heard)
		assert.Equal(t, []int{want}, first.(*clerk).heard)
		again := c.replay(&trail{before: start, in: input{kind: received, value: 0}, answers: heard.answers})
		assert.Equal(t, []int{want}, again.(*clerk).heard)
	}
}

// A held answers queries of holds.
type held bool

func (h held) Held(any) bool               { return bool(h) }
func (held) Self() model.NodeID            { return 0 }
func (held) Choose(int) int                { return 0 }
func (held) Draw(int) int                  { return 0 }
func (held) Send(model.NodeID, any)        {}
func (held) Broadcast([]model.NodeID, any) {}
func (held) After(any, model.Window)       {}
func (held) Cancel(any)                    {}
func (held) Hold(any, model.Bound)         {}
func (held) Return(any)                    {}
func (held) Deliver(any)                   {}
func (held) Note(any)                      {}

// A node with its own object recovers from its own disk. This holds even if its object went beyond a cut
// meanwhile, with another disk, and that step was dropped.
func TestANodeRecoversFromItsOwnDisk(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { *c.disk = append(*c.disk, n) })
	env := &still{}
	objects := map[any]any{}
	n.Alone(objects)
	n.Start(env)
	beyond := *n
	beyond.Receive(env, 1, 1)
	n.Name = Name{}
	n.Start(env)
	two := objects[place{n.shared.core, 0}].(*nodeObjects).objects // that which went beyond the cut is still there
	require.Len(t, two, 2)
	assert.Empty(t, *two[1].value.(*clerk).disk)
}

// A review has each state with a disk recover.
func TestReviewOfRecoveries(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { c.heard = append(c.heard, n) })
	env, c := &still{}, n.shared.core
	again := c.recover
	c.recover = func(crashed any) any {
		object := again(crashed).(*clerk)
		object.heard = crashed.(*clerk).heard
		return object
	}
	n.Start(env)
	n.Receive(env, 1, 1)
	n.Name = Name{}
	n.Start(env)
	assert.Contains(t, refusalOf(func() { n.Review(map[any]bool{}, func(int) bool { return true }) }), "react to Recover differently")
}

func refusalOf(do func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = p.(error).Error()
		}
	}()
	do()
	return "nothing is refused"
}

// only returns the object of a node that has one.
func (n *nodeObjects) only(t *testing.T) any {
	require.Len(t, n.objects, 1)
	return n.objects[0].value
}
