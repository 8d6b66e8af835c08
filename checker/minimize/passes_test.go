package minimize_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/checker/minimize"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// tally is a protocol for seeing each pass work: clients hit servers, a server counts hits by their weight, and it is claimed that
// none counts to four. A hit weighs what the client's answer was, plus one. A liar may claim any weight up to five. The second claim
// has a monitor with an alarm that has to expire.
var tally = &model.Protocol{Name: "tally",
	Params: []model.Parameter{model.N, model.B, model.Clients.WithDefault(3), model.Ops.WithDefault(3), model.Delay.WithDefault(4)},
	Claims: []model.Claim{
		{Name: "below four", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			for _, n := range nodes {
				if s, ok := n.(*counter); ok && s.Count >= 4 {
					return fmt.Errorf("a server counts %d", s.Count)
				}
			}
			return nil
		}},
		{Name: "alarmed", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &alarmed{} }},
	},
	Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Types: []any{hit{}}, Network: model.Network{Delay: model.Between(0, model.Delay.Of(c))},
			Returned: model.Between(0, 1), Forge: func(to model.Node, _, _ model.NodeID) []any {
				if _, ok := to.(*counter); !ok {
					return nil
				}
				return []any{hit{1}, hit{2}, hit{3}, hit{4}, hit{5}}
			}}
		if c.N == 0 {
			c.N = 3
		}
		s.Config = c
		for i := range c.N {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", i+1), Role: model.Server, Byzantine: i >= c.N-c.B, New: func() model.Node { return &counter{} }})
		}
		for i := range model.Clients.WithDefault(3).Of(c) {
			n := model.NodeSpec{Name: fmt.Sprint("c", i+1), New: func() model.Node { return &hitter{servers: c.N} }}
			for range model.Ops.WithDefault(3).Of(c) {
				n.Script = append(n.Script, model.Op{Call: 0, After: model.Between(0, 9)})
			}
			s.Nodes = append(s.Nodes, n)
		}
		return s, nil
	}}

type (
	hit     struct{ Weight int }
	hitter  struct{ servers int }
	counter struct{ Count int }
	alarmed struct{}
)

func (h *hitter) Invoke(env model.Env, _ any) {
	h.weigh(env, hit{1 + env.Choose(3)})
	env.Return(0)
}

func (h *hitter) weigh(env model.Env, m hit) {
	for i := range h.servers {
		env.Send(model.NodeID(i), m)
	}
}

func (c *counter) Receive(_ model.Env, _ model.NodeID, m any) { c.Count += m.(hit).Weight }

func (*alarmed) Observe(w model.Watch, o model.Observation) {
	w.After(int(o.Kind), model.Between(0, 3))
}

func (*alarmed) Expire(model.Watch, any) {}

// tallied is a trace of the protocol, drawn at random or made from a script of moves by kind and place, and what became of it.
func tallied(t *testing.T, c model.Check, seed uint64, opt minimize.Options) (was, is *traces.Trace, r minimize.Report) {
	t.Helper()
	was = drawnAll(t, tally, c, "below four", seed)
	is, r, err := minimize.Minimize(tally, was, opt)
	require.NoError(t, err)
	_, err = replay.Replay(tally, is, judge.Watched(tally.Claims))
	require.NoError(t, err)
	return was, is, r
}

// drawnAll draws a run that breaks a claim with all claims watched, and goes on for a while behind that.
func drawnAll(t *testing.T, p *model.Protocol, c model.Check, claim string, seed uint64) *traces.Trace {
	t.Helper()
	s, err := p.System(c.Variant, c.Config)
	require.NoError(t, err)
	h := traces.New(p, c.Variant, s.Config, c.Reading != model.Untimed, claim, "")
	for _, w := range p.Claims {
		h.Watched = append(h.Watched, w.Name)
	}
	w, err := world.New(s, judge.Watched(p.Claims), world.Options{Timed: h.Timed(), Parts: 4})
	require.NoError(t, err)
	r := newRand(seed)
	var records []world.Record
	for behind := 0; behind < 5; {
		rec, ok := walk(w, r)
		if !ok {
			break
		}
		records = append(records, rec)
		if slices.ContainsFunc(w.Violations, func(v world.Violation) bool { return v.Claim == claim }) {
			behind++
		}
	}
	tr, err := traces.FromRun(h, w, 4, records)
	require.NoError(t, err)
	return tr
}

func kinds(tr *traces.Trace) (all []string) {
	for _, s := range tr.Steps {
		all = append(all, s.Kind)
	}
	return all
}

func sizeOf(tr *traces.Trace, name string) int64 {
	v, _ := tally.Spelled(tr.Config.Model()).Setting(name)
	return v
}

// What is left of a long run is what breaks the claim: two hits of one server, from two clients, or from one that has to see its first
// operation return.
func TestStepsNodesAndSizes(t *testing.T) {
	for seed := range uint64(4) {
		was, is, r := tallied(t, model.Check{Config: model.Config{N: 3}}, seed, minimize.Options{})
		require.Greater(t, len(was.Steps), 15)
		assert.Equal(t, []string{"alarmed"}, was.Watched[1:])
		assert.Equal(t, []string{"below four"}, is.Watched, "no other claim is watched")
		two := []string{"invoke", "invoke", "deliver", "deliver"}
		if sizeOf(is, "clients") == 1 {
			two = append(two, "return")
		}
		assert.ElementsMatch(t, two, kinds(is))
		assert.EqualValues(t, 1, sizeOf(is, "n"))
		assert.EqualValues(t, 2, sizeOf(is, "ops")*sizeOf(is, "clients"))
		assert.True(t, r.Locally)
		assert.Empty(t, r.Limit)
		assert.Equal(t, len(was.Steps), r.From)
		assert.Equal(t, len(is.Steps), r.To)
		assert.Contains(t, r.String(), fmt.Sprintf("minimised from %d to %d steps, from n=3 ", r.From, r.To))
	}
}

func TestConfigIsKept(t *testing.T) {
	was, is, _ := tallied(t, model.Check{Config: model.Config{N: 3}}, 1, minimize.Options{KeepConfig: true})
	assert.Equal(t, was.Config.String(), is.Config.String())
	assert.LessOrEqual(t, len(is.Steps), 5)
}

// Faults that the violation does not need are left out, with their budgets.
func TestFaults(t *testing.T) {
	faults := model.Faults{Loss: 2, Duplication: 2, Crashes: 1, Restarts: 1, Partitions: 1}
	for seed := range uint64(6) {
		was, is, _ := tallied(t, model.Check{Config: model.Config{N: 3, Faults: faults}}, seed, minimize.Options{})
		assert.Equal(t, faults, was.Config.Faults)
		assert.LessOrEqual(t, len(is.Steps), 5)
		for _, k := range kinds(is) {
			assert.Contains(t, []string{"invoke", "return", "deliver", "duplicate"}, k)
		}
		assert.Equal(t, slices.Contains(kinds(is), "duplicate"), is.Config.Faults == model.Faults{Duplication: 1}, "%v", is.Config.Faults)
	}
}

// A lie that is needed is the first of its alphabet that serves, and one that is not is left out.
func TestLies(t *testing.T) {
	lied := false
	for seed := range uint64(6) {
		_, is, _ := tallied(t, model.Check{Config: model.Config{N: 3, B: 1}}, seed, minimize.Options{})
		if !slices.Contains(kinds(is), "forge") {
			assert.EqualValues(t, 0, sizeOf(is, "b"))
			continue
		}
		lied = true
		assert.Equal(t, []string{"forge"}, kinds(is))
		assert.JSONEq(t, `{"Weight":4}`, string(is.Steps[0].Value))
		assert.EqualValues(t, 2, sizeOf(is, "n"))
	}
	assert.True(t, lied)
}

// A liar that says nothing goes, with servers that do nothing.
func TestLiars(t *testing.T) {
	tr := traces.New(tally, "", model.Config{N: 3, B: 1}, false, "below four", "")
	tr.Watched = []string{"below four"}
	for _, c := range []string{"c1", "c2"} {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "invoke", To: c, Type: "int", Occurrence: 1, Choices: []int{1}, Value: []byte("0")},
			traces.Step{Kind: "deliver", From: c, To: "s2", Type: "minimize_test.hit", Occurrence: 1, Value: []byte(`{"Weight":2}`)})
	}
	is, _, err := minimize.Minimize(tally, &tr, minimize.Options{})
	require.NoError(t, err)
	assert.EqualValues(t, 0, sizeOf(is, "b"))
	assert.EqualValues(t, 1, sizeOf(is, "n"))
}

// Times become the earliest, whole ones, and answers the smallest that serve.
func TestTimesAndAnswers(t *testing.T) {
	for seed := range uint64(4) {
		_, is, _ := tallied(t, model.Check{Config: model.Config{N: 2}, Reading: model.Dense}, seed, minimize.Options{})
		sum := 0
		for _, s := range is.Steps {
			assert.Equal(t, "0", s.At)
			for _, c := range s.Choices {
				sum += c
			}
		}
		assert.Equal(t, 2, sum, "weights of two and two, or one and three: %v", is.Steps)
		assert.EqualValues(t, 1, sizeOf(is, "delay"))
	}
}

// What stops a minimisation is said, and the trace is as small as it was by then.
func TestLimits(t *testing.T) {
	was, is, r := tallied(t, model.Check{Config: model.Config{N: 3}}, 1, minimize.Options{MaxSteps: 60})
	assert.Equal(t, "steps", r.Limit)
	assert.False(t, r.Locally)
	assert.Equal(t, "stopped by steps: it may not be locally minimal", r.How())
	assert.LessOrEqual(t, len(is.Steps), len(was.Steps))
	stop := make(chan struct{})
	close(stop)
	_, is, r = tallied(t, model.Check{Config: model.Config{N: 3}}, 1, minimize.Options{Interrupt: stop})
	assert.Equal(t, "interrupted", r.Limit)
	assert.Equal(t, was.Steps, is.Steps)
}

// What breaks nothing cannot be made smaller, and what does not replay is refused.
func TestBadInput(t *testing.T) {
	was, _, _ := tallied(t, model.Check{Config: model.Config{N: 3}}, 1, minimize.Options{})
	passes := *was
	passes.Claim, passes.Text = "", ""
	_, _, err := minimize.Minimize(tally, &passes, minimize.Options{})
	assert.ErrorContains(t, err, "trace: it names no claim and no cost")
	short := *was
	short.Steps = short.Steps[:1]
	_, _, err = minimize.Minimize(tally, &short, minimize.Options{})
	assert.EqualError(t, err, "the trace ends, but below four is not violated")
}

// A search has the last word: its run is taken if it is shorter, and then made smaller again.
func TestSearch(t *testing.T) {
	was, small, _ := tallied(t, model.Check{Config: model.Config{N: 3}}, 1, minimize.Options{})
	asked := 0
	opt := minimize.Options{MaxSteps: 60, Shortest: func(tr *traces.Trace) (minimize.Search, error) {
		asked++
		return minimize.Search{Trace: small, States: 7}, nil
	}}
	is, r, err := minimize.Minimize(tally, was, opt)
	require.NoError(t, err)
	assert.Equal(t, small.Steps, is.Steps)
	assert.Equal(t, 1, asked)
	assert.True(t, r.Shortest)
	assert.Equal(t, "shortest: no run of fewer steps breaks it in this configuration (7 states searched)", r.How())
	opt.Shortest = func(*traces.Trace) (minimize.Search, error) { return minimize.Search{States: 9, Limit: "states"}, nil }
	opt.MaxSteps = 0
	_, r, err = minimize.Minimize(tally, was, opt)
	require.NoError(t, err)
	assert.False(t, r.Shortest)
	assert.Equal(t, "locally minimal: no single step, fault, operation, client or server can be left out; "+
		"the search for the shortest run ended without one (states, 9 states)", r.How())
}
