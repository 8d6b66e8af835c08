package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each text to be replaced occurs in the library exactly once, and each bug names the claim that it breaks.
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

// The README has the results of refinement alone for every bug, at its bounds. For some bugs the result is
// from a search.
func TestRefinementAloneIsInTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(readme), "## Planted bugs, by refinement alone")
	require.True(t, found)
	w, err := Open("..", t.TempDir())
	require.NoError(t, err)
	sound, err := w.Build(Bug{Name: "sound"})
	require.NoError(t, err)
	tried := 0
	for _, b := range bugs {
		_, line, _ := strings.Cut(table, "| `"+b.Name+"` | ")
		line, _, _ = strings.Cut(line, "\n")
		cells := strings.Split(line, " | ")
		if !assert.Len(t, cells, 5, b.Name) || !assert.Equal(t, "`"+b.Row+"` |", cells[4], b.Name) {
			continue
		}
		if !b.Quick || tried == 3 || testing.Short() && tried > 0 { // each is a build of the command
			continue
		}
		tried++
		b.Claim = "refines replicated-log"
		r, err := w.plant(b, sound, false, time.Minute)
		require.NoError(t, err)
		got := r.cells(false)[3:6]
		assert.Equal(t, got, cells[:3], b.Name)
	}
}

// A bug that changes nothing is not caught.
func TestASoundLibraryIsNotCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command twice")
	}
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

// Logs of the library without a bug are explained, and some log of the library with a bug is not.
func TestTheTraceLogShowsABug(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the cluster twice")
	}
	w, err := Open("..", t.TempDir())
	require.NoError(t, err)
	l, err := w.Log(sound, 2, 500)
	require.NoError(t, err)
	assert.True(t, l.passes())
	bug, err := choose([]string{"vote-unrecorded"})
	require.NoError(t, err)
	l, err = w.Log(bug[0], 2, 500)
	require.NoError(t, err)
	assert.True(t, l.caught())
	assert.Equal(t, "Ready", l.Entry)
	assert.Regexp(t, `^before it, Vote is "0" in the log, and \d on the page$`, l.Reason)
}

// The library with a bug differs from the page of steps.
func TestDrivenRunsShowABug(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command driven")
	}
	w, err := Open("..", t.TempDir())
	require.NoError(t, err)
	bug, err := choose([]string{"commit-earlier-term"})
	require.NoError(t, err)
	d, err := w.Drive(bug[0])
	require.NoError(t, err)
	assert.True(t, d.passes())
	assert.Equal(t, 12, d.last().Steps)
	assert.Equal(t, "1 receives AppResp{Term: 3, Index: 2} from 2", d.last().Step)
}

func TestChoose(t *testing.T) {
	_, err := choose([]string{"vote-late", "nonsense"})
	assert.EqualError(t, err, `there is no bug "nonsense"`)
	chosen, err := choose([]string{"vote-late"})
	require.NoError(t, err)
	assert.Equal(t, "vote-late", chosen[0].Name)
}
