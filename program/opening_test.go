package program_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/model"
	"contend/model/disk"
	"contend/program"
)

// Schedules of programs that share an opening have a copy of what was in memory and on disk at its end. Some are compared with a run from the
// beginning, which is an error where they differ; their crashes lie behind the opening.
func TestOpeningOfPrograms(t *testing.T) {
	hosts := []string{"server", "c1", "c2"}
	p, err := program.New(program.Config{Package: "contend/program/testdata/lock", Hosts: hosts, Disk: &disk.Options{Torn: true}, Resolution: 4})
	require.NoError(t, err)
	s := &model.System{Faults: model.Faults{Restarts: 2}, Types: program.Types(), Network: model.Network{Delay: model.By(20), Once: true},
		Opening: func(o model.Observation) bool { return o.Kind == model.Returned }}
	for _, name := range hosts {
		n := model.NodeSpec{Name: name, Role: model.Server, New: p.Node}
		if name != "server" {
			n.Role, n.Script = model.Client, []model.Op{{Call: "lock"}, {Call: "lock", After: model.By(100)}, {Call: "lock", After: model.By(100)}}
		}
		s.Nodes = append(s.Nodes, n)
	}
	out, err := sample.Sample(s, nil, sample.Options{Schedules: 16, Seed: 1, Timed: true, Share: 8})
	require.NoError(t, err)
	assert.EqualValues(t, 16, out.Schedules)
}
