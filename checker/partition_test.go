package checker_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

type (
	echoing struct{}
	// caller asks until it is answered, if it asks again at all.
	caller struct {
		again bool
		Waits bool
	}
	hello struct{}
	ring  struct{}
)

func (*echoing) Receive(env model.Env, from model.NodeID, m any) { env.Send(from, m) }

func (c *caller) Invoke(env model.Env, _ any) { c.Waits = true; c.call(env) }
func (c *caller) Timeout(env model.Env, _ any) {
	if c.Waits {
		c.call(env)
	}
}

func (c *caller) call(env model.Env) {
	env.Send(1, hello{})
	if c.again {
		env.After(ring{}, model.Exactly(2))
	}
}

func (c *caller) Receive(env model.Env, _ model.NodeID, _ any) {
	if c.Waits {
		c.Waits = false
		env.Cancel(ring{})
		env.Return(nil)
	}
}

// calling is the protocol; its cuts heal within two ticks, and its channels are sets, so that
// what is asked again is finite.
func calling(again bool) *model.Protocol {
	return &model.Protocol{
		Name: "calling",
		Build: func(model.Config) (*model.System, error) {
			return &model.System{
				Nodes: []model.NodeSpec{
					{Name: "c", New: func() model.Node { return &caller{again: again} }, Script: []model.Op{{Call: hello{}}}},
					{Name: "s", Role: model.Server, New: func() model.Node { return &echoing{} }},
				},
				Network: model.Network{Channel: model.Set, Delay: model.By(1), Partition: model.By(2)},
				Types:   []any{hello{}, ring{}},
			}, nil
		},
		Claims: []model.Claim{
			{Name: "it never stops", Kind: model.Always, Done: true},
			{Name: "it can always end", Kind: model.PossibleFromEverywhere, Done: true},
			{Name: "it ends", Kind: model.Eventually, Done: true},
			{Name: "it ends where nothing is lost", Kind: model.Eventually, Done: true, Assumes: []model.Assumption{model.NoLoss}},
			{Name: "it ends where nothing is cut", Kind: model.Eventually, Done: true, Assumes: []model.Assumption{model.NoPartition}},
		},
	}
}

// Who asks again is answered when the cut has healed, and who does not waits for ever. A
// partition loses messages, so a claim that assumes that none is lost is not made.
func TestCutsHeal(t *testing.T) {
	for _, reading := range []model.Reading{model.Untimed, model.Grid} {
		verdicts := func(again bool) map[string]checker.ClaimResult {
			rows, err := checker.Check(calling(again), model.Check{Reading: reading, Config: model.Config{Faults: model.Faults{Partitions: 2}}}, checker.Options{Workers: 1})
			require.NoError(t, err)
			all := map[string]checker.ClaimResult{}
			for _, row := range rows {
				for _, c := range row.Claims {
					all[c.Name] = c
				}
			}
			return all
		}
		patient, single := verdicts(true), verdicts(false)
		for _, name := range []string{"it never stops", "it can always end", "it ends"} {
			assert.Equal(t, checker.Holds, patient[name].Verdict, "%v, %s: %s", reading, name, patient[name].Text)
			assert.Equal(t, checker.Violated, single[name].Verdict, "%v, %s", reading, name)
		}
		assert.Equal(t, checker.NotClaimed, patient["it ends where nothing is lost"].Verdict)
		assert.Equal(t, checker.NotClaimed, patient["it ends where nothing is cut"].Verdict)
		var file, text bytes.Buffer
		require.NoError(t, traces.Write(&file, single["it never stops"].Counterexample))
		back, err := traces.Read(&file)
		require.NoError(t, err)
		run, err := replay.Replay(calling(false), back, nil)
		require.NoError(t, err)
		require.NoError(t, show.Text(&text, run, show.Style{}))
		assert.Contains(t, text.String(), "is cut: [s] from the others")
		assert.Contains(t, text.String(), "network  heals")
	}
}

// The network of a system with many nodes is cut in too many ways.
func TestLargeNetworksAreNotCut(t *testing.T) {
	p := calling(true)
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		for _, name := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Server, New: func() model.Node { return &echoing{} }})
		}
		return s, err
	}
	_, err := checker.Check(p, model.Check{Config: model.Config{Faults: model.Faults{Partitions: 1}}}, checker.Options{})
	assert.EqualError(t, err, "faults: partitions is 1, but this system has 13 nodes, and only a network of 2 to 12 is cut")
}
