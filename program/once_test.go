package program_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
	"contend/model/disk"
	"contend/program"
)

// A program that exits as soon as it has started finds its disk at the next start.
func TestExitAtTheStartKeepsTheDisk(t *testing.T) {
	p := &model.Protocol{
		Name: "once",
		Build: func(model.Config) (*model.System, error) {
			p, err := program.New(program.Config{Package: "./testdata/once", Hosts: []string{"server"}, Disk: &disk.Options{}, Exits: true})
			if err != nil {
				return nil, err
			}
			return &model.System{
				Nodes: []model.NodeSpec{{Name: "server", Role: model.Server, New: p.Node, Crash: model.CrashRecovery}},
				Types: program.Types(), Network: model.Network{Delay: model.Anytime()},
			}, nil
		},
		Claims: []model.Claim{claims.DecidesOnce(func(o model.Observation) (any, bool) { return o.Value, o.Value == "made" })},
	}
	p.Claims[0].Assumes = nil
	rows, err := checker.Check(p, model.Check{Config: model.Config{Faults: model.Faults{Restarts: 2}}}, checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, checker.Holds, rows[0].Claims[0].Verdict, rows[0].Claims[0].Text)
	assert.True(t, rows[0].Claims[0].Witnessed)
}
