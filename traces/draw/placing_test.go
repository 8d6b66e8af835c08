package draw

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/traces/show"
)

// quiet returns a diagram without messages.
func quiet(lanes, rows int) *Diagram {
	d := &Diagram{Title: "quiet"}
	for i := range lanes {
		d.Lanes = append(d.Lanes, Lane{Name: fmt.Sprintf("coordinator%d", i), Byzantine: i == 1})
	}
	for i := range rows {
		d.Rows = append(d.Rows, Row{Line: show.Line{Step: i, Who: "a", What: "does", Details: []string{strings.Repeat("it comes to this and that; ", 12)}}, Lane: i % lanes})
	}
	return d
}

// Up to twenty nodes and their words fit into a page in a window of 1280 pixels. Names have room next to each
// other: names on the same line are two lanes apart if one lane is too narrow.
func TestNarrowLanes(t *testing.T) {
	for lanes := 1; lanes <= 20; lanes++ {
		d := quiet(lanes, 3)
		d.Timed = true
		p := newPicture(d, true)
		assert.LessOrEqual(t, p.width, float64(wholeWidth), "%d nodes", lanes)
		assert.GreaterOrEqual(t, p.width-margin-p.text, float64(leastWords), "%d nodes", lanes)
		assert.Equal(t, p.lane < float64(len(d.Lanes[lanes-1].Name))*perName, p.staggered(), "%d nodes", lanes)
	}
	p := newPicture(quiet(60, 3), true)
	assert.InDelta(t, leastWords, p.width-margin-p.text, .1)
	assert.InDelta(t, laneNarrow, p.lane, .1, "below that nobody can tell them apart")
}

// A long name among short names uses their free room. Among long names it is cut at half of the distance.
func TestNames(t *testing.T) {
	d := quiet(13, 3)
	for i := range d.Lanes[1:] {
		d.Lanes[i+1] = Lane{Name: fmt.Sprintf("c%d", i+1)}
	}
	assert.Contains(t, d.Head(), ">coordinator0</text>")
	d.Lanes[2].Name = "another coordinator"
	assert.Contains(t, d.Head(), ">coordina…<title>coordinator0</title>")
}

// A label is beside a bar if there is room, and otherwise across it. Messages in flight at the end get their
// labels last.
func TestLabelsOffBars(t *testing.T) {
	d := quiet(3, 9)
	for lane := range 3 {
		d.Bars = append(d.Bars, Bar{Kind: Operation, Lane: lane, From: 0, To: 8})
	}
	d.Arrows = []Arrow{
		{From: 0, To: 2, Sent: 1, End: 4, Label: "Request{1}", Fate: Arrived},
		{From: 0, To: 2, Sent: 4, End: 7, Label: "A{a label that is quite as wide as two lanes}", Fate: Arrived},
	}
	p := newPicture(d, true)
	x := p.x(1)
	beside := p.arrows[0].labels[0].box()
	assert.True(t, beside.right < x-3 || beside.left > x+3, "%v", beside)
	across := p.arrows[1].labels[0].box()
	assert.True(t, across.left < x && across.right > x, "%v", across)
}

// crowd returns a diagram with n simultaneous messages between two nodes.
func crowd(n int, fate Fate) *Diagram {
	d := quiet(2, 4)
	for i := range n {
		d.Arrows = append(d.Arrows, Arrow{From: 0, To: 1, Sent: 0, End: 3, Label: fmt.Sprintf("Message{%d}", i), Fate: fate})
	}
	return d
}

// Labels of one step that find no room have separate places, used when the step is chosen. A picture without
// choice omits these labels.
func TestLabelsGiveWay(t *testing.T) {
	for _, fate := range []Fate{Arrived, InFlight} {
		shown := map[string]int{}
		p := newPicture(crowd(40, fate), true)
		var all []box
		for _, a := range p.arrows {
			for _, l := range a.labels {
				shown[l.class]++
				for _, b := range all {
					assert.False(t, b.meets(l.box()), "%v and %v", b, l.box())
				}
				all = append(all, l.box())
			}
		}
		steady := map[Fate]string{Arrived: "label", InFlight: "label flown"}[fate]
		require.Positive(t, shown[steady], "%v", fate)
		require.Less(t, shown[steady], 40, "%v", fate)
	}
	for _, a := range newPicture(crowd(40, InFlight), false).arrows {
		assert.Empty(t, a.labels)
	}
}

// The label of a message that finds no room is at the place of a label of another step's message.
func TestSpareLabels(t *testing.T) {
	d := crowd(40, Arrived)
	d.Arrows = append(d.Arrows, Arrow{From: 0, To: 1, Sent: 1, End: 2, Label: "Other{1}", Fate: Arrived})
	p := newPicture(d, true)
	other := p.arrows[40].labels
	require.Len(t, other, 1)
	assert.Equal(t, "label spare", other[0].class)
}

// A message in flight at the end is a stub beside where it was sent, however far its receiver and the end are.
func TestStubs(t *testing.T) {
	d := quiet(9, 40)
	d.Arrows = []Arrow{{From: 0, To: 8, Sent: 3, End: 39, Label: "Far{1}", Fate: InFlight}, {From: 2, To: 2, Sent: 5, End: 39, Label: "Own{1}", Fate: InFlight}}
	var b strings.Builder
	require.NoError(t, d.SVG(&b))
	for _, row := range []int{3, 5} {
		var x0, y0, x1, y1 float64
		at := strings.Index(b.String(), fmt.Sprintf(`<g class="message flying" data-sent="%d">`, row))
		require.Positive(t, at)
		stub := b.String()[at:]
		_, err := fmt.Sscanf(stub[strings.Index(stub, ` stub" d="`):], ` stub" d="M%f,%fL%f,%f"`, &x0, &y0, &x1, &y1)
		require.NoError(t, err)
		assert.LessOrEqual(t, math.Hypot(x1-x0, y1-y0), stubLong+.1)
	}
	assert.NotContains(t, b.String(), `whole"`, "that is for pages, which have a switch")
	for s := range d.Strips(10) {
		assert.Equal(t, s.From == 0, strings.Contains(s.SVG, `flight whole"`), "it reaches into no other strip")
	}
}
