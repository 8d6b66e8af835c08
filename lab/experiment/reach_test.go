package experiment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// A stepper counts to two, by messages to itself.
type stepper struct{ At int }

func (s *stepper) Start(env model.Env) { env.Send(env.Self(), 1) }

func (s *stepper) Receive(env model.Env, _ model.NodeID, _ any) {
	if s.At++; s.At < 2 {
		env.Send(env.Self(), 1)
	}
}

var steps = &model.Protocol{
	Name: "steps",
	Build: func(c model.Config) (*model.System, error) {
		node := func(name string) model.NodeSpec {
			return model.NodeSpec{Name: name, Role: model.Peer, New: func() model.Node { return &stepper{} }}
		}
		return &model.System{Config: c, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{node("p"), node("q")}}, nil
	},
}

// Of the nine states of two that count to two all but the first come after a step. A schedule meets four of these.
func TestReached(t *testing.T) {
	opt := Options{Strategies: []string{"random", "delays"}, Seeds: 1, Schedules: 64}
	all, err := MeasureReach([]Mutant{{steps, model.Check{}}}, opt)
	require.NoError(t, err)
	require.Len(t, all, 2)
	random := all[0]
	assert.Equal(t, 8, random.States)
	assert.Equal(t, States{1, 4}, random.Points[0])
	assert.Equal(t, States{64, 8}, random.Points[len(random.Points)-1])
	assert.InDelta(t, 0.5, random.share(1), 1e-12)
	again, err := MeasureReach([]Mutant{{steps, model.Check{}}}, opt)
	require.NoError(t, err)
	for i := range all {
		all[i].Seconds, again[i].Seconds = 0, 0
	}
	assert.Equal(t, all, again)
}

// The chart has the mean of the protocols.
func TestStatesChart(t *testing.T) {
	at := func(protocol string, of, one, two int) Reach {
		return Reach{Protocol: protocol, Strategy: "pos", States: of, Points: []States{{1, one}, {2, two}}}
	}
	r := Report{Options: Options{Strategies: []string{"pos"}, Schedules: 2}, Reaches: []Reach{at("a", 10, 1, 5), at("b", 4, 1, 4)}}
	c := r.StatesChart()
	require.Len(t, c.Lines, 1)
	assert.InDelta(t, 17.5, c.Lines[0].Points[0].Y, 1e-9)
	assert.InDelta(t, 75, c.Lines[0].Points[1].Y, 1e-9)
}

// Over time, a strategy that takes twice as long has made half as many schedules. A line ends where one of its protocols does.
func TestTimesChart(t *testing.T) {
	at := func(protocol, strategy string, seconds float64) Reach {
		return Reach{Protocol: protocol, Strategy: strategy, States: 10, Seconds: seconds, Points: []States{{1, 2}, {2, 4}, {4, 8}}}
	}
	r := Report{Options: Options{Strategies: []string{"random", "pos", "pct"}, Schedules: 4}, Reaches: []Reach{
		at("a", "random", 1), at("a", "pos", 2), at("a", "pct", 0.5), at("b", "random", 4), at("b", "pos", 4), at("b", "pct", 4),
	}}
	lines := r.TimesChart().Lines
	require.Len(t, lines, 3)
	assert.Equal(t, r.StatesChart().Lines[0], lines[0], "the unit itself")
	ys := func(of int) (all []float64) {
		for _, p := range lines[of].Points {
			all = append(all, p.Y)
		}
		return all
	}
	assert.InDeltaSlice(t, []float64{15, 30, 60}, ys(1), 1e-9)
	assert.InDeltaSlice(t, []float64{30, 60}, ys(2), 1e-9)
}
