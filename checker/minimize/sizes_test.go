package minimize

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// Values that are tried in place of another are below it, the least six first, then one half the way up, then the one just below it.
func TestValuesBelow(t *testing.T) {
	for is, want := range map[int64][]int64{
		1: nil, 2: nil, 3: {2}, 8: {2, 3, 4, 5, 6, 7}, 9: {2, 3, 4, 5, 6, 7, 8}, 10: {2, 3, 4, 5, 6, 7, 9}, 11: {2, 3, 4, 5, 6, 7, 9, 10},
		100: {2, 3, 4, 5, 6, 7, 54, 99},
	} {
		assert.Equal(t, want, valuesBelow(2, is), "below %d", is)
	}
	assert.Equal(t, []int64{0, 1}, valuesBelow(0, 2))
	assert.EqualValues(t, 0, minimum(model.Declaration{Least: 0}))
	assert.EqualValues(t, 3, minimum(model.Declaration{Least: 3}))
	assert.EqualValues(t, 1, minimum(model.Declaration{Least: 0, All: true}), "0 stands for all")
	assert.EqualValues(t, 2, minimum(model.Declaration{Least: 2, All: true}))
}

// Nodes stand in place of those of their role, liars of liars first; of too many, the least active go first, and each way to leave some out is
// tried. Besides its own part a client does that of one that is gone.
func TestWaysToPutNodesInPlaceOfOthers(t *testing.T) {
	script := []model.Op{{Call: 0}}
	node := func(what string) (n model.NodeSpec) {
		n.Role = map[byte]model.Role{'s': model.Server, 'l': model.Server, 'c': model.Client, 'o': model.Client, 'p': model.Peer}[what[0]]
		n.Byzantine = what[0] == 'l'
		if what[0] == 'c' {
			n.Script = script
		}
		return n
	}
	all := func(names ...string) (s *model.System) {
		s = &model.System{}
		for i, what := range names {
			n := node(what)
			n.Name = fmt.Sprint(i + 1)
			s.Nodes = append(s.Nodes, n)
		}
		return s
	}
	type way = []model.NodeID
	for name, c := range map[string]struct {
		from, to []string
		active   []model.NodeID
		want     []way
	}{
		"the same":                 {[]string{"s1", "c1"}, []string{"s1", "c1"}, nil, []way{nil}},
		"fewer servers":            {[]string{"s1", "s2", "s3"}, []string{"s1", "s2"}, way{0, 0, 1, 2, 2, 2}, []way{{0, -1, 1}, {-1, 0, 1}, {0, 1, -1}}},
		"one of two servers":       {[]string{"s1", "s2"}, []string{"s1"}, way{1}, []way{{-1, 0}, {0, -1}}},
		"two gone of three":        {[]string{"s1", "s2", "s3"}, []string{"s1"}, nil, []way{{-1, -1, 0}, {0, -1, -1}, {-1, 0, -1}}},
		"another liar":             {[]string{"l1", "s2"}, []string{"s1", "l2"}, nil, []way{{1, 0}}},
		"no liar any more":         {[]string{"s1", "s2", "l3"}, []string{"s1", "s2", "s3"}, nil, []way{{0, 1, 2}}},
		"fewer, and no liar":       {[]string{"s1", "s2", "l3"}, []string{"s1", "s2"}, nil, []way{{0, 1, -1}}},
		"more servers":             {[]string{"s1", "c1"}, []string{"s1", "s2", "c1"}, nil, []way{{0, 2}}},
		"other roles":              {[]string{"s1", "p1", "p2"}, []string{"s1", "p1"}, way{1, 1, 2}, []way{{0, 1, -1}, {0, -1, 1}}},
		"fewer clients":            {[]string{"c1", "c2"}, []string{"c1"}, way{0}, []way{{0, -1}, {-1, 0}, {0, 0}}},
		"fewer idle clients":       {[]string{"o1", "o2"}, []string{"o1"}, way{0}, []way{{0, -1}, {-1, 0}}},
		"an idle client goes":      {[]string{"o1", "c2"}, []string{"o1"}, way{1}, []way{{-1, 0}, {0, -1}}},
		"a server stands for none": {[]string{"s1", "s2", "c1"}, []string{"s1", "c1"}, way{0}, []way{{0, -1, 1}, {-1, 0, 1}}},
	} {
		of := &result{stage: &stage{system: all(c.from...)}}
		for _, id := range c.active {
			of.records = append(of.records, world.Record{Node: id, Move: world.Move{Kind: model.Stop, Node: id}})
		}
		ways := of.mappings(&stage{system: all(c.to...)})
		if name == "fewer clients" {
			assert.ElementsMatch(t, c.want, ways[:3], name)
			continue
		}
		assert.Equal(t, c.want, ways, name)
	}
}

// A node has part in what it does, and in what was sent from it, be it a lie.
func TestActiveNodes(t *testing.T) {
	of := &result{stage: &stage{system: &model.System{Nodes: make([]model.NodeSpec, 4)}}, records: []world.Record{
		{Node: 1, Move: world.Move{Kind: model.Deliver, Event: &world.Event{Kind: model.Deliver, From: 2, Node: 1}}},
		{Node: 1, Move: world.Move{Kind: model.Lose, Event: &world.Event{Kind: model.Deliver, From: 2, Node: 1}}},
		{Node: 1, Move: world.Move{Kind: model.Timeout, Event: &world.Event{Kind: model.Timeout, Node: 1}}},
		{Node: 1, Move: world.Move{Kind: model.Forge, From: 3, Node: 1}},
		{Node: -1, Move: world.Move{Kind: model.Partition, Node: -1}},
	}}
	assert.Equal(t, []int{0, 4, 2, 1}, of.active())
}

// bound is a protocol of three times as many servers as liars, and one. Its claims break as its client is asked, some only
// with seven servers or eight. With four servers or more it is stable.
var bound = &model.Protocol{Name: "bound", Params: []model.Parameter{model.N, model.B, model.Quorum},
	Claims: []model.Claim{
		{Name: "idle", Kind: model.Always, Invariant: asked},
		{Name: "idle with liars", Kind: model.Always, Invariant: lied},
		{Name: "idle if stable and with liars", Kind: model.Always, Invariant: lied, Assumes: []model.Assumption{model.Stable}},
		{Name: "idle if stable", Kind: model.Always, Invariant: asked, Assumes: []model.Assumption{model.Stable, model.NoCrash}},
	},
	Build: func(c model.Config) (*model.System, error) {
		if c.N != 3*c.B+1 && !c.Beyond {
			return nil, fmt.Errorf("n is %d, but b is %d", c.N, c.B)
		}
		if quorum, set := c.Setting(model.Quorum.Name); set && (quorum <= int64(c.N/2) || quorum > int64(c.N)) {
			return nil, errors.New("that is no quorum")
		} else if !set {
			c = c.With(model.Quorum.Is(c.N/2 + 1))
		}
		s := &model.System{Config: c, Faults: c.Faults, Stable: c.N > 3, Network: model.Network{Delay: model.Anytime()},
			Forge: func(model.Node, model.NodeID, model.NodeID) []any { return nil }}
		for i := range c.N {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", i+1), Role: model.Server, Byzantine: i < c.B, New: func() model.Node { return &idle{} }})
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "c", New: func() model.Node { return &askedOnce{n: c.N, b: c.B} }, Script: []model.Op{{Call: 0}}})
		return s, nil
	}}

type (
	idle      struct{}
	askedOnce struct {
		n, b int
		Is   bool
	}
)

func (a *askedOnce) Invoke(model.Env, any) { a.Is = true }

func lied(nodes []model.Node) error {
	if c, up := nodes[len(nodes)-1].(*askedOnce); up && (c.n == 7 && c.b == 2 || c.n == 8 && c.b == 7) {
		return asked(nodes)
	}
	return nil
}

func asked(nodes []model.Node) error {
	if c, up := nodes[len(nodes)-1].(*askedOnce); up && c.Is {
		return errors.New("it is asked")
	}
	return nil
}

// Liars go with as many servers as may, whatever joins the two. An assumption of the claim that the run meets is met in the smaller configuration,
// too; that it does not meet another bars nothing. What need not be beyond bounds is not, and clocks that need not drift do not.
func TestSmallerConfigurations(t *testing.T) {
	for name, c := range map[string]struct {
		claim    string
		is, want model.Config
	}{
		"two liars":           {"idle", model.Config{N: 7, B: 2}, model.Config{N: 1}},
		"a quorum":            {"idle", model.Config{N: 4, B: 1}.With(model.Quorum.Is(4)), model.Config{N: 1}},
		"stable":              {"idle if stable", model.Config{N: 7, B: 2}, model.Config{N: 4, B: 1}},
		"unstable all along":  {"idle if stable", model.Config{N: 3, Beyond: true}, model.Config{N: 1}},
		"beyond bounds":       {"idle", model.Config{N: 5, B: 3, Beyond: true}, model.Config{N: 1}},
		"drift":               {"idle", model.Config{N: 1, Drift: 2}, model.Config{N: 1}},
		"crashes it can make": {"idle if stable", model.Config{N: 7, B: 2, Faults: model.Faults{Crashes: 1}}, model.Config{N: 4, B: 1}},
	} {
		s, err := bound.System("", c.is)
		require.NoError(t, err, name)
		tr := traces.New(bound, "", s.Config, c.is.Drift > 0, c.claim, "")
		tr.Watched = []string{c.claim}
		tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Occurrence: 1, Value: []byte("0")}}
		if c.is.Drift > 0 {
			tr.Steps[0].At = "0"
		}
		is, r, err := Minimize(bound, &tr, Options{})
		require.NoError(t, err, name)
		got := is.Config.Model()
		assert.Equal(t, []int{c.want.N, c.want.B}, []int{got.N, got.B}, "%s: %s", name, is.Config)
		assert.Equal(t, []any{false, 0, model.Faults{}}, []any{got.Beyond, got.Drift, got.Faults}, name)
		assert.True(t, r.Locally)
	}
}

// Other runs are looked for where one thing is less: none of a fault or one less, no drift or less; fewer liars with each number of servers first. It
// is looked in so many configurations at most, and in none that meets less of what the claim assumes.
func TestConfigurationsElsewhere(t *testing.T) {
	c := model.Config{Drift: 2, Faults: model.Faults{Crashes: 1, Loss: 3}}
	var some []model.Config
	for _, f := range fewerFaults(c) {
		some = append(some, model.Config{Drift: f.Drift, Faults: f.Faults})
	}
	assert.Equal(t, []model.Config{{Drift: 2, Faults: model.Faults{Loss: 3}}, {Drift: 2, Faults: model.Faults{Crashes: 1}},
		{Drift: 2, Faults: model.Faults{Crashes: 1, Loss: 2}}, {Faults: c.Faults}, {Drift: 1, Faults: c.Faults}}, some)
	invoke := []traces.Step{{Kind: "invoke", To: "c", Type: "int", Occurrence: 1, Value: []byte("0")}}
	for name, c := range map[string]struct {
		claim string
		is    model.Config
		want  int
		first string
	}{
		"most":   {"idle with liars", model.Config{N: 8, B: 7, Beyond: true}, 48, "n=1 quorum=1 beyond bounds"},
		"stable": {"idle if stable and with liars", model.Config{N: 7, B: 2}, 2, "n=4 b=1 quorum=4"},
	} {
		s, err := bound.System("", c.is)
		require.NoError(t, err, name)
		tr := traces.New(bound, "", s.Config, false, c.claim, "")
		tr.Watched, tr.Steps = []string{c.claim}, invoke
		var asked []string
		_, _, err = Minimize(bound, &tr, Options{AnyRun: func(h *traces.Trace) (Search, error) {
			asked = append(asked, h.Config.String())
			return Search{}, nil
		}})
		require.NoError(t, err, name)
		require.Len(t, asked, c.want, name)
		assert.Equal(t, c.first, asked[0], name)
	}
}

// Less is to be read of a run with fewer steps times nodes, or with as many of them in a smaller configuration.
func TestWhichRunReadsBetter(t *testing.T) {
	is := func(n, b, steps int) *minimizer {
		m := &minimizer{protocol: bound, claims: bound.Claims, stages: map[string]*stage{}}
		s, err := bound.System("", model.Config{N: n, B: b, Beyond: true})
		require.NoError(t, err)
		tr := traces.New(bound, "", s.Config, false, "idle", "")
		m.trace = &tr
		tr.Steps = make([]traces.Step, steps)
		m.report.From = 6
		return m
	}
	for _, c := range []struct {
		n, b, steps int
		better      bool
	}{{3, 1, 5, false}, {3, 0, 5, true}, {7, 0, 2, true}, {3, 2, 5, false}, {4, 0, 4, false}, {2, 1, 6, true}, {3, 3, 4, true}, {1, 0, 6, true}, {1, 0, 7, false}} {
		assert.Equal(t, c.better, is(c.n, c.b, c.steps).readsBetter(is(3, 1, 5)), "%+v", c)
	}
}

// What nodes are answered as a run begins is of those that are left.
func TestAnswersOfNodesThatAreLeft(t *testing.T) {
	p := &model.Protocol{Name: "born", Params: []model.Parameter{model.N},
		Claims: []model.Claim{{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			for _, n := range nodes[:len(nodes)-1] {
				if n.(*born).As == 3 && nodes[len(nodes)-1].(*askedOnce).Is {
					return errors.New("one was born as 3")
				}
			}
			return nil
		}}},
		Build: func(c model.Config) (*model.System, error) {
			s := &model.System{Config: c, Network: model.Network{Delay: model.Anytime()}}
			for i := range c.N {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", i+1), Role: model.Server, New: func() model.Node { return &born{} }})
			}
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: "c", New: func() model.Node { return &askedOnce{} }, Script: []model.Op{{Call: 0}}})
			return s, nil
		}}
	for as := 1; as <= 3; as++ {
		s, err := p.System("", model.Config{N: 3})
		require.NoError(t, err)
		h := traces.New(p, "", s.Config, false, "small", "")
		h.Watched = []string{"small"}
		begun := 0
		w, err := world.New(s, p.Claims, world.Options{Boot: func(int, string) int {
			if begun++; begun == as {
				return 3
			}
			return 2
		}})
		require.NoError(t, err)
		rec, err := w.Step(w.Moves()[0], 0, nil)
		require.NoError(t, err)
		tr, err := traces.FromRun(h, w, 1, []world.Record{rec})
		require.NoError(t, err)
		is, _, err := Minimize(p, tr, Options{})
		require.NoError(t, err)
		assert.Equal(t, 1, is.Config.Model().N, "server %d", as)
	}
}

type born struct{ As int }

func (b *born) Start(env model.Env) { b.As = env.Choose(4) }
