package why_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/traces/draw"
	"contend/traces/show"
	"contend/traces/why"
)

// full accepts a number of writes, and fails the next one.
type full struct{ writes int }

var errFull = errors.New("it is full")

func (f *full) Write(p []byte) (int, error) {
	if f.writes--; f.writes == -1 {
		return 0, errFull
	}
	return len(p), nil
}

// The sentences are below a heading, folded and indented. Without sentences nothing is written. A write error
// is returned.
func TestWrite(t *testing.T) {
	var nothing, plain, colored bytes.Buffer
	require.NoError(t, why.Explanation{}.Write(&nothing, show.Style{}))
	assert.Empty(t, nothing.String())
	long := strings.Repeat("word ", 30)
	e := why.Explanation{Sentences: []string{"It is so.", long + "end."}}
	require.NoError(t, e.Write(&plain, show.Style{Width: 60}))
	lines := strings.Split(plain.String(), "\n")
	assert.Equal(t, []string{"Why", "  It is so."}, lines[:2])
	assert.Equal(t, "It is so. "+long+"end.", strings.Join(strings.Fields(strings.TrimPrefix(plain.String(), "Why")), " "))
	for i, line := range lines {
		assert.LessOrEqual(t, len(line), 60)
		assert.Equal(t, i > 2 && line != "", strings.HasPrefix(line, "    "), line)
	}
	require.NoError(t, e.Write(&colored, show.Style{Width: 60, Color: true}))
	assert.Equal(t, plain.String(), strings.Replace(colored.String(), "\x1b[1mWhy\x1b[0m", "Why", 1))
	for writes := range 3 {
		assert.ErrorIs(t, e.Write(&full{writes: writes}, show.Style{Width: 60}), errFull, writes)
	}
	assert.NoError(t, e.Write(&full{writes: 3}, show.Style{Width: 60}))
}

// The explanation is below the text of a run, and above its picture.
func TestWriteRun(t *testing.T) {
	run := replayed(t, kept(t)[0])
	e := why.Explain(run)
	var text, shown, below, svg, again bytes.Buffer
	require.NoError(t, why.Write(&text, run, show.Style{}))
	require.NoError(t, show.Text(&shown, run, show.Style{}))
	require.NoError(t, e.Write(&below, show.Style{}))
	require.NotEmpty(t, below.String())
	assert.Equal(t, shown.String()+below.String(), text.String())
	assert.ErrorIs(t, why.Write(&full{}, run, show.Style{}), errFull)

	require.NoError(t, why.SVG(&svg, run, "steps"))
	d := draw.New(run)
	require.NoError(t, d.Rule("steps"))
	e.Annotate(d)
	assert.Equal(t, e.Short, d.Why)
	assert.Equal(t, e.Steps, d.Marked)
	require.NoError(t, d.SVG(&again))
	assert.Equal(t, again.String(), svg.String())
	assert.Error(t, why.SVG(&svg, run, "no such rule"))
}
