package tables

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/printed"
)

// The simplest formula that fits is found, and none where there are too few sizes to say anything.
func TestFormula(t *testing.T) {
	for _, c := range []struct {
		at, numbers []int
		want        string
	}{
		{[]int{2, 3, 4}, []int{5, 5, 5}, "5"},
		{[]int{2, 3, 4}, []int{0, 0, 0}, "0"},
		{[]int{2}, []int{5}, "5"},
		{[]int{2, 3}, []int{2, 3}, "N"},
		{[]int{2, 3, 4}, []int{6, 9, 12}, "3N"},
		{[]int{2, 3, 4, 5}, []int{2, 4, 6, 8}, "2(N − 1)"},
		{[]int{1, 2}, []int{0, 1}, "N − 1"},
		{[]int{1, 2}, []int{1, 1}, "1"},
		{[]int{2, 3}, []int{5, 7}, "5, 7"},
		{[]int{2, 3, 4}, []int{5, 7, 9}, "2N + 1"},
		{[]int{2, 3, 4}, []int{1, 4, 7}, "3N − 5"},
		{[]int{2, 4, 6}, []int{5, 6, 7}, "5, 6, 7"},
		{[]int{2, 3, 4}, []int{4, 9, 16}, "4, 9, 16"},
		{[]int{3, 3}, []int{6, 6}, "6, 6"},
		{[]int{2, 3, 4, 5}, []int{3, 8, 15, 24}, "N² − 1"},
		{[]int{2, 3, 4, 5}, []int{7, 16, 29, 46}, "2N² − N + 1"},
		{[]int{2, 3, 5, 6}, []int{0, 2, 12, 20}, "N² − 3N + 2"},
		{[]int{1, 2, 3, 4}, []int{-1, -4, -9, -16}, "−N²"},
		{[]int{2, 3, 4, 5}, []int{1, 3, 6, 10}, "1, 3, 6, 10"},
		{[]int{2, 3, 4, 5}, []int{3, 8, 15, 25}, "3, 8, 15, 25"},
	} {
		assert.Equal(t, c.want, formula("N", c.at, c.numbers), "%v at %v", c.numbers, c.at)
	}
}

// A price is a node that notes as many numbers as its system has nodes, one in each run.
type price struct{ n int }

func (p *price) Invoke(env model.Env, _ any) {
	env.Note(env.Choose(p.n))
	env.Return(nil)
}

// A reading reports the numbers that are noted, unless it is mute.
type reading struct{ mute bool }

func (r *reading) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && !r.mute {
		w.Measure(o.Value.(int))
	}
}

// priced is a protocol with costs from 0 to n − 1. The cost named few distinguishes at most 2 of them. The
// claim that nothing ends is false, and the claim that it ends is true.
var priced = &model.Protocol{
	Name: "priced", Params: []model.Parameter{model.N.WithDefault(2)},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Nodes: []model.NodeSpec{{
			Name: "p", Role: model.Peer, Script: []model.Op{{Call: "go", After: model.Anytime()}},
			New: func() model.Node { return &price{c.N} },
		}}}, nil
	},
	Costs: []*model.Cost{
		{Name: "price", Unit: "coins", Meter: func(*model.System) model.Monitor { return &reading{} }},
		{Name: "few", Unit: "coins", Most: 2, Meter: func(*model.System) model.Monitor { return &reading{} }},
		{Name: "lossless", Unit: "coins", Assumes: []model.Assumption{model.NoLoss}, Meter: func(*model.System) model.Monitor { return &reading{} }},
	},
	Claims: []model.Claim{
		{Name: "ends", Kind: model.Always, Done: true},
		{Name: "never", Kind: model.Always, Invariant: func(nodes []model.Node) error { return nil }},
		{Name: "is not so", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &strict{} }},
		{Name: "is not asked", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &reading{mute: true} }},
	},
}

// strict is violated by every note.
type strict struct{}

func (*strict) Observe(w model.Watch, o model.Observation) {
	w.Witness()
	if o.Kind == model.Noted {
		w.Violate("something is noted")
	}
}

func at(n int) model.Check            { return model.Check{Config: model.Config{N: n}} }
func constantly(is int) func(int) int { return func(int) int { return is } }
func less(size int) int               { return size - 1 }

// row returns a row of priced with one number.
func row(n printed.Number) *printed.Comparison {
	n.At, n.Sizes = at, []int{2, 3}
	if n.Cost == "" {
		n.Cost = "price"
	}
	return &printed.Comparison{Name: "row", Protocol: priced, Size: printed.Size{Name: "N"}, Numbers: []printed.Number{n}}
}

func entries(t *testing.T, c *printed.Comparison, opt Options) (all []*Entry) {
	t.Helper()
	require.NoError(t, Entries(c, opt, func(e *Entry) error { all = append(all, e); return nil }))
	return all
}

// A number agrees if it equals the printed number at each size. A number that differs is reported with the
// run of the first difference, whether the difference is known or not. A known difference that does not exist
// is an error.
func TestNumbers(t *testing.T) {
	zero, two := constantly(0), constantly(2)
	unbounded := constantly(printed.Unbounded)
	for what, c := range map[string]struct {
		printed  printed.Number
		verdict  Verdict
		expected bool
		most     string
		steps    bool
	}{
		"as printed":               {printed.Number{Least: zero, Most: less}, Agrees, true, "N − 1", false},
		"only the least":           {printed.Number{Least: zero}, Agrees, true, "N − 1", false},
		"the least is less":        {printed.Number{Least: two, Most: less}, Differs, false, "N − 1", true},
		"the most is another":      {printed.Number{Least: zero, Most: two}, Differs, false, "N − 1", true},
		"which is known":           {printed.Number{Most: two, Differs: "so"}, Differs, true, "N − 1", true},
		"which is not so":          {printed.Number{Most: less, Differs: "so"}, Agrees, false, "N − 1", false},
		"nothing is printed":       {printed.Number{}, NotPrinted, true, "N − 1", false},
		"no bound is printed":      {printed.Number{Most: unbounded}, Differs, false, "N − 1", true},
		"more than is told apart":  {printed.Number{Cost: "few"}, NotPrinted, true, "N − 1", false},
		"as much as is told apart": {printed.Number{Cost: "few", Most: less}, Agrees, true, "N − 1", false},
	} {
		e := entries(t, row(c.printed), Options{})[0]
		assert.Equal(t, c.verdict, e.Verdict, what)
		assert.Equal(t, c.expected, e.Expected, what)
		assert.Equal(t, []string{"0", c.most}, []string{e.Least, e.Most}, what)
		assert.Equal(t, c.steps, e.Run != nil && e.Steps > 0, what)
	}
}

// A cost beyond the distinguished values has no known bound, at each size.
func TestUnbounded(t *testing.T) {
	n := printed.Number{Cost: "few", Most: constantly(printed.Unbounded)}
	c := row(n)
	c.Numbers[0].Sizes = []int{4, 5}
	e := entries(t, c, Options{})[0]
	assert.Equal(t, "unbounded", e.Most)
	assert.Equal(t, Agrees, e.Verdict)
	c.Numbers[0].Sizes = []int{3, 4}
	e = entries(t, c, Options{})[0]
	assert.Equal(t, "2, more than 2", e.Most, "of one size only")
	assert.Equal(t, Differs, e.Verdict)
	c.Numbers[0].Sizes, c.Numbers[0].Most = []int{4, 5}, constantly(2)
	assert.Equal(t, Differs, entries(t, c, Options{})[0].Verdict, "more than 2 is not 2")
}

// A stopped search and a search without a measurement leave a cell open. A result refutes only if more runs
// cannot change it.
func TestOpenNumbers(t *testing.T) {
	stopped := Options{Options: checker.Options{MaxStates: 2, Workers: 1}}
	e := entries(t, row(printed.Number{Least: constantly(0), Most: less}), stopped)[0]
	assert.Equal(t, Inconclusive, e.Verdict)
	assert.Contains(t, e.Why, "n = 2: states: 2")
	lossy := row(printed.Number{Cost: "lossless"})
	lossy.Numbers[0].At = func(n int) model.Check { return model.Check{Config: model.Config{N: n, Faults: model.Faults{Loss: 1}}} }
	e = entries(t, lossy, Options{})[0]
	assert.Equal(t, Inconclusive, e.Verdict)
	assert.Contains(t, e.Why, "it assumes no loss")

	three := 3
	p := Point{Size: 2, Least: &three, Most: &three, Limit: "states", row: &checker.CostRow{Least: &checker.Reading{}, Most: &checker.Reading{}}}
	for what, c := range map[string]struct {
		printed printed.Number
		refutes bool
	}{
		"a least that is too large may come down": {printed.Number{Least: constantly(2)}, false},
		"one that is too small stays so":          {printed.Number{Least: constantly(4)}, true},
		"a most that is too small may go up":      {printed.Number{Most: constantly(4)}, false},
		"or even without a bound":                 {printed.Number{Most: constantly(printed.Unbounded)}, false},
		"one that is too large stays so":          {printed.Number{Most: constantly(2)}, true},
	} {
		r, _ := p.differs(c.printed)
		assert.Equal(t, c.refutes, r != nil, what)
	}
}

// Larger sizes are computed on request.
func TestMoreSizes(t *testing.T) {
	c := row(printed.Number{})
	c.Numbers[0].More = []int{5}
	assert.Len(t, entries(t, c, Options{})[0].Points, 2)
	e := entries(t, c, Options{More: true})[0]
	assert.Equal(t, 5, e.Points[2].N)
	assert.Equal(t, 4, *e.Points[2].Most)
}

// A property holds where all its claims do, and a problem shows where its claim is violated.
func TestProperties(t *testing.T) {
	for what, c := range map[string]struct {
		printed  printed.Property
		verdict  Verdict
		expected bool
	}{
		"holds":           {printed.Property{Text: "Yes", Holds: true, Claims: []string{"ends", "never"}}, Agrees, true},
		"one does not":    {printed.Property{Text: "Yes", Holds: true, Claims: []string{"ends", "is not so"}}, Differs, false},
		"as is known":     {printed.Property{Text: "Yes", Holds: true, Claims: []string{"is not so"}, Differs: "so"}, Differs, true},
		"it does not":     {printed.Property{Text: "No", Claims: []string{"is not so"}}, Agrees, true},
		"but it does":     {printed.Property{Text: "No", Claims: []string{"never"}}, Differs, false},
		"not printed":     {printed.Property{Claims: []string{"never"}}, NotPrinted, true},
		"known, not so":   {printed.Property{Text: "Yes", Holds: true, Claims: []string{"never"}, Differs: "so"}, Agrees, false},
		"never tested":    {printed.Property{Text: "Yes", Holds: true, Claims: []string{"is not asked"}}, Inconclusive, true},
		"neither is open": {printed.Property{Text: "No", Claims: []string{"never", "is not so"}}, Agrees, true},
	} {
		r := row(printed.Number{})
		r.Numbers, r.Properties = nil, []printed.Property{c.printed}
		e := entries(t, r, Options{})[0]
		assert.Equal(t, c.verdict, e.Verdict, what)
		assert.Equal(t, c.expected, e.Expected, what)
		r.Properties[0].Check = model.Check{Schedules: 1}
		e = entries(t, r, Options{})[0]
		assert.NotEqual(t, NotPrinted, e.Verdict, "%s: what is sampled is not decided", what)
	}
	r := row(printed.Number{})
	r.Numbers, r.Problems = nil, []printed.Problem{{Text: "what if?", Claim: "is not so"}, {Text: "and if?", Claim: "never"}}
	all := entries(t, r, Options{})
	assert.Equal(t, []Verdict{Agrees, Differs}, []Verdict{all[0].Verdict, all[1].Verdict})
	assert.True(t, all[0].Expected && all[0].Run != nil && !all[1].Expected)
}

// Properties of a matrix with the same checks are decided together, but with the results of separate
// searches. Each property has its own command, and is checked further only while it is not refuted.
func TestTogether(t *testing.T) {
	table := &printed.Table{Name: "table", Matrix: true}
	cell := func(claim string, more ...model.Check) printed.Property {
		return printed.Property{Name: claim, When: "always", Claims: []string{claim}, Check: at(2), Also: []model.Check{at(3)}, More: more}
	}
	r := &printed.Comparison{Name: "row", Table: table, Protocol: priced, Size: printed.Size{Name: "N"}, Properties: []printed.Property{
		cell("ends"), cell("is not so"), cell("never"), cell("never", at(4)),
	}}
	all := entries(t, r, Options{})
	require.Len(t, all, 4)
	for i, want := range []struct {
		claim   string
		checks  int
		verdict checker.Verdict
	}{{"ends", 2, checker.Holds}, {"is not so", 1, checker.Violated}, {"never", 2, checker.Holds}, {"never", 2, checker.Holds}} {
		e := all[i]
		assert.Equal(t, []string{"table", "always", want.claim}, []string{e.Table, e.When, e.Name})
		require.Len(t, e.Claims, want.checks)
		assert.Equal(t, want.verdict, e.Claims[0].Verdict)
		assert.Contains(t, e.Command, `--claim "`+want.claim+`"`)
		assert.NotContains(t, e.Command, `" --claim`, "one claim")
		assert.Equal(t, want.verdict == checker.Violated, e.Run != nil && e.Steps > 0)
	}
	assert.Len(t, entries(t, r, Options{More: true})[3].Claims, 3)
}

// A row with an unknown name is refused.
func TestRefused(t *testing.T) {
	for want, edit := range map[string]func(*printed.Comparison){
		`table row "": it needs a name, a protocol and the name of a size`:                         func(c *printed.Comparison) { c.Name = "" },
		`table row row: protocol priced has no cost "worth"; the verb list names them`:             func(c *printed.Comparison) { c.Numbers[0].Cost = "worth" },
		`table row row: price needs checks and sizes`:                                              func(c *printed.Comparison) { c.Numbers[0].Sizes = nil },
		`table row row: it has numbers or problems, but the rows of table t have properties alone`: func(c *printed.Comparison) { c.Table = &printed.Table{Name: "t", Matrix: true} },
		`table row row: safety: it names no claim`:                                                 func(c *printed.Comparison) { c.Properties = []printed.Property{{Name: "safety"}} },
		`table row row: what if?: protocol priced has no claim "x"; the verb list names them`: func(c *printed.Comparison) {
			c.Problems = []printed.Problem{{Text: "what if?", Claim: "x"}}
		},
	} {
		c := row(printed.Number{})
		edit(c)
		assert.EqualError(t, Entries(c, Options{}, func(*Entry) error { return nil }), want)
	}
}
