//go:build linux && amd64

package native_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/build"
	"contend/program/guest"
	"contend/program/native"
	"contend/program/overlay"
)

// On a slow disk each call that syncs takes its time, whoever makes it. It covers the writes before its start, to the file and to mappings of the
// file, and no later writes.
func TestSlowSyncs(t *testing.T) {
	if why := native.Supported(); why != nil {
		t.Skip(why)
	}
	o, err := overlay.Edits{Native: true, Slow: int64(5 * time.Millisecond)}.Cached("")
	require.NoError(t, err)
	plan, err := build.Package{Path: "./testdata/slow", Native: true, Overlay: o.File, Goroot: o.Goroot}.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	m, err := native.Load(b.File)
	require.NoError(t, err)
	in, err := m.New(guest.Config{Args: []string{"slow"}, Disk: disk.New(disk.Options{})})
	require.NoError(t, err)
	defer in.Close()
	said, before := "", ""
	for i, durable := range []string{"mw........", "mmw......0", "mmmw.....1", "mmmmw....2", "mmmmmw...3", "mmmmmmw.s4", "dmmmmmmws5"} {
		_, err := in.Step(in.Now())
		require.NoError(t, err)
		assert.Equal(t, said, string(in.Errors()))
		assert.EqualValues(t, 5*time.Millisecond, in.Timer()-in.Now(), "sync %d", i)
		assert.Equal(t, before, left(in.Disk()), "during sync %d", i)
		_, err = in.Step(in.Timer())
		require.NoError(t, err)
		said += string(rune('0'+i)) + "\n"
		assert.Equal(t, said, string(in.Errors()))
		assert.Equal(t, durable, left(in.Disk()), "sync %d", i)
		before = durable
	}
}

// left returns the contents of the file that a crash leaves if it loses each write that is not durable, and no name. A dot stands for a zero byte.
func left(d *disk.Disk) string {
	d = d.Clone()
	asked := false
	d.Crash(func(n int) int {
		if !asked {
			asked = true
			return 0
		}
		return n - 1
	})
	f, err := d.Lookup(disk.Root, "f")
	if err != nil {
		return err.Error()
	}
	b := make([]byte, d.Len(f))
	return strings.ReplaceAll(string(b[:d.ReadAt(f, b, 0)]), "\x00", ".")
}
