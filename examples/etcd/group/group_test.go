package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/examples/etcd/group"
	"contend/model"
)

func BenchmarkSchedules(b *testing.B) {
	check := model.Check{Config: model.Config{Faults: model.Faults{Restarts: 1}}, Reading: model.Dense, Schedules: b.N}
	row, err := checker.Check(group.Protocol, check, checker.Options{Strategy: "random"})
	require.NoError(b, err)
	b.ReportMetric(float64(row[0].Transitions)/float64(b.N), "events/run")
}
