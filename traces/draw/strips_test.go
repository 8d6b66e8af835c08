package draw_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces/draw"
)

// heights matches the height of a picture.
var heights = regexp.MustCompile(`^<svg [^>]* height="(\d+)"`)

// Strips below each other form the whole picture. Each step is in exactly one strip, and each message is in
// the strips that it crosses. Between the names and the legend they are as tall as the picture.
func TestStrips(t *testing.T) {
	d := draw.New(run(t, model.Faults{Restarts: 1, Partitions: 1},
		invokes, message("deliver", "a", "b", "ping", 1), crashes, restarts, message("deliver", "a", "b", "ping", 2), cuts, heals))
	d.Bare = true
	whole := picture(t, d)
	all, tall, messages := "", 0, map[string]int{}
	next := 0
	for s := range d.Strips(3) {
		wellFormed(t, s.SVG)
		require.Equal(t, next, s.From)
		next = s.To
		assert.Equal(t, strconv.Itoa(s.Height), heights.FindStringSubmatch(s.SVG)[1])
		tall += s.Height
		for _, m := range regexp.MustCompile(`<g class="message" data-sent="\d+" data-end="\d+"`).FindAllString(s.SVG, -1) {
			messages[m]++
		}
		all += s.SVG
	}
	assert.Equal(t, len(d.Rows), next)
	for i := range d.Rows {
		assert.Equal(t, 1, strings.Count(all, fmt.Sprintf(`<g class="step" data-step="%d">`, i)), "step %d", i)
	}
	assert.Equal(t, 2, messages[`<g class="message" data-sent="1" data-end="5"`], "it is sent in the first strip, and lost in the second")
	assert.Equal(t, 1, strings.Count(all, `<g class="message flying" data-sent="1">`), "the last is in flight at the end, and a stub where it was sent")
	wellFormed(t, d.Head())
	wellFormed(t, d.Legend())
	legends := d.Legends()
	require.NotEmpty(t, legends)
	for _, l := range legends {
		wellFormed(t, l)
	}
	assert.Equal(t, strings.Count(d.Legend(), "</text>"), len(legends))
	first := regexp.MustCompile(`<path class="lane" d="M\d+,(\d+)V(\d+)"`).FindStringSubmatch(whole)
	from, _ := strconv.Atoi(first[1])
	to, _ := strconv.Atoi(first[2])
	assert.Equal(t, to-from, tall)
}

// A strip has a limited number of messages, its own first, however many are in flight. It shows the number of
// omitted messages.
func TestCrowdedStrips(t *testing.T) {
	d := draw.New(run(t, model.Faults{}, pingsBoth...))
	for range 1000 {
		d.Arrows = append([]draw.Arrow{{From: 0, To: 1, Sent: 0, End: 3, Label: "crowd", Fate: draw.Lost}}, d.Arrows...)
	}
	var crowded int
	for s := range d.Strips(1) {
		if strings.Contains(s.SVG, "more messages and bars, which are not drawn here") {
			crowded++
		}
		assert.Less(t, strings.Count(s.SVG, `<g class="message"`), 500)
		if s.From == 2 {
			assert.Contains(t, s.SVG, `data-sent="1" data-end="2"`, "what ends in it comes first")
		}
	}
	assert.Equal(t, 4, crowded)
}
