package draw

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/traces/show"
)

// Scattered returns a random diagram.
func Scattered(rng *rand.Rand) *Diagram {
	some := func(n int) bool { return rng.IntN(n) == 0 }
	text := func(words int) string {
		var all []string
		for range 1 + rng.IntN(words) {
			all = append(all, []string{"a", "of", "state", "größer", "Vote{7}", "went", "[1]", "<b>", "unanswered"}[rng.IntN(9)])
		}
		return strings.Join(all, " ")
	}
	d := &Diagram{Title: text(4), Config: text(9), Timed: some(2), Bare: some(4), Width: []int{0, 0, 0, 700, 1300}[rng.IntN(5)]}
	d.Scaled = d.Timed && some(2)
	for range 1 + rng.IntN(9) {
		d.Lanes = append(d.Lanes, Lane{Name: []string{"a", "p", "server", "größter", "coordinator", "s"}[rng.IntN(6)] + strconv.Itoa(len(d.Lanes)), Byzantine: some(6)})
	}
	first, at := []int{0, 0, 5}[rng.IntN(3)], 0.
	each := []float64{.5, 1, 1, 8}[rng.IntN(4)]
	for i := range 2 + rng.IntN(16) {
		if i > 0 && d.Timed {
			at += each * []float64{0, 0, 1, 1, 1.5, 2, 3, 12}[rng.IntN(8)]
		}
		r := Row{Line: show.Line{Step: first + i, Who: text(2), What: text(8)}, Lane: rng.IntN(len(d.Lanes)+1) - 1, At: at, Fault: some(5)}
		for range rng.IntN(3) {
			r.Details = append(r.Details, text(16))
		}
		for range rng.IntN(12) - 9 {
			r.Broken = append(r.Broken, text(30))
		}
		for range rng.IntN(12) - 9 {
			r.Marks = append(r.Marks, Mark{Kind: MarkKind(rng.IntN(3)), Text: text(9)})
		}
		if r.Time = strconv.FormatFloat(at, 'g', 4, 64); !d.Timed {
			r.Time = ""
		}
		if d.Rows = append(d.Rows, r); some(6) {
			d.Marked = append(d.Marked, i)
		}
	}
	last := len(d.Rows) - 1
	if some(3) {
		d.Loop = 1 + rng.IntN(last)
	}
	if some(2) {
		d.Claim, d.Text = text(3), text(20)
		d.Why = []string{text(30), text(5)}
	}
	rows := func() (from, to int) {
		from = rng.IntN(last+1) - rng.IntN(2)
		return from, max(from, 0) + rng.IntN(last+1-max(from, 0))
	}
	for k := range rng.IntN(24) {
		a := Arrow{From: rng.IntN(len(d.Lanes)), To: rng.IntN(len(d.Lanes)), Fate: Fate(rng.IntN(7))}
		a.Label = fmt.Sprintf([]string{"Ask%d", "Vote{%d, s}", "Answer{Try{%d, 0}, FREE, because}", "Ack{State{[a], %d}}", "Größe{%d, " + text(6) + "}"}[rng.IntN(5)], k)
		a.Sent, a.End = rows()
		switch {
		case a.Fate == InFlight:
			a.End = last
		case a.Fate == Forged:
			a.Sent = a.End
			a.Honest = []string{"", "an honest node would have said No{1}", "an honest node would have said the same", "an honest node would have said " + text(9)}[rng.IntN(4)]
			a.By = []string{"", "lie"}[rng.IntN(2)]
		case a.From == a.To || a.Sent < a.End:
		case a.End < last:
			a.End++
		}
		if d.Timed && a.Fate != InFlight {
			a.Delay = []string{"0", "1", "2 1/2", "12"}[rng.IntN(4)]
		}
		d.Arrows = append(d.Arrows, a)
	}
	slices.SortStableFunc(d.Arrows, func(a, b Arrow) int { return a.End - b.End })
	for range rng.IntN(12) {
		b := Bar{Kind: BarKind(rng.IntN(6)), Lane: rng.IntN(len(d.Lanes)), Label: text(2)}
		switch b.From, b.To = rows(); {
		case b.Kind == Cut:
			b.Lane = -1
		case b.Kind == Section && some(2):
			b.Label = b.Kind.String()
		}
		switch {
		case some(4):
			b.To, b.Open = last, true
		case b.To < last && d.Rows[b.To+1].At > d.Rows[b.To].At && some(2):
			b.Until = d.Rows[b.To].At + (d.Rows[b.To+1].At-d.Rows[b.To].At)*(.01+.99*rng.Float64())
		}
		d.Bars = append(d.Bars, b)
	}
	slices.SortStableFunc(d.Bars, func(a, b Bar) int { return a.From - b.From })
	return d
}

// placed places labels by the rule in labels.go, and checks each against all boxes in use.
func placed(p *picture) (all [][]label) {
	var marks, bars, taken []box
	for i, r := range p.d.Rows {
		if n := len(newBands(r)); n > 0 {
			marks = append(marks, box{0, p.bandY(i, 0), p.width, p.bandY(i, n)})
		}
		if x, y := p.x(max(r.Lane, 0)), p.y(i); r.Lane >= 0 {
			marks = append(marks, box{x - 5, y - 5, x + 5, y + 5})
		}
	}
	for _, b := range p.d.Bars {
		if x, half := p.x(b.Lane)+beside[b.Kind], broad[b.Kind]/2+1; b.Kind != Cut && p.y(b.From) < p.barEnd(b) {
			bars = append(bars, box{x - half, p.y(b.From), x + half, p.barEnd(b)})
		}
	}
	shows := map[int][]box{} // with a row
	find := func(a Arrow, text, tail, class string, taken []box) []label {
		for _, t := range trials {
			for _, l := range p.places(a, label{text: brief(text, t.letters) + tail, class: class}) {
				b := l.box()
				inside := b.left >= p.laneX-p.lane/2 && b.right <= p.text-4 && b.top >= p.y(-1) && b.bottom <= p.end
				if inside && !slices.ContainsFunc(marks, b.meets) && !slices.ContainsFunc(taken, b.meets) && (t.across || !slices.ContainsFunc(bars, b.meets)) {
					shows[a.Sent] = append(shows[a.Sent], b)
					if a.Fate != InFlight {
						shows[a.End] = append(shows[a.End], b)
					}
					return []label{l}
				}
			}
		}
		return nil
	}
	all = make([][]label, len(p.d.Arrows))
	for _, flying := range []bool{false, true} {
		for i, a := range p.d.Arrows {
			if (a.Fate == InFlight) != flying || flying && !p.page {
				continue
			}
			for _, t := range texts(a) {
				if flying {
					t.class, t.tail = "label flown", ""
				}
				for _, l := range find(a, t.text, t.tail, t.class, taken) {
					all[i], taken = append(all[i], l), append(taken, l.box())
				}
			}
		}
	}
	for i, a := range p.d.Arrows {
		if len(all[i]) == 0 && p.page {
			t := texts(a)[0]
			all[i] = find(a, t.text, t.tail, "label spare", slices.Concat(shows[a.Sent], shows[a.End]))
		}
	}
	return all
}

// Each label is at the first free place. It is omitted if there is none.
func TestPlaced(t *testing.T) {
	for seed := range uint64(80) {
		d := Scattered(rand.New(rand.NewPCG(seed, 2)))
		for len(d.Arrows) > 0 && len(d.Arrows) < 40 && seed%3 == 0 { // a crowd
			d.Arrows = append(d.Arrows, d.Arrows...)
		}
		for _, page := range []bool{false, true} {
			p := newPicture(d, page)
			for i, want := range placed(p) {
				require.Equal(t, want, p.arrows[i].labels, "%d: message %d", seed, i)
			}
		}
	}
}

// A message has fourteen places along its way, above and below, and a node's message to itself has six places
// beside it.
func TestPlaces(t *testing.T) {
	d := quiet(3, 9)
	p := newPicture(d, false)
	l := label{text: "Ask"}
	half := l.box().right - l.x
	seen := map[label]bool{}
	for _, l := range p.places(Arrow{From: 0, To: 2, Sent: 1, End: 7}, l) {
		x0, y0, x1, y1 := p.x(0), p.ys[1], p.x(2), p.ys[7]
		y := y0 + (y1-y0)*(l.x-x0)/(x1-x0)
		require.True(t, x0 < l.x && l.x < x1, "%v", l)
		require.True(t, min(math.Abs(y-4-l.y), math.Abs(y+13-l.y)) < 2, "%v", l)
		seen[l] = true
	}
	require.Len(t, seen, 14)
	clear(seen)
	for _, l := range p.places(Arrow{From: 1, To: 1, Sent: 1, End: 7}, l) {
		require.InDelta(t, (p.ys[1]+p.ys[7])/2, l.y-4, 13.5)
		require.True(t, l.x-half > p.x(1)+loopOut-1 || l.x+half < p.x(1)-13, "%v", l)
		seen[l] = true
	}
	require.Len(t, seen, 6)
}
