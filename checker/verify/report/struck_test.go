package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/starter"
	"contend/model"
)

// A budget of crashes says whom it may strike, unless that is every node that does not lie.
func TestStruck(t *testing.T) {
	for _, c := range []struct {
		want   string
		faults model.Faults
		edit   func(nodes []model.NodeSpec) // the server, and three clients
	}{
		{"", model.Faults{}, nil},
		{"loss=1", model.Faults{Loss: 1}, nil},
		{"crashes=1 (clients)", model.Faults{Crashes: 1}, nil},
		{"restarts=2 (servers)", model.Faults{Restarts: 2}, nil},
		{"crashes=1 (clients) loss=2 restarts=1 (servers)", model.Faults{Crashes: 1, Loss: 2, Restarts: 1}, nil},
		{"crashes=1", model.Faults{Crashes: 1}, func(nodes []model.NodeSpec) { nodes[0].Crash = model.CrashStop }},
		{"crashes=1", model.Faults{Crashes: 1}, func(nodes []model.NodeSpec) { nodes[0].Byzantine = true }},
		{"crashes=1 (servers, clients)", model.Faults{Crashes: 1}, func(nodes []model.NodeSpec) {
			nodes[0].Crash, nodes[3].Role, nodes[3].Crash = model.CrashStop, model.Peer, model.NoCrashes
		}},
		{"crashes=1 (c2, c3)", model.Faults{Crashes: 1}, func(nodes []model.NodeSpec) { nodes[1].Crash = model.NoCrashes }},
		{"restarts=1 (server, c2)", model.Faults{Restarts: 1}, func(nodes []model.NodeSpec) { nodes[2].Crash = model.CrashRecovery }},
	} {
		p := *starter.Protocol
		p.Build = func(cfg model.Config) (*model.System, error) {
			s, err := starter.Protocol.Build(cfg)
			if err == nil && c.edit != nil {
				c.edit(s.Nodes)
			}
			return s, err
		}
		config := model.Config{}.With(model.Clients.Is(3))
		tb := &table{jobs: []*plan.Plan{{Protocol: &p}}}
		row := &checker.Row{Protocol: p.Name, Config: verdict.ConfigJSON{Config: config}, Faults: c.faults}
		out := ""
		for i, b := range tb.budgets(row) {
			if i > 0 {
				out += " "
			}
			out += b
		}
		assert.Equal(t, c.want, out)
	}
}

// The nodes that faults may strike are those of the system that was checked, which is not built again.
func TestStruckOfACheckedRow(t *testing.T) {
	p, built := *starter.Protocol, 0
	p.Build = func(c model.Config) (*model.System, error) { built++; return starter.Protocol.Build(c) }
	rows, err := checker.Check(&p, model.Check{Config: model.Config{Faults: model.Faults{Crashes: 1}}, Reading: model.Grid}, checker.Options{MaxStates: 10})
	require.NoError(t, err)
	built = 0
	tb := &table{jobs: []*plan.Plan{{Protocol: &p}}}
	assert.Equal(t, []string{"crashes=1 (clients)"}, tb.budgets(rows[0]))
	assert.Zero(t, built)
}
