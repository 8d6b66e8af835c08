package host_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/guest"
)

// A step of a small program, and an instance that goes back to a snapshot and takes a step from there.
func BenchmarkStep(b *testing.B) {
	m := compile(b, "./testdata/ticker")
	in, err := m.New(guest.Config{Args: []string{"ticker"}, Disk: disk.New(disk.Options{})})
	require.NoError(b, err)
	step := func() {
		_, err := in.Step(max(in.Timer(), 0))
		require.NoError(b, err)
	}
	in.Step(0)
	kept := in.Snapshot()
	for _, c := range []struct {
		name string
		do   func()
	}{{"on", step}, {"restored", func() { in.Restore(kept); step() }}, {"restore", func() { in.Restore(kept) }}, {"snapshot", func() { in.Snapshot() }}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.do()
			}
			b.ReportMetric(float64(kept.Len())/1e6, "MB/snapshot")
		})
	}
}
