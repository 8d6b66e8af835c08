package program_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/build"
	"contend/program/guest"
	"contend/program/host"
	"contend/program/overlay"
)

// On a slow disk a program is at rest while it syncs, renames or removes a file. What is synced is durable at the end, and what is renamed or
// removed is so from the middle on.
func TestSlow(t *testing.T) {
	in := slow(t, "./testdata/durable", "durable")
	said := ""
	for _, c := range []struct {
		says, name string
		durable    string // the contents of the file that a crash leaves
		wait       time.Duration
	}{
		{"written\n", "f", "", 5 * time.Millisecond},
		{"synced\n", "f", "text", 2500 * time.Microsecond},
		{"", "g", "text", 2500 * time.Microsecond},
		{"renamed\n", "g", "text", 2500 * time.Microsecond},
		{"", "", "", 2500 * time.Microsecond},
		{"removed\n", "", "", 0},
	} {
		said += c.says
		assert.Equal(t, said, string(in.Errors()))
		if c.name != "" {
			assert.Equal(t, []string{c.name}, in.Disk().List(disk.Root))
			assert.Equal(t, c.durable, left(in.Disk(), c.name))
		} else {
			assert.Empty(t, in.Disk().List(disk.Root))
		}
		if c.wait == 0 {
			assert.Equal(t, guest.Never, in.Timer())
			return
		}
		assert.EqualValues(t, c.wait, in.Timer()-in.Now())
		_, err := in.Step(in.Timer())
		require.NoError(t, err)
	}
}

// slow begins a program on a disk that takes 5 milliseconds.
func slow(t *testing.T, pkg string, args ...string) guest.Instance {
	o, err := overlay.Edits{Slow: int64(5 * time.Millisecond)}.Cached("")
	require.NoError(t, err)
	plan, err := build.Package{Path: pkg, Overlay: o.File, Goroot: o.Goroot}.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	m, err := host.Compile(b.Wasm)
	require.NoError(t, err)
	t.Cleanup(func() { m.Close() })
	in, err := m.New(guest.Config{Args: args, Disk: disk.New(disk.Options{})})
	require.NoError(t, err)
	t.Cleanup(func() { in.Close() })
	_, err = in.Step(0)
	require.NoError(t, err)
	return in
}

// left is what a file has after a crash that takes away all writes that are not durable, and no name.
func left(d *disk.Disk, name string) string {
	d = d.Clone()
	asked := false
	d.Crash(func(n int) int {
		if !asked {
			asked = true
			return 0
		}
		return n - 1
	})
	f, err := d.Lookup(disk.Root, name)
	if err != nil {
		return err.Error()
	}
	b := make([]byte, d.Len(f))
	return string(b[:d.ReadAt(f, b, 0)])
}
