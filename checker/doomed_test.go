package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/traces/replay"
	"contend/traces/why"
)

// A mute server answers nobody.
type mute struct{ Asked int }

func (m *mute) Receive(model.Env, model.NodeID, any) { m.Asked++ }

type hopeful struct{}

func (*hopeful) Invoke(env model.Env, _ any)                  { env.Send(1, "ask") }
func (*hopeful) Receive(env model.Env, _ model.NodeID, _ any) { env.Return(nil) }

// A served monitor waits for a return.
type served struct{ Done bool }

func (s *served) Observe(_ model.Watch, o model.Observation) {
	s.Done = s.Done || o.Kind == model.Returned
}
func (s *served) Reached() bool { return s.Done }

// Where the goal is doomed from the start, the run has no steps: why tells those by which it would go
// on, names no other as if the run had it, and says who waits for what in the end.
func TestDoomedFromTheStart(t *testing.T) {
	monitor := func(*model.System) model.Monitor { return &served{} }
	for name, claim := range map[string]model.Claim{"done": {Done: true}, "monitor": {Monitor: monitor}} {
		claim.Name, claim.Kind, claim.Source = "served", model.PossibleFromEverywhere, "nowhere"
		p := hopeless(claim)
		rows, err := checker.Check(p, model.Check{}, checker.Options{})
		require.NoError(t, err)
		run, err := replay.Replay(p, rows[0].Claims[0].Counterexample, nil)
		require.NoError(t, err)
		e := why.Explain(run)
		assert.Contains(t, e.Sentences, "The goal cannot be reached from the beginning.", name)
		assert.Contains(t, e.Sentences, `If it goes on from there without the environment, in one of the ways that there are, it stops 2 steps later (1 c invokes "call"; 2 c → s "ask" arrives).`, name)
		assert.Contains(t, e.Sentences, `c waits: s got its "ask" at step 2 (to come): s's Asked went from 0 to 1, and s sent nothing.`, name)
		assert.Subset(t, []int{0}, e.Steps, name)
	}
}

func hopeless(claim model.Claim) *model.Protocol {
	return &model.Protocol{
		Name: "hopeless", Title: "a question", Source: "nowhere",
		Build: func(model.Config) (*model.System, error) {
			return &model.System{Types: []any{""}, Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{
				{Name: "c", Role: model.Client, New: func() model.Node { return &hopeful{} }, Script: []model.Op{{Call: "call", After: model.Anytime()}}},
				{Name: "s", Role: model.Server, New: func() model.Node { return &mute{} }},
			}}, nil
		},
		Claims: []model.Claim{claim},
	}
}
