package sampled_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/search/decide"
	"contend/model"
)

// A beacon has no application: it counts its alarms, and must not come to four.
type beacon struct {
	silent bool
	Count  int
}

func (b *beacon) Start(env model.Env) {
	if !b.silent {
		env.After("tick", model.Exactly(1))
	}
}

func (b *beacon) Timeout(env model.Env, _ any) {
	b.Count++
	env.Note("tick")
	env.After("tick", model.Exactly(1))
}

func beacons(silent bool) *model.Protocol {
	return &model.Protocol{
		Name: "beacons", Title: "nodes that act by themselves", Source: "nowhere",
		Build: func(model.Config) (*model.System, error) {
			return &model.System{Types: []any{""}, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
				{Name: "b", Role: model.Server, New: func() model.Node { return &beacon{silent: silent} }},
			}}, nil
		},
		Claims: []model.Claim{{Name: "few alarms", Kind: model.Always, Source: "nowhere", Invariant: func(nodes []model.Node) error {
			if nodes[0].(*beacon).Count > 3 {
				return assert.AnError
			}
			return nil
		}}},
	}
}

// A system without scripts is sampled all the same; one in which nothing happens says so.
func TestSystemsWithoutScriptsAreSampled(t *testing.T) {
	for silent, want := range map[bool]checker.ClaimResult{
		false: {Verdict: checker.Violated, Steps: 4},
		true:  {Verdict: checker.Inconclusive, Limit: decide.Limited(checker.NoStep), Text: "no schedule took a step: nothing was put to the test"},
	} {
		rows, err := checker.Check(beacons(silent), model.Check{Reading: model.Dense, Schedules: 20}, checker.Options{Seed: 1})
		require.NoError(t, err)
		got := rows[0].Claims[0]
		assert.Equal(t, want.Verdict, got.Verdict)
		assert.Equal(t, want.Steps, got.Steps)
		assert.Equal(t, want.Limit, got.Limit)
		if silent {
			assert.Equal(t, want.Text, got.Text)
			assert.Equal(t, checker.NoStep, rows[0].Limit.Code)
			assert.Zero(t, rows[0].Transitions)
		}
	}
}
