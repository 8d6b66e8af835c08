package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// A relay forwards each message once, and counts. The count may survive a crash.
type relay struct {
	to    model.NodeID
	Count int `contend:"stable"`
	Lost  int
	Down  map[model.NodeID]bool
}

func (r *relay) Start(env model.Env) { r.Lost = env.Choose(2) }

func (r *relay) Invoke(env model.Env, _ any) {
	env.Send(r.to, r.Count)
	env.Return(nil)
}

func (r *relay) Receive(env model.Env, _ model.NodeID, _ any) {
	if r.Count < 2 {
		r.Count++
		env.Note(r.Count)
	}
	r.Lost = 1
}

func (r *relay) Suspect(env model.Env, n model.NodeID) { r.Down[n] = true }
func (r *relay) Trust(env model.Env, n model.NodeID)   { delete(r.Down, n) }

func relays(f model.Faults, d model.DetectorKind) *model.System {
	call := []model.Op{{Call: 0, After: model.By(1)}, {Call: 0}}
	return &model.System{
		Nodes: []model.NodeSpec{
			{Name: "a", Crash: model.CrashStopRecovery, New: func() model.Node { return &relay{to: 1} }, Script: call},
			{Name: "b", Role: model.Server, New: func() model.Node { return &relay{to: 0} }},
		},
		Network:  model.Network{Delay: model.By(1), Partition: model.Between(1, 2)},
		Detector: model.Detector{Kind: d, Report: model.By(1), Mistake: model.Exactly(1)},
		Faults:   f,
	}
}

// Mixtures of faults that random systems seldom have. The search and brute force have the same states and
// verdicts.
func TestMixturesOfFaults(t *testing.T) {
	for _, c := range []struct {
		faults   model.Faults
		detector model.DetectorKind
	}{
		{model.Faults{Restarts: 1, Partitions: 1}, model.NoDetector},
		{model.Faults{Restarts: 1}, model.Perfect},
		{model.Faults{Restarts: 1, Crashes: 1}, model.Perfect}, // one is back when the other is down
		{model.Faults{Crashes: 1, Suspicions: 1}, model.EventuallyPerfect},
		{model.Faults{Partitions: 1, Loss: 1}, model.NoDetector},
	} {
		for _, channel := range []model.Channel{model.Bag, model.FIFO} {
			it := random.Case{System: relays(c.faults, c.detector), Claims: []model.Claim{
				{Name: "done", Kind: model.PossibleFromEverywhere, Done: true}, {Name: "stops", Kind: model.Always, Done: true},
			}}
			it.System.Network.Channel = channel
			truth, err := oracle.Judge(it.System, it.Claims, it.Reading, 20_000)
			require.NoError(t, err)
			require.Positive(t, truth.States)
			comparison := &Comparison{About: it.String()}
			comparison.checkWith(it, truth, setting{name: "no reductions", opt: checker.Options{Workers: 1, Reduce: []string{}}})
			comparison.checkWith(it, truth, setting{name: "all reductions", opt: checker.Options{Workers: 2}})
			assert.Empty(t, comparison.Problems)
		}
	}
}
