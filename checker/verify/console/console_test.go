package console

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"contend/checker"
)

// TestStatus: away from a terminal a line is printed now and then, on one it is
// redrawn and erased.
func TestStatus(t *testing.T) {
	p := checker.Progress{Row: &checker.Row{Protocol: "p", Variant: "v", Time: "grid"}, Claims: []string{"c"}, Distinct: 10, Elapsed: time.Second}
	var out strings.Builder
	s := NewStatus(&out)
	s.Update(p)
	assert.Empty(t, out.String(), "too early")
	s.last = s.last.Add(-printed)
	s.Update(p)
	s.Update(p)
	s.Clear()
	assert.Equal(t, "p/v, grid, \"c\": 10 states (10/s), layers ×0.00, 1s, depth 0, 0 MiB, layer of 0, 0 transitions\n", out.String())

	out.Reset()
	t.Setenv("COLUMNS", "71")
	s.last = s.last.Add(-printed)
	s.Update(p)
	assert.Equal(t, "p/v, grid, \"c\": 10 states (10/s), layers ×0.00, 1s, depth 0, 0 MiB\n", out.String(), "what fits")

	out.Reset()
	s = &Status{w: &out, width: 20}
	s.Update(p)
	s.Update(p)
	s.Clear()
	assert.Equal(t, "\r\x1b[Kp/v, grid, \"c\": 10 \r\x1b[K", out.String())
}

// A search for several claims that grows for long proposes to search for one of them.
func TestGrowing(t *testing.T) {
	for _, x := range []struct {
		claims  []string
		growth  float64
		elapsed time.Duration
		want    []string
	}{
		{[]string{"a", "b"}, 1.2, growing, []string{"p, untimed, 2 claims: 60 states (2/s)", "layers ×1.20", "--claim searches for one of them"}},
		{[]string{"a", "b"}, 1.2, growing - 1, []string{"p, untimed, 2 claims: 60 states (2/s)", "layers ×1.20", "30s"}},
		{[]string{"a", "b"}, 0.9, growing, []string{"p, untimed, 2 claims: 60 states (2/s)", "layers ×0.90", "30s"}},
		{[]string{"a"}, 1.2, growing, []string{`p, untimed, "a": 60 states (2/s)`, "layers ×1.20", "30s"}},
	} {
		p := checker.Progress{Row: &checker.Row{Protocol: "p", Time: "untimed"}, Claims: x.claims, Distinct: 60, Growth: x.growth, Elapsed: x.elapsed}
		assert.Equal(t, x.want, progress(p)[:3])
	}
}

// TestSampledStatus: of sampled schedules the line says how many are planned, unless only the time limits them.
func TestSampledStatus(t *testing.T) {
	p := checker.Progress{Row: &checker.Row{Protocol: "p"}, Sampled: true, Schedules: 7, Generated: 50, Elapsed: time.Second}
	assert.Equal(t, []string{"p: 7 schedules", "1s", "50 steps"}, progress(p))
	p.Planned = 9
	assert.Equal(t, []string{"p: 7 of 9 schedules", "1s", "50 steps"}, progress(p))
}

// TestWhich: of several checks the line says which it is, and what is left at the pace so far.
func TestWhich(t *testing.T) {
	assert.Equal(t, "", which(0, 1, 0))
	assert.Equal(t, "check 1 of 20, ", which(0, 20, 0))
	assert.Equal(t, "check 2 of 20, ", which(1, 20, time.Minute), "too early to tell")
	assert.Equal(t, "check 11 of 20, about 30 seconds left, ", which(10, 20, 30*time.Second))
}

// TestWidth: COLUMNS is heard, but no line is shorter than 40.
func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"": 100, "80": 80, "7": 40, "wide": 100, "-3": 100} {
		t.Setenv("COLUMNS", columns)
		assert.Equal(t, want, Width(&strings.Builder{}), columns)
	}
}

// TestWords: the small functions that outputs are made of.
func TestWords(t *testing.T) {
	assert.Equal(t, "backoff-lemma-1-grants-δ", slug("backoff-Lemma 1, grants/δ"))
	assert.Equal(t, `check 'Lemma 1' ''\''' ''`, Quoted([]string{"check", "Lemma 1", "'", ""}))
	assert.Equal(t, []string{"a bb", "ccc", "d"}, Wrapped([]string{"a", "bb", "ccc", "d"}, 4))
}

// Durations are told as people say them.
func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1400 * time.Millisecond: "1 second", 42 * time.Second: "42 seconds", 61 * time.Second: "1 minute", 200 * time.Second: "3 minutes", 5 * time.Hour: "5 hours",
	} {
		assert.Equal(t, want, About(d))
	}
}

// What comes from outside does not steer a terminal, and a shell takes what is printed for it.
func TestPlain(t *testing.T) {
	assert.Equal(t, `a\x1b[31mb\u202ec δ`, Plain("a\x1b[31mb\u202ec δ"))
	assert.Equal(t, `plain 'a b' $'\x1b[31m\'\\\n'`, Quoted([]string{"plain", "a b", "\x1b[31m'\\\n"}))
}

// TestProse: paragraphs are wrapped, a line of a list below its meaning.
func TestProse(t *testing.T) {
	assert.Equal(t, "one two three four five six seven\neight nine\n\n  a name  what it is for, and for\n          whom\n    as it is in the source\nend", Prose(
		"one two three\nfour five six seven eight nine\n\n  a name  what it is for, and for whom\n    as it is in the source\nend", 33))
}

// TestColumns: the second column is wrapped, and a wide cell of the first stands above its text.
func TestColumns(t *testing.T) {
	var out strings.Builder
	Columns(&out, "  ", [][2]string{{"n", "how many there are of them"}, {"a name of many words", "none"}, {"bb", ""}}, 24)
	assert.Equal(t, "  n   how many there are\n      of them\n  a name of many words\n      none\n  bb\n", out.String())
}
