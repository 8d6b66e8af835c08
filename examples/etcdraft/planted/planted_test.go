package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each text that is to be replaced is in the library once, and each bug says what it breaks.
func TestEveryBugCanBePlanted(t *testing.T) {
	w, err := Open("..", t.TempDir())
	require.NoError(t, err)
	var names []string
	for _, b := range bugs {
		names = append(names, b.Name)
		assert.NotEmpty(t, b.Claim, b.Name)
		assert.NotEmpty(t, b.Row, b.Name)
		assert.NoError(t, w.Plant(b.edits()...), b.Name)
	}
	assert.GreaterOrEqual(t, len(names), 10)
	slices.Sort(names)
	assert.Equal(t, slices.Compact(slices.Clone(names)), names)
}

// The bugs that are caught at once break their claims, by runs that the library without them does not take.
func TestPlantedBugsAreCaught(t *testing.T) {
	w, err := Open("..", t.TempDir())
	require.NoError(t, err)
	sound, err := w.Build(Bug{Name: "sound"})
	require.NoError(t, err)
	tried := 0
	for _, b := range bugs {
		if !b.Quick || testing.Short() && tried > 0 { // each is a build of the command
			continue
		}
		tried++
		t.Run(b.Name, func(t *testing.T) {
			r, err := w.plant(b, sound, false, time.Minute)
			require.NoError(t, err)
			assert.Equal(t, "violated", r.Verdict)
			assert.NotEmpty(t, r.Diverges, "the library breaks the claim without the bug as well")
			assert.True(t, r.caught())
		})
	}
}

// A bug that changes nothing is not caught.
func TestASoundLibraryIsNotCaught(t *testing.T) {
	w, err := Open("..", t.TempDir())
	require.NoError(t, err)
	b := Bug{
		Name: "none", Claim: electionSafety, Row: "etcdraft -n 3 --candidates 2 --proposals 0",
		Edits: []Edit{{"quorum/majority.go", "q := len(c)/2 + 1", "q := 1 + len(c)/2"}},
	}
	sound, err := w.Build(Bug{Name: "sound"})
	require.NoError(t, err)
	r, err := w.plant(b, sound, false, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, "holds", r.Verdict)
	assert.False(t, r.caught())
}

func TestChoose(t *testing.T) {
	_, err := choose([]string{"vote-late", "nonsense"})
	assert.EqualError(t, err, `there is no bug "nonsense"`)
	chosen, err := choose([]string{"vote-late"})
	require.NoError(t, err)
	assert.Equal(t, "vote-late", chosen[0].Name)
}
