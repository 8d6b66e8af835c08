package trial

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/plant"
)

// Of the claims that are violated the one counts that was found first.
func TestRead(t *testing.T) {
	c := Catch{Bug: Bug{Name: "bug"}}
	require.NoError(t, c.read([]byte(`{"schedules":50,"claims":[{"name":"A","verdict":"holds"},
		{"name":"B","verdict":"violated","text":"late","steps":9,"found":{"schedule":40,"strategy":"pos"}},
		{"name":"C","verdict":"violated","text":"soon","steps":7,"found":{"schedule":3,"strategy":"pct"}}]}`)))
	assert.Equal(t, Catch{Bug: Bug{Name: "bug"}, Claim: "C", Text: "soon", Steps: 7, Schedule: 3, Strategy: "pct", Sampled: 50}, c)
	assert.True(t, c.caught())
	assert.ErrorContains(t, c.read([]byte("nonsense")), "bug bug: run --json")

	c = Catch{}
	require.NoError(t, c.read([]byte(`{"schedules":8,"claims":[{"name":"A","verdict":"inconclusive"}]}`)))
	assert.False(t, c.caught())
	assert.Equal(t, "not caught in 8 schedules, 0.0 CPU seconds", c.outcome())
}

func TestChoose(t *testing.T) {
	bugs := []Bug{{Name: "one"}, {Name: "two"}}
	all, err := choose(bugs, nil)
	require.NoError(t, err)
	assert.Equal(t, bugs, all)
	some, err := choose(bugs, []string{"two"})
	require.NoError(t, err)
	assert.Equal(t, bugs[1:], some)
	_, err = choose(bugs, []string{"three"})
	assert.EqualError(t, err, `there is no bug "three"; there are one, two`)
}

func TestWrite(t *testing.T) {
	all := []Catch{
		{Bug: Bug{Name: "early", Models: "too early", Module: "m", Edits: []plant.Edit{{File: "a.go"}}, Row: "p -n 3"}, Claim: "A", Schedule: 3, Strategy: "pct"},
		{Bug: Bug{Name: "late", Models: "too late", Row: "p/late"}, Sampled: 7},
	}
	var b strings.Builder
	write(&b, all, true)
	assert.Equal(t, "| bug | what it is | where | claim | schedule | strategy | cpu s | bounds |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"+
		"| `early` | too early | a.go | A | 3 | pct | 0.0 | `p -n 3` |\n| `late` | too late | glue | none | > 7 |  | 0.0 | `p/late` |\n", b.String())
}

// What is stopped keeps what came before, and says so by its error.
func TestStopped(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	err := tryAll(stopped, []Bug{{Name: "one"}}, 1, func(Catch) { t.Error("nothing was tried to its end") })
	assert.ErrorIs(t, err, context.Canceled)
}
