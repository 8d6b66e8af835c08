package program_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/program/build"
	"contend/program/guest"
	"contend/program/native"
	"contend/program/overlay"
)

// The host schedules the goroutines of a program that is built with the overlay: without answers they run first in, first out,
// and where each gives way at each point, or before each store by a function of sync/atomic, updates are lost. Nothing is lost between the plain loads and stores.
func TestYield(t *testing.T) {
	for _, isNative := range []bool{false, true} {
		t.Run(fmt.Sprint("native ", isNative), func(t *testing.T) { yields(t, counting(t, isNative)) })
	}
}

// counting is a program that loses updates in some orders of its goroutines.
func counting(t *testing.T, isNative bool) guest.Module {
	if why := native.Supported(); isNative && why != nil {
		t.Skip(why)
	}
	o, err := overlay.Edits{Schedule: true, Native: isNative}.Cached("")
	require.NoError(t, err)
	p := build.Package{Path: "./testdata/racy", Overlay: o.File, Goroot: o.Goroot, Native: isNative}
	if isNative {
		p.Flags = o.RaceFlags()
	}
	return compiled(t, p)
}

func yields(t *testing.T, m guest.Module) {
	asked := map[string]int{}
	for want, choices := range map[string]func(string, int, []uint64) int{
		"counted 3 3 3\n": nil,
		"counted 1 3 3\n": func(kind string, n int, about []uint64) int {
			asked[kind]++
			if kind == "point" && n > 1 {
				return 1
			}
			return 0
		},
		"counted 3 2 3\n": func(kind string, n int, about []uint64) int {
			if kind == "point" && overlay.Kind(about[0]) == overlay.AtomicStore {
				return n - 1
			}
			return 0
		},
	} {
		in, err := m.New(guest.Config{Args: []string{"racy"}})
		require.NoError(t, err)
		in.Choose(choices)
		_, err = in.Step(0)
		require.NoError(t, err)
		assert.Equal(t, want, string(in.Errors()))
		require.NoError(t, in.Close())
	}
	assert.Greater(t, asked["point"], 8)
}
