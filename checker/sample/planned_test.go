package sample_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/search"
	"contend/model"
	"contend/model/world"
)

// A teller tells its fellow twice, and once more when it starts again; it draws what it tells.
type teller struct{ Told, Heard []int }

func (n *teller) Start(env model.Env) {
	if env.Self() == 0 {
		is := env.Choose(2)
		n.Told = append(n.Told, is)
		env.Send(1, is)
		env.Send(1, 5)
	}
}

func (n *teller) Receive(_ model.Env, _ model.NodeID, m any) { n.Heard = append(n.Heard, m.(int)) }

// tellers is a system of two, with some faults, and with a liar if there is something that it may say.
func tellers(f model.Faults, lies ...any) *model.System {
	node := func() model.Node { return &teller{} }
	s := &model.System{Types: []any{0}, Network: model.Network{Delay: model.Anytime()}, Faults: f,
		Nodes: []model.NodeSpec{{Name: "a", Role: model.Server, New: node, Crash: model.CrashStop}, {Name: "b", Role: model.Server, New: node, Crash: model.CrashRecovery}}}
	if len(lies) > 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, New: node, Byzantine: true})
		s.Forge = func(to model.Node, _, _ model.NodeID) []any {
			if t, is := to.(*teller); is && len(t.Heard) < 2 {
				return lies
			}
			return nil
		}
	}
	return s
}

// Once every schedule was made, they came to all states that there are: those of an exhaustive search.
func TestDeviationsComeToEveryState(t *testing.T) {
	for name, s := range map[string]*model.System{
		"no faults":   tellers(model.Faults{}),
		"loss":        tellers(model.Faults{Loss: 1}),
		"duplication": tellers(model.Faults{Duplication: 1}),
		"crash":       tellers(model.Faults{Crashes: 1}),
		"restart":     tellers(model.Faults{Restarts: 1}),
		"partition":   tellers(model.Faults{Partitions: 1}),
		"lies":        tellers(model.Faults{}, 6, 7),
		"several":     tellers(model.Faults{Loss: 1, Restarts: 1}),
	} {
		t.Run(name, func(t *testing.T) {
			states := map[string]bool{}
			see := func(_ int, w *world.World, _ world.Record) { states[strings.Join(w.State(), "\n")] = true }
			by := strategy.NewDeviations()
			r := run(t, s, nil, sample.Options{Schedules: 1_000_000, Strategy: by, Workers: 1, Taken: see})
			assert.Equal(t, []string{"every schedule was made"}, by.Notes())
			assert.Equal(t, sample.Budget, r.Stop)
			assert.Less(t, r.Schedules, int64(10_000))
			all, err := search.Run(s, nil, search.Options{Pure: true, Workers: 1})
			require.NoError(t, err)
			assert.Len(t, states, int(all.States)-2, "the two initial states are not seen after a step")
		})
	}
}

// Delays do not bound what handlers choose, so that every order of events is not every schedule.
func TestDelaysWhereHandlersChoose(t *testing.T) {
	by := strategy.NewDelays()
	run(t, tellers(model.Faults{}), nil, sample.Options{Schedules: 1_000, Strategy: by, Workers: 1})
	assert.Empty(t, by.Notes())
}

// In time an event is taken as early or as late as may be, and at no other instant.
func TestDeviationsInTime(t *testing.T) {
	s := tellers(model.Faults{})
	s.Network.Delay = model.Between(2, 9)
	at := map[int64]bool{}
	see := func(_ int, _ *world.World, r world.Record) {
		if r.Move.Kind == model.Deliver {
			at[int64(r.At)] = true
		}
	}
	by := strategy.NewDeviations()
	run(t, s, nil, sample.Options{Schedules: 1_000_000, Strategy: by, Workers: 1, Timed: true, Parts: 1, Taken: see})
	assert.True(t, by.Finished())
	assert.Equal(t, map[int64]bool{2: true, 9: true}, at)
}
