package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/examples/filepv/group"
	"contend/model"
)

// A few schedules with crashes find no violation with what the bugs of the library need around them.
func Test(t *testing.T) {
	for _, p := range []*model.Protocol{group.Filepv, group.Wal} {
		for _, c := range p.Checks {
			c.Schedules = 16
			checker.TestCheck(t, p, c)
		}
	}
}

// A crash after a signature loses the renaming of the state: a second block is signed.
func TestDoubleSign(t *testing.T) {
	t.Chdir(t.TempDir()) // for traces
	check := model.Check{Config: model.Config{Faults: model.Faults{Restarts: 1}}, Reading: model.Dense, Schedules: 200, Claims: []string{"no double sign"}}
	rows, err := checker.Check(group.Filepv, check, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	require.Equal(t, checker.Violated, rows[0].Verdict)
}
