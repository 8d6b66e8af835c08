package minimize_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/checker/minimize"
	"contend/model"
	"contend/model/costs"
	"contend/traces"
	"contend/traces/replay"
)

// dial is a protocol whose runs do not go from one configuration to another: a node dials a number below n, and its claim breaks at 3
// of 30, at 0 of 2, and when one of three dials 2 for the third time.
var dial = &model.Protocol{Name: "dial",
	Params: []model.Parameter{model.N, model.Clients.WithDefault(2), model.Ops.WithDefault(1)},
	Costs:  []*model.Cost{costs.Messages()},
	Claims: []model.Claim{{Name: "undialled", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		d := nodes[len(nodes)-1].(*dialling)
		if d.Times > 0 && (d.of == 30 && d.At == 3 || d.of == 2 && d.At == 0 || d.of == 3 && d.Sum == 6) {
			return fmt.Errorf("%d is dialled", d.At)
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Network: model.Network{Delay: model.Anytime()}}
		for i := range c.N {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", i+1), Role: model.Server, New: func() model.Node { return &dialling{} }})
		}
		for i := range model.Clients.WithDefault(2).Of(c) {
			n := model.NodeSpec{Name: fmt.Sprint("c", i+1), New: func() model.Node { return &dialling{of: c.N} }}
			for range model.Ops.WithDefault(1).Of(c) {
				n.Script = append(n.Script, model.Op{Call: 0})
			}
			s.Nodes = append(s.Nodes, n)
		}
		return s, nil
	}}

type dialling struct {
	of             int
	At, Times, Sum int
}

func (d *dialling) Invoke(env model.Env, _ any) {
	d.At, d.Times = env.Choose(d.of), d.Times+1
	d.Sum += d.At
	env.Return(0)
}

func (*dialling) Receive(model.Env, model.NodeID, any) {}

// dialled is a run in which the only client dials, after so many steps that say nothing.
func dialled(n, clients, at int) *traces.Trace {
	tr := traces.New(dial, "", model.Config{N: n}.With(model.Clients.Is(clients)), false, "undialled", "")
	tr.Watched = []string{"undialled"}
	for i := range clients {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "invoke", To: fmt.Sprint("c", i+1), Type: "int", Occurrence: 1, Choices: []int{at}, Value: []byte("0")})
	}
	return &tr
}

// A run that is found in a smaller configuration takes the place of the first, and is made smaller itself; the report says so.
func TestElsewhere(t *testing.T) {
	var asked []string
	opt := minimize.Options{AnyRun: func(h *traces.Trace) (minimize.Search, error) {
		assert.Empty(t, h.Steps)
		asked = append(asked, h.Config.String())
		switch h.Config.Model().N {
		case 1:
			return minimize.Search{States: 3, Schedules: 10, Steps: 20}, nil
		case 2:
			return minimize.Search{States: 5, By: "sampling", Trace: dialled(2, 2, 0)}, nil
		}
		return minimize.Search{}, errors.New("not to be searched")
	}, Shortest: func(*traces.Trace) (minimize.Search, error) { return minimize.Search{States: 4}, nil }}
	is, r, err := minimize.Minimize(dial, dialled(30, 2, 3), opt)
	require.NoError(t, err)
	assert.Equal(t, 2, is.Config.Model().N)
	assert.Len(t, is.Steps, 1)
	require.NotNil(t, r.Another)
	assert.Equal(t, "sampling", r.Another.By)
	assert.Equal(t, []string{"n=1 clients=1 ops=1", "n=2 clients=1 ops=1"}, asked, "the least first, and none twice")
	assert.EqualValues(t, 12, r.States)
	assert.EqualValues(t, 10, r.Schedules)
	assert.Equal(t, "minimised from 2 to 1 step, from n=30 clients=2 to n=2 clients=1 ops=1; "+
		"this is another run, not a part of the first: sampling found it with n=2 clients=2, in 2 steps", r.String())
	_, err = replay.Replay(dial, is, judge.Watched(dial.Claims))
	require.NoError(t, err)
}

// thrice is a run with three operations.
func thrice() *traces.Trace {
	tr := traces.New(dial, "", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(3)), false, "undialled", "")
	tr.Watched = []string{"undialled"}
	for i := range 3 {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "invoke", To: "c1", Type: "int", Occurrence: i + 1, Choices: []int{2}, Value: []byte("0")},
			traces.Step{Kind: "return", To: "c1", Type: "int", Occurrence: i + 1, Value: []byte("0")})
	}
	tr.Steps = tr.Steps[:5]
	return &tr
}

// What is found elsewhere is left where more would be to be read of it, where it does not break the claim, and where the
// configuration is to stay.
func TestElsewhereInVain(t *testing.T) {
	first := dialled(30, 1, 3)
	for name, opt := range map[string]minimize.Options{
		"longer": {AnyRun: func(h *traces.Trace) (minimize.Search, error) {
			return minimize.Search{Trace: thrice()}, nil
		}},
		"no violation": {AnyRun: func(h *traces.Trace) (minimize.Search, error) {
			return minimize.Search{Trace: dialled(2, 1, 1)}, nil
		}},
		"no less": {AnyRun: func(h *traces.Trace) (minimize.Search, error) {
			return minimize.Search{Trace: dialled(30, 1, 3)}, nil
		}},
		"kept": {KeepConfig: true, AnyRun: func(h *traces.Trace) (minimize.Search, error) {
			return minimize.Search{Trace: dialled(2, 1, 0)}, nil
		}},
	} {
		is, r, err := minimize.Minimize(dial, first, opt)
		require.NoError(t, err, name)
		assert.Equal(t, first.Steps, is.Steps, name)
		assert.Equal(t, 30, is.Config.Model().N, name)
		assert.Nil(t, r.Another, name)
		assert.True(t, r.Locally, name)
	}
}

// A run that is as long, of fewer nodes, takes the place of the first.
func TestElsewhereAsLong(t *testing.T) {
	is, r, err := minimize.Minimize(dial, dialled(30, 1, 3), minimize.Options{AnyRun: func(*traces.Trace) (minimize.Search, error) {
		return minimize.Search{By: "search", Trace: dialled(2, 1, 0)}, nil
	}})
	require.NoError(t, err)
	assert.Equal(t, 2, is.Config.Model().N)
	assert.NotNil(t, r.Another)
}

// That there is no time to look further leaves the run as minimal as it was. What a search takes counts.
func TestElsewhereForSoLong(t *testing.T) {
	asked := 0
	_, r, err := minimize.Minimize(dial, dialled(30, 1, 3), minimize.Options{MaxSteps: 1000, AnyRun: func(*traces.Trace) (minimize.Search, error) {
		asked++
		return minimize.Search{Steps: 600}, nil
	}})
	require.NoError(t, err)
	assert.Equal(t, 2, asked)
	assert.True(t, r.Locally)
	assert.Empty(t, r.Limit)
}

// What a run costs is of its configuration.
func TestCostsAreOfTheirConfiguration(t *testing.T) {
	tr := dialled(30, 1, 3)
	tr.Claim, tr.Watched, tr.Cost = "", nil, &traces.Cost{Name: "messages", Number: 0}
	tr.Steps = append(tr.Steps, traces.Step{Kind: "return", To: "c1", Type: "int", Occurrence: 1, Value: []byte("0")})
	is, r, err := minimize.Minimize(dial, tr, minimize.Options{AnyRun: func(*traces.Trace) (minimize.Search, error) {
		assert.Fail(t, "it looks elsewhere")
		return minimize.Search{}, nil
	}})
	require.NoError(t, err)
	assert.True(t, r.Locally)
	assert.Equal(t, 30, is.Config.Model().N)
	assert.Len(t, is.Steps, 2)
}

// What is found elsewhere is left where there is no time to make it smaller.
func TestElsewhereTooLate(t *testing.T) {
	_, r, err := minimize.Minimize(dial, dialled(30, 2, 3), minimize.Options{MaxSteps: 1000, AnyRun: func(*traces.Trace) (minimize.Search, error) {
		return minimize.Search{Steps: 2000, Trace: dialled(2, 2, 0)}, nil
	}})
	require.NoError(t, err)
	assert.Nil(t, r.Another)
	assert.Empty(t, r.Limit)
	assert.EqualValues(t, 30, r.ToConfig.Model().N)
}

// What was found elsewhere is left for what is found elsewhere again.
func TestElsewhereAgain(t *testing.T) {
	found := []*traces.Trace{thrice(), dialled(2, 1, 0)}
	is, r, err := minimize.Minimize(dial, dialled(30, 6, 3), minimize.Options{AnyRun: func(*traces.Trace) (s minimize.Search, _ error) {
		if len(found) > 0 {
			s.Trace, found = found[0], found[1:]
		}
		return s, nil
	}})
	require.NoError(t, err)
	assert.Equal(t, 2, is.Config.Model().N)
	assert.Len(t, is.Steps, 1)
	assert.Equal(t, 1, r.Another.Steps)
}
