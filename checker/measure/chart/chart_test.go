package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

// Whatever is drawn is well-formed, and every number in it is one.
func TestCharts(t *testing.T) {
	lines := func(n int, points ...Point) []Line {
		var out []Line
		for i := range n {
			out = append(out, Line{Name: fmt.Sprintf("a<b & %d", i), Points: points})
		}
		return out
	}
	for _, c := range []Chart{
		{},
		{LogY: true},
		{Lines: lines(1)},
		{Lines: lines(1, Point{1, 2, 2, 2}), LogY: true},
		{Lines: lines(1, Point{1, 0.001, 0.001, 0.001})},
		{Lines: lines(1, Point{1, 0, 0, 0}, Point{2, 0, 0, 0})},
		{Lines: lines(12, Point{1, 2, 1, 3}, Point{4096, 1e7, 1e6, 1e8})},
		{Lines: lines(3, Point{1, 2, 1, 3}, Point{2, 1e7, 1e6, 1e8}), LogY: true},
	} {
		c.Name, c.Title, c.Symbol = "c", `"quoted" & <angled>`, "t"
		text := c.SVG()
		wellFormed(t, text)
		assert.NotContains(t, text, "NaN")
		assert.NotContains(t, text, "Inf")
		assert.Equal(t, len(c.Lines), strings.Count(text, "a&lt;b &amp; ")-strings.Count(text, ", t = "))
	}
}

// Points lie where the axes say.
func TestPlaces(t *testing.T) {
	c := Chart{LogY: true, Lines: []Line{{Points: []Point{{1, 10, 10, 10}, {16, 1000, 1000, 1000}}}}}
	d := c.drawing()
	assert.InDelta(t, (d.x(1)+d.x(16))/2, d.x(4), 1e-9)
	assert.InDelta(t, (d.y(10)+d.y(1000))/2, d.y(100), 1e-9)
	assert.Less(t, d.y(1000), d.y(10), "up is more")
	assert.GreaterOrEqual(t, d.x(1), float64(left))
	assert.LessOrEqual(t, d.x(16), float64(width-right))
}

// Ticks enclose a range, and are few.
func TestTicks(t *testing.T) {
	for _, r := range [][2]float64{{0, 1}, {0, 5.36}, {0, 0.0003}, {-2, 7}, {0, 1e6}, {0, 6}} {
		ticks := steps(r[0], r[1])
		assert.LessOrEqual(t, ticks[0], r[0])
		assert.GreaterOrEqual(t, ticks[len(ticks)-1], r[1]-1e-9)
		assert.LessOrEqual(t, len(ticks), 9)
	}
	for _, r := range [][2]float64{{1, 10}, {1.2, 9000}, {0.03, 0.031}, {3, 1e9}, {7, 7}} {
		ticks := decades(r[0], r[1])
		assert.LessOrEqual(t, ticks[0], r[0])
		assert.GreaterOrEqual(t, ticks[len(ticks)-1], r[1])
		assert.LessOrEqual(t, len(ticks), 14)
		assert.False(t, math.IsInf(ticks[0], 0))
	}
	assert.Equal(t, []float64{0, 1, 2, 3, 4, 5, 6}, steps(0, 5.36))
	assert.Equal(t, []float64{2, 5, 10, 20, 50}, decades(3, 40))
}

// A title that is too long for a line is broken after a comma, and cut where it is too long for two.
func TestTitles(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for title, want := range map[string][]string{
		"short": {"short"},
		"Mean wait of the client with the lowest id, per contender, no faulty servers": {"Mean wait of the client with the lowest id,", "per contender, no faulty servers"},
		"a, " + long: {"a,", cut(long, titleRoom)},
		long:         {cut(long, titleRoom)},
	} {
		assert.Equal(t, want, folded(title))
		for _, line := range folded(title) {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), titleRoom)
		}
	}
}
