package draw

import (
	"slices"
	"unicode/utf8"
)

// Legend returns the legend as an SVG, for a page with strips.
func (d *Diagram) Legend() string {
	p := newFrame(d, true)
	p.begin(p.legendHeight(), "what the marks mean")
	p.legend(margin)
	p.printf("</svg>\n")
	return p.String()
}

// Legends returns each entry of the legend as an SVG.
func (d *Diagram) Legends() (all []string) {
	p := newFrame(d, true)
	for _, e := range p.inLegend {
		p.Reset()
		wide := legendSample + float64(utf8.RuneCountInString(e.means))*perLetter + margin/2
		p.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="run" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" aria-label="%s">`+"\n", wide, headHeight, wide, headHeight, esc(e.means))
		p.sample(e, 0, headHeight/2)
		p.printf("</svg>\n")
		all = append(all, p.String())
	}
	return all
}

// An entry is a line of the legend: a sample of a class, and its meaning.
type entry struct {
	bar   bool
	class string
	means string
}

// legendSample is the width of a sample in the legend.
const legendSample = 36

// legend returns the entries for the marks of the diagram.
func (d *Diagram) legend() (entries []entry) {
	for f := Arrived; f <= InFlight; f++ {
		if slices.ContainsFunc(d.Arrows, func(a Arrow) bool { return a.Fate == f }) {
			entries = append(entries, entry{false, fates[f], "a message that " + f.String()})
		}
	}
	for k := Operation; k <= Cut; k++ {
		if slices.ContainsFunc(d.Bars, func(b Bar) bool { return b.Kind == k }) {
			entries = append(entries, entry{true, bars[k], k.String()})
		}
	}
	if d.Scaled {
		entries = append(entries, entry{true, "instant", "rows of one instant; else heights are times"})
	}
	if len(d.Marked) > 0 {
		entries = append(entries, entry{true, "told", "a step that “why” speaks of"})
	}
	if d.Loop > 0 {
		entries = append(entries, entry{true, "loop", "steps that repeat for ever"})
	}
	return entries
}

// legendWidth returns the width of an entry.
func (p *picture) legendWidth() float64 {
	most := 0
	for _, e := range p.inLegend {
		most = max(most, utf8.RuneCountInString(e.means))
	}
	return legendSample + float64(most)*perLetter + margin
}

// legendHeight returns the height of the legend.
func (p *picture) legendHeight() float64 {
	return float64((len(p.inLegend)+p.perLegend-1)/p.perLegend)*headHeight + margin
}

// legend draws the legend below a height.
func (p *picture) legend(top float64) {
	for i, e := range p.inLegend {
		p.sample(e, margin+float64(i%p.perLegend)*p.legendWidth(), top+float64(i/p.perLegend)*headHeight)
	}
}

// sample draws an entry of the legend.
func (p *picture) sample(e entry, x, y float64) {
	switch {
	case !e.bar:
		p.printf(`<path class="way %s" d="M%.0f,%.0fH%.0f"/>`+"\n", e.class, x, y, x+28)
	case slices.Contains([]string{bars[Alarm], bars[Hold], "instant", "loop"}, e.class):
		p.printf(`<path class="%s" d="M%.0f,%.0fV%.0f"/>`+"\n", e.class, x+14, y-7, y+7)
	case e.class == "told":
		p.printf(`<rect class="told" x="%.0f" y="%.0f" width="4" height="14"/>`+"\n", x+12, y-7)
	default:
		p.printf(`<rect class="%s" x="%.0f" y="%.0f" width="10" height="14"/>`+"\n", e.class, x+9, y-7)
	}
	p.printf(`<text class="soft" x="%.0f" y="%.0f">%s</text>`+"\n", x+legendSample, y+4, esc(e.means))
}
