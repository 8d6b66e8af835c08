package experiment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The chart counts the bugs found so far, averaged over seeds.
func TestFound(t *testing.T) {
	all := []Catch{
		{Tries: []Try{{Found: true, Schedules: 3}, {Found: true, Schedules: 5}}},
		{Tries: []Try{{Found: true, Schedules: 4}, {Schedules: 8}}},
	}
	for k, want := range map[int64]float64{2: 0, 3: 0.5, 4: 1, 5: 1.5, 8: 1.5} {
		assert.InDelta(t, want, caughtWithin(all, k), 1e-12, k)
	}
	assert.Equal(t, []int64{1, 2, 4, 8, 9}, counts(9))
	assert.Equal(t, []int64{1}, counts(1))
}

// The page has what strategies came to, and marks the best of a mutant.
func TestPage(t *testing.T) {
	all := []Catch{catch("a", "pos", exactly(4)), catch("a", "random", exactly(2)), catch("b", "pos", moreThan(99)), catch("b", "random", moreThan(99))}
	for i := range all {
		all[i].Cap = 99
	}
	r := Report{Options: Options{Strategies: []string{"pos", "random"}, Seeds: 2, Schedules: 99}, Catches: all, Command: "verify mutants p"}
	var b strings.Builder
	require.NoError(t, r.Page(&b))
	page := b.String()
	assert.NotContains(t, page, "NaN")
	assert.Equal(t, 1, strings.Count(page, `class="best"`))
	assert.Contains(t, page, `class="best" title="random: 2,`)
	assert.Equal(t, 2, strings.Count(page, `class="missed"`))
	assert.Contains(t, page, "No strategy found p/b.")
	assert.Contains(t, page, "<pre>verify mutants p</pre>")
}
