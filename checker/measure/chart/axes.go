package chart

import (
	"math"
	"slices"
)

// drawing computes the axes of a chart.
func (c *Chart) drawing() *drawing {
	d := &drawing{c: c, vertical: func(v float64) float64 { return v }}
	if c.LogY {
		d.vertical = math.Log10
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, l := range c.Lines {
		for _, p := range l.Points {
			d.xs = append(d.xs, p.X)
			lowest, highest = min(lowest, p.Low, p.Y), max(highest, p.High, p.Y)
		}
	}
	slices.Sort(d.xs)
	if d.xs = slices.Compact(d.xs); len(d.xs) == 0 {
		d.xs, lowest, highest = []float64{1}, 1, 2
	}
	first, last := math.Log2(d.xs[0]), math.Log2(d.xs[len(d.xs)-1])
	pad := max(0.04*(last-first), 0.1)
	d.x0, d.x1 = first-pad, last+pad
	if c.LogY {
		d.ticks = decades(lowest, highest)
	} else {
		d.ticks = steps(min(lowest, 0), highest)
	}
	d.y0, d.y1 = d.vertical(d.ticks[0]), d.vertical(d.ticks[len(d.ticks)-1])
	return d
}

// steps returns about six evenly spaced ticks that enclose a range.
func steps(lowest, highest float64) []float64 {
	raw := max(highest-lowest, 1e-9) / 6
	size := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*size >= raw {
			size *= m
			break
		}
	}
	var out []float64
	for k := math.Floor(lowest / size); ; k++ {
		out = append(out, k*size)
		if k*size >= highest && len(out) > 1 {
			return out
		}
	}
}

// decades returns ticks at 1, 2 and 5 times powers of ten that enclose a range. Over four decades it returns
// only the powers.
func decades(lowest, highest float64) []float64 {
	multiples := []float64{1, 2, 5}
	if highest/lowest > 1e4 {
		multiples = multiples[:1]
	}
	var out []float64
	for power := math.Floor(math.Log10(lowest)); ; power++ {
		for _, m := range multiples {
			v := m * math.Pow(10, power)
			if v <= lowest {
				out = out[:0]
			}
			if out = append(out, v); v >= highest && len(out) > 1 {
				return out
			}
		}
	}
}

// axes draws both axes with ticks, rules and labels. Each measured number of contenders has a tick; its label
// is omitted if there is no room.
func (d *drawing) axes() {
	for _, v := range d.ticks {
		y := d.y(v)
		d.printf(`<path class="rule" d="M%d,%.1fH%d"/><text class="tick" x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left, y, width-right, left-8, y+4, formatShort(v))
	}
	free := math.Inf(-1)
	for _, v := range d.xs {
		x := d.x(v)
		d.printf(`<path class="axis" d="M%.1f,%dv5"/>`+"\n", x, height-bottom)
		if x > free {
			free = x + 30
			d.printf(`<text class="tick" x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, height-bottom+19, formatShort(v))
		}
	}
	d.printf(`<path class="axis" d="M%d,%dV%dH%d" fill="none"/>`+"\n", left, top, height-bottom, width-right)
	d.printf(`<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (left+width-right)/2, height-bottom+40, esc(d.c.X))
	middle := (top + height - bottom) / 2
	d.printf(`<text transform="translate(16,%d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", middle, esc(d.c.Y))
}
