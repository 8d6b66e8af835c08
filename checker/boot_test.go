package checker_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// picker chooses as it starts, and adds what the others have chosen.
type picker struct {
	all []model.NodeID
	Is  int
	Sum int
}

func (p *picker) Start(env model.Env) {
	p.Is = env.Choose(3)
	env.Broadcast(p.all, p.Is)
}

func (p *picker) Receive(_ model.Env, _ model.NodeID, m any) { p.Sum += m.(int) }

var picking = &model.Protocol{
	Name: "picking",
	Build: func(model.Config) (*model.System, error) {
		s := &model.System{Network: model.Network{Delay: model.By(1)}}
		all := []model.NodeID{0, 1}
		for _, name := range []string{"a", "b"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, New: func() model.Node { return &picker{all: all} }})
		}
		s.Nodes[0].Script = []model.Op{{Call: 0, After: model.Exactly(5)}} // else a schedule is done as it begins
		return s, nil
	},
	Claims: []model.Claim{{Name: "the sum is not 3", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		for _, n := range nodes {
			if p, ok := n.(*picker); ok && p.Sum == 3 && p.Is == 1 {
				return errors.New("the sum is 3")
			}
		}
		return nil
	}}},
}

// Start may choose, in every reading: the run that breaks a claim says how it began, and its
// trace, written and read again, is replayed so.
func TestStartMayChoose(t *testing.T) {
	for _, check := range []model.Check{
		{Reading: model.Untimed}, {Reading: model.Grid}, {Reading: model.Dense}, {Reading: model.Dense, Schedules: 500},
	} {
		rows, err := checker.Check(picking, check, checker.Options{Workers: 1, Seed: 1})
		require.NoError(t, err)
		found := rows[0].Claims[0]
		require.Equal(t, checker.Violated, found.Verdict, "%v: %s", check.Reading, found.Text)
		assert.ElementsMatch(t, []int{1, 2}, found.Counterexample.Boot)
		var file, text bytes.Buffer
		require.NoError(t, traces.Write(&file, found.Counterexample))
		back, err := traces.Read(&file)
		require.NoError(t, err)
		run, err := replay.Replay(picking, back, nil)
		require.NoError(t, err)
		require.NoError(t, show.Text(&text, run, show.Style{}))
		assert.Contains(t, text.String(), " 1 of 0…2; ")
	}
}

// How a run began is part of its trace: another beginning, or none, is refused.
func TestABeginningIsReplayedStrictly(t *testing.T) {
	rows, err := checker.Check(picking, model.Check{}, checker.Options{Workers: 1})
	require.NoError(t, err)
	for want, boot := range map[string][]int{
		"trace: boot: it asks for choice 2 (choose, 0 to 2), but the trace records 1":             {1},
		"trace: boot: choice 1 (choose) is 3, but must be 0 to 2":                                 {3, 0},
		"trace: boot: as the run begins only 2 of the 3 choices are taken that the trace records": {1, 2, 0},
		"trace: boot: -1 is out of range, 0 to 9007199254740991":                                  {-1, 2},
	} {
		other := *rows[0].Claims[0].Counterexample
		other.Boot = boot
		_, err := replay.Replay(picking, &other, nil)
		assert.EqualError(t, err, want)
	}
}
