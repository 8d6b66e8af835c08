package program_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/build"
	"contend/program/guest"
	"contend/program/native"
	"contend/program/overlay"
	"contend/program/wire"
)

// Libraries lock, map and sync files on both guests, on wasm beside all other edits. What a program stores in a shared mapping is the file's, and survives a crash after
// a sync.
func TestLibraries(t *testing.T) {
	for _, isNative := range []bool{false, true} {
		t.Run(fmt.Sprint("native ", isNative), func(t *testing.T) {
			in := libraries(t, isNative)
			for _, c := range [][2]string{
				{"flock", "true <nil> <nil>"},
				{"mmap", "10000 store write far"},
				{"terminal", "false"},
				{"procfs", "true"},
				{"unix", "text 0 5000 9000 4096 true true <nil>"},
				{"bbolt", "v<nil>"},
				{"goleveldb", "v<nil>"},
				{"unsynced", "stored"},
			} {
				assert.Equal(t, c[1], answer(t, in, c[0]), c[0])
			}
			assert.Equal(t, "sUore", text(t, in.Disk())[:5])
			assert.Equal(t, "store", left(in.Disk(), "mapped")[:5])
			assert.Equal(t, "far", left(in.Disk(), "mapped")[9000:9003])
			again := in.Snapshot()
			assert.Equal(t, "<nil>", answer(t, in, "unmap"))
			in.Restore(again)
			assert.Equal(t, "<nil>", answer(t, in, "unmap"))
			assert.Equal(t, "sUore", text(t, in.Disk())[:5])
		})
	}
}

// libraries begins the program in a module of its own.
func libraries(t *testing.T, isNative bool) guest.Instance {
	if why := native.Supported(); isNative && why != nil {
		t.Skip(why)
	}
	const dir = "testdata/libraries"
	e := overlay.Edits{Native: true}
	if !isNative {
		e = overlay.Edits{Files: true, Schedule: true, Net: true, Slow: int64(5 * time.Millisecond)}
	}
	o, err := e.Cached(dir)
	require.NoError(t, err)
	p := build.Package{Path: ".", Dir: dir, Overlay: o.File, Goroot: o.Goroot, Native: isNative, Files: !isNative}
	if !isNative {
		p.Tags = []string{overlay.Tag}
	}
	m := compiled(t, p)
	in, err := m.New(guest.Config{Args: []string{"libraries"}, Disk: disk.New(disk.Options{})})
	require.NoError(t, err)
	t.Cleanup(func() { in.Close() })
	_, err = in.Step(0)
	require.NoError(t, err)
	return in
}

// answer returns what the program answers to a call, after its syncs.
func answer(t *testing.T, in guest.Instance, call string) string {
	inputs := [][]byte{append([]byte{wire.Called}, call...)}
	for range 1000 {
		out, err := in.Step(in.Now(), inputs...)
		require.NoError(t, err, call)
		if i := slices.IndexFunc(out, func(o guest.Output) bool { return o.Kind == wire.Returned }); i >= 0 {
			return string(out[i].Data)
		}
		require.NotEqual(t, guest.Never, in.Timer(), call)
		out, err = in.Step(in.Timer())
		require.NoError(t, err, call)
		if i := slices.IndexFunc(out, func(o guest.Output) bool { return o.Kind == wire.Returned }); i >= 0 {
			return string(out[i].Data)
		}
		inputs = nil
	}
	return "no answer"
}

// text returns what the file that is mapped has.
func text(t *testing.T, d *disk.Disk) string {
	f, err := d.Lookup(disk.Root, "mapped")
	require.NoError(t, err)
	b := make([]byte, d.Len(f))
	return string(b[:d.ReadAt(f, b, 0)])
}
