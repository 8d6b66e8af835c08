package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The glue adapts to the oldest release and to the newest, and the commands work.
func TestReleasesCompileAndCheck(t *testing.T) {
	for _, r := range []Release{releases[0], releases[len(releases)-1]} {
		if testing.Short() && r.Version == releases[0].Version {
			continue
		}
		t.Run(r.Version, func(t *testing.T) {
			command, err := r.build("..", t.TempDir())
			require.NoError(t, err)
			is, err := rows[0].check(command, t.TempDir())
			require.NoError(t, err)
			assert.Equal(t, "holds", is.Verdict)
			assert.Greater(t, is.States, uint64(1000))
		})
	}
}

// Releases that differ in comments and tests alone are one column.
func TestReleasesWithTheSameCode(t *testing.T) {
	chosen, err := choose([]string{"v3.5.7", "v3.5.8", "v3.6.0"})
	require.NoError(t, err)
	columns, err := distinct(chosen)
	require.NoError(t, err)
	require.Len(t, columns, 2)
	assert.Equal(t, "v3.5.7 … v3.5.8", columns[0].name())
	assert.Equal(t, "v3.6.0", columns[1].name())
}

func TestChoose(t *testing.T) {
	_, err := choose([]string{"v1.0.0"})
	assert.EqualError(t, err, `there is no release "v1.0.0": go list -m -versions names them`)
	all, err := choose(nil)
	require.NoError(t, err)
	assert.Len(t, all, len(releases))
}

func TestReplaceNeedsItsText(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, copyFile("main.go", filepath.Join(dir, "main.go")))
	assert.EqualError(t, replace(dir, "no such text at all", ""), `the glue has no text "no such text at all" to replace`)
}

func TestCells(t *testing.T) {
	c, err := parse([]byte(`{"verdict":"violated","states":7,"claims":[{"name":"A","verdict":"holds"},{"name":"B","verdict":"violated","steps":3}]}`))
	require.NoError(t, err)
	assert.Equal(t, "violated: B (3 steps), 7 states", c.String())
	c, err = parse([]byte(`{"verdict":"inconclusive","limit":"timeout","states":9,"depth":4}`))
	require.NoError(t, err)
	assert.Equal(t, "inconclusive: timeout, 9 states, none in 3 steps", c.String())
	_, err = parse([]byte("nonsense"))
	assert.ErrorContains(t, err, "check --json")
}

func TestTables(t *testing.T) {
	rows := []row{{args: "etcdraft -n 2", claim: "A", known: "told"}}
	columns := []column{
		{releases: []Release{{inEtcd, "v1"}, {inEtcd, "v2"}}, cells: []string{"holds, 3 states"}},
		{releases: []Release{{inEtcd, "v3"}}, failed: "no"},
	}
	var text, markdown strings.Builder
	writeText(&text, rows, columns)
	assert.Equal(t, "etcdraft -n 2: A\n    v1 … v2                   holds, 3 states\n    v3                        does not compile: no\n    known: told\n", text.String())
	writeMarkdown(&markdown, rows, columns)
	assert.Equal(t, "| row | claim | v1 … v2 | v3 |\n| --- | --- | --- | --- |\n| `etcdraft -n 2` | A | holds, 3 states | does not compile: no |\n", markdown.String())
}
