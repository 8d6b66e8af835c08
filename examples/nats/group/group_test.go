package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/repeat"
	"contend/examples/nats/group"
	"contend/model"
)

// A few schedules with crashes find no violation, if the program syncs the directories.
func Test(t *testing.T) {
	for _, p := range []*model.Protocol{group.JetStream, group.Cluster} {
		for _, c := range p.Checks {
			c.Schedules = 16
			if p == group.Cluster {
				c.Schedules = 4
			}
			checker.TestCheck(t, p, c)
		}
	}
}

// A crash after a purge of all messages brings messages back.
func TestPurge(t *testing.T) {
	t.Chdir(t.TempDir()) // for traces
	check := model.Check{Variant: "always", Config: model.Config{Faults: model.Faults{Restarts: 2}}, Reading: model.Dense, Schedules: 200,
		Claims: []string{"what was removed stays removed"}}
	rows, err := checker.Check(group.JetStream, check, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	require.Equal(t, checker.Violated, rows[0].Verdict)
}

// Two processes make the same observations in the same schedules.
func TestTwoProcesses(t *testing.T) {
	s, err := group.JetStream.System("careful", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	repeat.Test(t, s, 2)
}
