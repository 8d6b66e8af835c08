package foreign

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
	"contend/model/wrapped"
)

// A secretive object has its last input in an omitted field, and adds up its inputs.
type secretive struct {
	Sum    int
	hidden int
	names  map[string]struct{ of int }
	drawn  int
	do     func(s *secretive, env model.Env, m int)
}

func (s *secretive) Receive(env model.Env, _ model.NodeID, m any) { s.do(s, env, m.(int)) }

func secrets(do func(s *secretive, env model.Env, m int)) *Library[*secretive, struct{}] {
	return &Library[*secretive, struct{}]{New: func() *secretive { return &secretive{do: do} }, Omit: []string{"hidden"}}
}

// begun returns a node that has started, and its core.
func begun(l *Library[*secretive, struct{}]) (*Node[struct{}], *core) {
	n := l.Node().(*Node[struct{}])
	n.Start(&still{})
	return n, n.shared.core
}

// A path that leads to no field is refused as soon as there is an object, also a path in stable state.
func TestPathsAreSpelt(t *testing.T) {
	l := secrets(nil)
	l.Omit = []string{"hiden"}
	assert.Contains(t, refusalOf(func() { begun(l) }), `the path "hiden" of Omit leads nowhere`)
	l = secrets(nil)
	l.Recover, l.Stable = func(s *secretive) *secretive { return s }, func(s *secretive) any { return &disk{} }
	l.Omit = []string{"Blocks"}
	n := l.Node().(*Node[struct{}])
	n.Start(&still{})
	assert.NotEqual(t, Name{}, n.Name)
}

type disk struct{ Blocks int }

// Two objects of one state that react differently are reported with their histories, their reactions, and the
// field in the form of Omit.
func TestWhatIsToldOfADifference(t *testing.T) {
	l := secrets(func(s *secretive, env model.Env, m int) {
		switch {
		case m == 9 && s.names["a]\"["].of == 1:
			env.Send(1, 7)
			env.After("bell", model.By(2))
			env.Cancel("other")
			env.Note("done")
		case m < 9:
			s.Sum, s.names = s.Sum+1, map[string]struct{ of int }{"a]\"[": {m}, "b": {}}
		}
	})
	l.Omit = []string{"names[].of"}
	n, _ := begun(l)
	one, other := *n, *n
	one.Receive(&still{}, 1, 1)
	other.Receive(&still{}, 1, 2)
	require.Equal(t, one.Name, other.Name)
	one.Receive(&still{}, 1, 9)
	text := refusalOf(func() { other.Receive(&still{}, 1, 9) })
	if !strings.Contains(text, "they differ in what it does") {
		t.Fatalf("the two do not differ: %s", text)
	}
	assert.Contains(t, text, `The field names[].of (`)
	assert.Contains(t, text, "after Start, Receive on 1 from node 1: it sends 7 to node 1, sets the alarm \"bell\", within ")
	assert.Contains(t, text, "cancels the alarm \"other\", notes \"done\", and is then in state ")
	assert.Contains(t, text, "after Start, Receive on 2 from node 1: it does nothing, and is then in state ")
}

// A message to one node is another than to any other, however many there are.
func TestWhoIsSentTo(t *testing.T) {
	met := map[string]bool{}
	for to := range model.NodeID(1000) {
		h := &recorder{listener: listener{Env: &still{}}}
		h.Send(to, "x")
		met[string(h.effects)] = true
	}
	assert.Len(t, met, 1000)
}

// The key of a reaction is determined by the whole state, input and answers.
func TestKeysOfReactions(t *testing.T) {
	in := input{kind: received, self: 1, from: 2, value: 5}
	key := in.key(Name{3, 4}, []int32{1})
	assert.Equal(t, key, in.key(Name{3, 4}, []int32{1}))
	for name, other := range map[string]Name{
		"half of the state": in.key(Name{3, 5}, []int32{1}), "the other half": in.key(Name{5, 4}, []int32{1}),
		"no answer": in.key(Name{3, 4}, nil), "another answer": in.key(Name{3, 4}, []int32{0}), "one more": in.key(Name{3, 4}, []int32{1, 0}),
		"kind":   input{kind: invoked, self: 1, from: 2, value: 5}.key(Name{3, 4}, []int32{1}),
		"node":   input{kind: received, self: 2, from: 2, value: 5}.key(Name{3, 4}, []int32{1}),
		"sender": input{kind: received, self: 1, from: 1, value: 5}.key(Name{3, 4}, []int32{1}),
		"value":  input{kind: received, self: 1, from: 2, value: 6}.key(Name{3, 4}, []int32{1}),
	} {
		assert.NotEqual(t, key, other, name)
	}
}

// The counted reactions are those compared with an object of another history. Each counts once, whatever it
// asks.
func TestWhatIsCompared(t *testing.T) {
	l := secrets(func(s *secretive, env model.Env, m int) {
		if m == 9 {
			s.Sum += env.Choose(2)
			return
		}
		s.Sum, s.hidden = s.Sum+1, m
	})
	n, c := begun(l)
	one, other := *n, *n
	one.Receive(&still{}, 1, 1)
	other.Receive(&still{}, 1, 2)
	require.Equal(t, one.Name, other.Name)
	histories := c.histories[one.Name].trails
	require.Len(t, histories, 2)
	asked := func(t *trail) {
		c.pool = pool{objects: map[Name][]*object{}}
		c.pool.put(&object{value: c.replay(t), trail: t, name: one.Name})
		again := one
		again.Receive(&still{replayer{answers: []int32{1}}}, 1, 9)
	}
	asked(histories[0])
	require.Zero(t, c.counts.Alone)
	before := c.counts.Compared
	for i, t := range histories {
		for range 1 + i {
			asked(t)
		}
	}
	assert.Equal(t, 2, c.counts.Compared-before, "that of the first history was there before")
}

// If a substituted object leads to another state, the error names the omitted field, in the step where it
// matters.
func TestAstrayIsTraced(t *testing.T) {
	l := secrets(func(s *secretive, _ model.Env, m int) {
		switch m {
		case 9:
			s.Sum = 100 * s.hidden
		case 8:
			s.Sum++
		default:
			s.Sum, s.hidden = 1, m
		}
	})
	n, c := begun(l)
	one, other := *n, *n
	one.Receive(&still{}, 1, 1)
	other.Receive(&still{}, 1, 2)
	require.Equal(t, one.Name, other.Name)
	before := one.Name
	c.pool = pool{objects: map[Name][]*object{}}
	one.Receive(&still{}, 1, 9)
	one.Receive(&still{}, 1, 8)
	c.pool = pool{objects: map[Name][]*object{}}
	with2 := c.histories[before].trails[1]
	require.Equal(t, 2, with2.in.value)
	c.pool.put(&object{value: c.replay(with2), trail: with2, name: before})
	text := refusalOf(func() { c.get(one.Name) })
	assert.Contains(t, text, "two objects in one state react to Receive on 9 differently: they differ in the state that follows, by Sum (")
	assert.Contains(t, text, "The field hidden (")
}

// For an object without a dump the error only reports a difference.
func TestALoneObjectThatDiffers(t *testing.T) {
	made := 0
	l := secrets(func(s *secretive, env model.Env, _ int) { env.Send(1, s.drawn) })
	l.Lone, l.New = true, func() *secretive {
		made++
		return &secretive{do: func(s *secretive, env model.Env, _ int) { env.Send(1, made) }}
	}
	n, _ := begun(l)
	n.shared.core.pool = pool{objects: map[Name][]*object{}}
	one, other := *n, *n
	one.Receive(&still{}, 1, 1)
	n.shared.core.pool = pool{objects: map[Name][]*object{}}
	text := refusalOf(func() { other.Receive(&still{}, 1, 1) })
	assert.Equal(t, "foreign: two objects in one state react to Receive on 1 differently: they differ in what it does. "+
		"That is for whoever made the node to find out: the same input must have the same effect", text)
}

// If an object has no other description, all its fields with a value are shown, but not in the form of the
// dump.
func TestFieldsOfADump(t *testing.T) {
	type inner struct{ Of any }
	type shown struct {
		List   []int
		Any    any
		Zero   int
		Inner  *inner
		Shared *inner
		Part   []int
	}
	one, list := &inner{Of: 5}, []int{7, 0}
	l := &Library[*shown, struct{}]{New: func() *shown { return &shown{List: list, Part: list[:1], Any: "x", Inner: one, Shared: one} },
		Origin: wrapped.Origin{Program: "of this"}}
	n := l.Node().(*Node[struct{}])
	n.Start(&still{})
	var names []string
	for _, f := range n.Fields(nil) {
		names = append(names, f.Name+" "+f.Is)
	}
	assert.Equal(t, []string{"List[0] 7", `Any "x"`, "Inner.Of 5", "Shared the same as Inner", "Part[0] 7"}, names)
	assert.Equal(t, l.Origin, n.Origin())
}

// What differs now and then between two runs of one history is found.
func TestUnsteadyNowAndThen(t *testing.T) {
	made := 0
	l := secrets(nil)
	l.New = func() *secretive {
		made++
		return &secretive{drawn: b2i(made%5 == 0)}
	}
	n, c := begun(l)
	assert.Contains(t, refusalOf(func() { c.unsteady(c.histories[n.Name].shortest(), "why") }), "why. The same history, run twice, gave drawn (")
}

// A review reports the number of handlers that it has run, and reviews a library once.
func TestReviewCounts(t *testing.T) {
	l := secrets(func(s *secretive, _ model.Env, m int) {
		if m != 9 {
			s.Sum, s.hidden = s.Sum+1, m
		}
	})
	n, _ := begun(l)
	for _, first := range []int{1, 2} {
		one := *n
		one.Receive(&still{}, 1, first)
		one.Receive(&still{}, 1, 3)
		one.Receive(&still{}, 1, 9)
	}
	var runs []int
	reviewed := map[any]bool{}
	is := n.Review(reviewed, func(r int) bool {
		runs = append(runs, r)
		return true
	})
	require.NotEmpty(t, runs)
	assert.Equal(t, len(runs), is.Reactions)
	assert.Zero(t, runs[0])
	least := runs[1]
	for i, r := range runs[1:] {
		least = min(least, r-runs[i])
	}
	assert.Equal(t, 3, least, "a history of two handlers, and one more")
	assert.Zero(t, n.Review(reviewed, func(int) bool { t.Error("it is reviewed again"); return false }))
}

// An input calls its handler of the object, with its arguments, if the object has this handler.
func TestWhichHandlersAreCalled(t *testing.T) {
	var called []any
	l := &Library[*every, struct{}]{New: func() *every { return &every{&called} }, Omit: []string{"called"}}
	n := l.Node().(*Node[struct{}])
	env := &still{}
	n.Start(env)
	n.Invoke(env, "op")
	n.Receive(env, 3, "m")
	n.Timeout(env, "key")
	n.Suspect(env, 4)
	n.Trust(env, 5)
	assert.Equal(t, []any{"Start", "Invoke", "op", "Receive", model.NodeID(3), "m", "Timeout", "key", "Suspect", model.NodeID(4), "Trust", model.NodeID(5)}, called)
	none := (&Library[*struct{ X int }, struct{}]{New: func() *struct{ X int } { return &struct{ X int }{} }}).Node().(*Node[struct{}])
	none.Start(env)
	is := none.Name
	none.Invoke(env, "op")
	none.Receive(env, 3, "m")
	none.Timeout(env, "key")
	none.Suspect(env, 4)
	none.Trust(env, 5)
	assert.Equal(t, is, none.Name, "an object without handlers stays as it is")
}

// An every has every handler, and records its calls.
type every struct{ called *[]any }

func (e *every) call(what ...any)                              { *e.called = append(*e.called, what...) }
func (e *every) Start(model.Env)                               { e.call("Start") }
func (e *every) Invoke(_ model.Env, op any)                    { e.call("Invoke", op) }
func (e *every) Receive(_ model.Env, from model.NodeID, m any) { e.call("Receive", from, m) }
func (e *every) Timeout(_ model.Env, key any)                  { e.call("Timeout", key) }
func (e *every) Suspect(_ model.Env, of model.NodeID)          { e.call("Suspect", of) }
func (e *every) Trust(_ model.Env, of model.NodeID)            { e.call("Trust", of) }

// A library's options are called with the right object. An object that is not needed any more is discarded,
// and so are copies. An isolated run continues a branch with copies of its objects. It replaces the oldest of
// three copies.
func TestWhatALibraryIsAsked(t *testing.T) {
	var discarded []*secretive
	l := secrets(func(s *secretive, _ model.Env, m int) { s.Sum += m })
	l.Details = func(s *secretive) []string { return []string{strings.Repeat("x", s.Sum)} }
	l.Size = func(s *secretive) int { return 1000 + s.Sum }
	l.Discard = func(s *secretive) { discarded = append(discarded, s) }
	l.Fork = func(s *secretive) *secretive { c := *s; return &c }
	n, c := begun(l)
	n.Receive(&still{}, 1, 3)
	assert.Equal(t, []string{"xxx"}, n.Details())
	assert.Equal(t, 1003, c.pool.bytes, "the object went on, and left nothing behind")
	for _, p := range []*pool{&c.pool, &c.copies} {
		o := &object{value: &secretive{Sum: 77}, name: Name{1}, bytes: maxBytes + 1}
		p.put(o)
		require.NotEmpty(t, discarded)
		assert.Same(t, o.value, discarded[len(discarded)-1])
	}
	objects := map[any]any{}
	alone := *n
	alone.Alone(objects)
	alone.Start(&still{})
	of := objects[place{c, 0}].(*nodeObjects)
	var three []*object
	for i := range 3 {
		three = append(three, &object{value: &secretive{Sum: i}, name: Name{uint64(i)}, trail: &trail{}})
	}
	of.objects, discarded = three[:1:1], nil
	for _, o := range three[1:] {
		alone.own.put(c, 0, o)
	}
	assert.Equal(t, three[1:], of.objects)
	assert.Equal(t, []*secretive{three[0].value.(*secretive)}, discarded)
	branch := of.Branch().(*nodeObjects)
	require.Len(t, branch.objects, 2)
	for i, o := range branch.objects {
		assert.Equal(t, of.objects[i].value, o.value)
		assert.NotSame(t, of.objects[i].value, o.value)
		assert.Equal(t, of.objects[i].name, o.name)
	}
}

// In an isolated run the object of a node without others' histories is created by the node's own library, and
// is not stored.
func TestALoneNodeIsShown(t *testing.T) {
	discarded := 0
	l := secrets(func(s *secretive, _ model.Env, m int) { s.Sum += m })
	l.Lone, l.Discard = true, func(*secretive) { discarded++ }
	n, objects := l.Node().(*Node[struct{}]), map[any]any{}
	n.Alone(objects)
	n.Start(&still{})
	n.Receive(&still{}, 1, 4)
	c := n.shared.core
	require.Empty(t, c.histories)
	fields := n.Fields(nil)
	require.Len(t, fields, 2)
	assert.Equal(t, describe.Field{Name: "Sum", Is: "4"}, fields[0], "and what is zero or empty is not shown")
	assert.Equal(t, "do", fields[1].Name)
	dump := n.Dump()
	require.NotEmpty(t, dump)
	assert.Equal(t, "4", dump[0].Is)
	assert.Equal(t, 2, discarded)
	assert.Zero(t, c.pool.count)
	of := objects[place{c, 0}].(*nodeObjects)
	of.Release()
	of.objects = nil
	o := n.own.get(c, 0, n.Name)
	require.NotNil(t, o)
	assert.Equal(t, 4, o.value.(*secretive).Sum)
}
