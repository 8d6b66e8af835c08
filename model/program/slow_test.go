package program_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/program/build"
	"contend/model/program/disk"
	"contend/model/program/host"
	"contend/model/program/overlay"
)

// On a slow disk a program is at rest before it syncs, renames or removes a file. A crash meanwhile takes away what was written.
func TestSlow(t *testing.T) {
	o, err := overlay.Edits{Slow: int64(5 * time.Millisecond)}.Cached("")
	require.NoError(t, err)
	plan, err := build.Package{Path: "./testdata/durable", Overlay: o.File, Goroot: o.Goroot}.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	m, err := host.Compile(b.Wasm)
	require.NoError(t, err)
	defer m.Close()
	in, err := m.New(host.Config{Args: []string{"durable"}, Disk: disk.New(disk.Options{})})
	require.NoError(t, err)
	defer in.Close()
	said, now := "", int64(0)
	for _, c := range []struct {
		did, name string
		synced    int64 // bytes of the file that a crash leaves
	}{{"written", "f", 0}, {"synced", "f", 4}, {"renamed", "g", 4}} {
		_, err = in.Step(now)
		require.NoError(t, err)
		said += c.did + "\n"
		assert.Equal(t, said, string(in.Errors()))
		now = in.Now() + 5_000_000
		assert.Equal(t, now, in.Timer())
		d := in.Disk()
		require.NotZero(t, d.Lookup(c.name), c.did)
		assert.EqualValues(t, 4, d.Len(d.Lookup(c.name)))
		if c.name == "f" {
			left := d.Clone()
			f := left.Lookup("f")
			left.Crash(keepNames())
			assert.Equal(t, c.synced, left.Len(f), c.did)
		}
	}
	_, err = in.Step(now)
	require.NoError(t, err)
	assert.Zero(t, in.Disk().Lookup("g"))
	assert.Equal(t, host.Never, in.Timer())
}

// keepNames chooses the crash that takes away all writes and no name: names are asked for first.
func keepNames() func(int) int {
	asked := false
	return func(n int) int {
		if !asked {
			asked = true
			return 0
		}
		return n - 1
	}
}
