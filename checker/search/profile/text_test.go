package profile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/component"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
	"contend/model/wrapped"
)

// A counter counts pings up to three, in a node within it too, and sets an alarm. It says of its own states what splits them.
type counter struct {
	quiet int
	Count int
	In    tally
	Pair  pair
	List  list
}

// A pair is a value, and no node: it is counted as a whole.
type pair struct{ Even, Odd bool }

type tally struct {
	Twice, Same int
	Deep        deep
}

func (*tally) Receive(model.Env, model.NodeID, any) {}

type deep struct{ Thrice int }

func (*deep) Receive(model.Env, model.NodeID, any) {}

// A list has a handler, but no fields.
type list []int

func (list) Receive(model.Env, model.NodeID, any) {}

type ping struct{ Number int }

func (c *counter) Start(env model.Env) { env.Send(0, ping{1}) }

func (c *counter) Receive(env model.Env, _ model.NodeID, m any) {
	c.Count++
	c.In.Twice = c.Count / 2
	c.Pair = pair{Even: c.Count%2 == 0, Odd: c.Count%2 == 1}
	env.Note(c.Count)
	if n := m.(ping).Number; n < 3 {
		env.Send(0, ping{n + 1})
		env.After("hold", model.Exactly(model.Ticks(n))) // by the key of the hold
		env.Hold("hold", model.Through(5))
		env.After(nil, model.Exactly(1))
	}
}

func (*counter) Timeout(model.Env, any) {}

func (*counter) Splits(states []model.Node) wrapped.Splits {
	return wrapped.Splits{States: len(states), Shown: 2, Parts: []wrapped.Split{{Path: "count", Values: 4, Without: 3}}}
}

// A still node does nothing, and has more fields than fit in two lines.
type still struct{ TheFirstFieldOfANodeWithLongNames, TheSecondFieldOfANodeWithLongNames, TheThirdFieldOfANodeWithLongNames int }

func (*still) Receive(model.Env, model.NodeID, any) {}

func (*still) Splits(states []model.Node) wrapped.Splits {
	return wrapped.Splits{States: len(states), Parts: []wrapped.Split{{Path: "nothing"}}}
}

// pages follow a page, in which there may be so many states at first and after each ping.
type pages struct {
	In     int
	states [4]int
}

func (p *pages) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		p.In = 2 * o.Value.(int)
	}
}

func (p *pages) Follows() int                               { return p.states[p.In/2] }
func (*pages) Allows(func(model.NodeID) string) []string    { return nil }
func (*pages) Limit() string                                { return "" }
func words(line string) string                              { return strings.Join(strings.Fields(line), " ") }
func told(write func(w *tabwriter.Writer)) (lines []string) { return split(written(write)) }
func split(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, words(line))
	}
	return lines
}

func written(write func(w *tabwriter.Writer)) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	write(w)
	_ = w.Flush()
	return b.String()
}

// profiled is the profile of a counter beside a liar, all of whose steps were taken.
func profiled(t *testing.T) *Search {
	t.Helper()
	s := &model.System{Types: []any{ping{}, "", 0}, Network: model.Network{Delay: model.Exactly(1)}, Nodes: []model.NodeSpec{
		{Name: "counts", New: func() model.Node { return &counter{quiet: 7} }}, {Name: "lies", Byzantine: true},
		{Name: "still", New: func() model.Node { return &still{} }}},
		Forge: func(model.Node, model.NodeID, model.NodeID) []any { return nil }}
	follows := func(name string, states ...int) model.Claim {
		return model.Claim{Name: name, Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &pages{states: [4]int(states)} }}
	}
	alone := model.Claim{Name: "alone", Kind: model.Always, Invariant: func([]model.Node) error { return nil }} // no monitor says so
	claims := []model.Claim{alone, follows("follows", 7, 5, 1, 3), follows("widens", 0, 3, 4, 5), follows("<is not>", 0, 0, 0, 0)}
	codec, err := value.For(s, claims)
	require.NoError(t, err)
	w := step.NewWorker(step.NewEngine(component.NewStore(s, codec, claims, true, component.Closing)))
	met, left := map[string]bool{}, [][]uint32(nil)
	w.Emit = func(v []uint32) {
		v = slices.Clone(v)
		if step.SortParts(v[w.Head:]); !met[fmt.Sprint(v)] {
			met[fmt.Sprint(v)] = true
			left = append(left, v)
		}
	}
	for w.Initial(); len(left) > 0; {
		v := left[0]
		left = left[1:]
		w.Expand(v, w.PrintOfState(v))
	}
	return &Search{Engine: w.Engine, Lookups: 8, Misses: 1, Widths: []int64{1, 2}}
}

// A profile counts the states of each node and monitor, the values of their fields, and what was pending.
func TestText(t *testing.T) {
	x := profiled(t)
	lines := split(x.Text())
	assert.Equal(t, []string{
		fmt.Sprintf("handler runs %d cache hits 87.5000%%", x.Calls),
		"distinct local states 17 pending parts 17 messages and keys 8", "",
		"NODE OR MONITOR DISTINCT STATES VALUES OF EACH FIELD",
		"counts 4 Count 4, In.Deep.Thrice 1, In.Same 1, In.Twice 2, List 1,", "Pair 3",
		"still 1 TheFirstFieldOfANodeWithLongNames 1,", "TheSecondFieldOfANodeWithLongNames 1,", "TheThirdFieldOfANodeWithLongNames 1",
		"*profile.pages 4 In 4", "*profile.pages 4 In 4", "*profile.pages 4 In 4", "",
		"STATES IN WHICH A PAGE MAY BE SETS LEAST, MEAN, MOST",
		"follows 4 1, 4.0, 7", "widens 4 0, 3.0, 5", "<is not> 4 0, 0.0, 0", "",
		"counts: WHAT SPLITS ITS STATES VALUES STATES WITHOUT IT, OF 4 DIFFERS IN",
		"count 4 3 Views", "",
		"still: WHAT SPLITS ITS STATES VALUES STATES WITHOUT IT, OF 1 DIFFERS IN",
		"nothing 0 0 Views", "",
		"PENDING DISTINCT WITH TIMES",
		"deliver profile.ping 3 6", // each in flight for a tick, and due
		"hold string 1 6",          // it lasts for five ticks, and less
		"timeout 1 2", "timeout string 1 3", "",
		"DEPTH STATES AT THAT DEPTH, AND AT THOSE THAT FOLLOW",
		"0 1 2",
	}, lines)
	x.Lookups, x.Misses = 0, 0
	assert.Contains(t, x.Text(), "100.0000%", "nothing was looked up")
	assert.Contains(t, x.Text(), "\n<is not>                       4     0, 0.0, 0\n", "two spaces are behind the longest of each column")
	assert.Contains(t, x.Text(), "\ndeliver profile.ping  3         6\n", "two spaces are behind the longest of each column")

	for i, l := range x.Locals.Items {
		if int(l.Slot) == 0 {
			x.Locals.Items = append(x.Locals.Items, slices.Repeat(x.Locals.Items[i:i+1], maxCompared)...)
			break
		}
	}
	assert.Contains(t, x.Text(), "STATES WITHOUT IT, OF 2000", "no more states are compared")
}

// Parts that split states by themselves, or that no View shows, are told, the first fifteen of them.
func TestSplitsAreTold(t *testing.T) {
	assert.Empty(t, written(func(w *tabwriter.Writer) { writeSplits(w, "n", wrapped.Splits{States: 4, Shown: 2}) }))
	s := wrapped.Splits{States: 4, Shown: 2, Parts: []wrapped.Split{
		{Path: "hidden", Values: 2, Without: 4, Hidden: true}, {Path: "alone", Values: 2, Without: 3}, {Path: "together", Values: 2, Without: 4}}}
	assert.Equal(t, []string{"", "n: WHAT SPLITS ITS STATES VALUES STATES WITHOUT IT, OF 4 DIFFERS IN", "hidden 2 4 no View", "alone 2 3 Views",
		"all that differ in no View 2", "and 1 more"}, told(func(w *tabwriter.Writer) { writeSplits(w, "n", s) }))
	s.Parts = slices.Repeat(s.Parts[1:2], maxSplits)
	assert.Len(t, told(func(w *tabwriter.Writer) { writeSplits(w, "n", s) }), 2+maxSplits)
	s.Parts = append(s.Parts, wrapped.Split{Path: "last", Values: 2, Without: 4, Hidden: true})
	last := told(func(w *tabwriter.Writer) { writeSplits(w, "n", s) })[1+maxSplits:]
	assert.Equal(t, []string{"alone 2 3 Views", "all that differ in no View 2", "and 1 more"}, last)
}

// What is pending goes by names of its own where it is no event.
func TestNamesOfKinds(t *testing.T) {
	for kind, want := range map[component.Kind]string{component.Hold: "hold", component.Delivered: "delivered", component.Stored: "stored",
		component.Kind(model.Deliver): "deliver", component.Kind(model.Timeout): model.Timeout.String()} {
		assert.Equal(t, want, kindName(kind))
	}
}
