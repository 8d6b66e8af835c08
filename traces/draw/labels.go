package draw

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Labels of messages are placed so that none covers another, a dot or a text. If possible, none crosses a bar.
// For each message, several positions along its arrow are tried, with ever shorter labels. A label that fits
// nowhere is hidden: a page shows it when a step of its message is selected, and the title of the message has
// the full text. The boxes in use are indexed by height, so the time is linear in the number of messages.
const (
	perLabelLetter = 6.6 // the width of a letter
	labelHeight    = 13
	shelfHeight    = 32
)

// trials has the label lengths to try, and whether the label may cross a bar.
var trials = [...]struct {
	letters int
	across  bool
}{{mostLabel, false}, {20, false}, {mostLabel, true}, {20, true}, {12, false}, {12, true}, {8, true}}

// along has the positions on an arrow to try, as fractions of its length.
var along = [...]float64{.5, .36, .64, .24, .76, .14, .86}

// A box is a rectangle of the picture.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// shelves has the boxes in use, by height.
type shelves map[int][]box

func (s shelves) reserve(b box) {
	for k := int(b.top) / shelfHeight; k <= int(b.bottom)/shelfHeight; k++ {
		s[k] = append(s[k], b)
	}
}

func (s shelves) free(b box) bool {
	for k := int(b.top) / shelfHeight; k <= int(b.bottom)/shelfHeight; k++ {
		if slices.ContainsFunc(s[k], b.meets) {
			return false
		}
	}
	return true
}

// A label is a text at a position: the middle of its baseline.
type label struct {
	x, y        float64
	text, class string
}

// A labelled arrow is a message with its labels.
type labelled struct {
	Arrow
	labels []label
}

// box returns the box of a label.
func (l label) box() box {
	half := perLabelLetter*float64(utf8.RuneCountInString(l.text))/2 + 2
	return box{l.x - half, l.y - labelHeight + 3, l.x + half, l.y + 3}
}

// A placing is the state of the placement of labels.
type placing struct {
	p      *picture
	marks  shelves       // dots and texts
	bars   shelves       // bars
	labels shelves       // visible labels
	chosen map[int][]box // labels that are visible when a row is selected
}

// labelAll places the labels of all messages. Messages in flight at the end come last: their labels are visible
// on selection only.
func (p *picture) labelAll() {
	on := &placing{p, shelves{}, shelves{}, shelves{}, map[int][]box{}}
	on.reserveRows()
	on.reserveBars()
	for _, a := range p.d.Arrows {
		p.arrows = append(p.arrows, labelled{Arrow: a})
	}
	for _, place := range []func(*labelled){on.placeVisible, on.placeFlying, on.placeHidden} {
		for i := range p.arrows {
			place(&p.arrows[i])
		}
	}
}

// reserveRows reserves the boxes of dots, and of the bands below rows.
func (on *placing) reserveRows() {
	for i, r := range on.p.d.Rows {
		if n := len(newBands(r)); n > 0 {
			top := on.p.bandY(i, 0)
			on.marks.reserve(box{0, top, on.p.width, top + float64(headHeight*n)})
		}
		const dot = 5 // a row at no node has its dot where no label is
		x, y := on.p.x(r.Lane), on.p.ys[i]
		on.marks.reserve(box{x - dot, y - dot, x + dot, y + dot})
	}
}

// reserveBars reserves the boxes of bars. Of overlapping bars, the later bar reserves only the rest.
func (on *placing) reserveBars() {
	type place struct {
		lane int
		kind BarKind
	}
	used := map[place]float64{}
	for _, b := range on.p.d.Bars {
		if b.Kind == Cut {
			continue
		}
		key := place{b.Lane, b.Kind}
		from, to := max(on.p.y(b.From), used[key]), on.p.barEnd(b)
		if from >= to {
			continue
		}
		used[key] = to
		x, half := on.p.x(b.Lane)+beside[b.Kind], broad[b.Kind]/2+1
		on.bars.reserve(box{x - half, from, x + half, to})
	}
}

// texts returns the labels of a message: its value with its delay, and the message of an honest node. The delay
// is never cut.
func texts(a Arrow) (all []struct{ text, tail, class string }) {
	delay := ""
	if a.Delay != "" && a.Delay != "0" {
		delay = " · " + a.Delay
	}
	all = append(all, struct{ text, tail, class string }{a.Label, delay, "label"})
	if a.Honest != "" && !strings.HasSuffix(a.Honest, " the same") {
		honest := a.Honest[strings.Index(a.Honest, " said ")+len(" said "):]
		all = append(all, struct{ text, tail, class string }{"honest: " + honest, "", "label honest"})
	}
	return all
}

// placeVisible places the labels that are always visible.
func (on *placing) placeVisible(a *labelled) {
	if a.Fate == InFlight {
		return
	}
	for _, t := range texts(a.Arrow) {
		if l, ok := on.find(a.Arrow, t.text, t.tail, t.class, on.labels.free); ok {
			on.labels.reserve(l.box())
			on.show(a, l)
		}
	}
}

// placeFlying places the label of a message in flight at the end.
func (on *placing) placeFlying(a *labelled) {
	if a.Fate != InFlight || !on.p.page {
		return
	}
	if l, ok := on.find(a.Arrow, a.Label, "", "label flown", on.labels.free); ok {
		on.labels.reserve(l.box())
		on.show(a, l)
	}
}

// placeHidden places a label that did not fit, for the time when a step of its message is selected. It covers no
// other label that is visible then.
func (on *placing) placeHidden(a *labelled) {
	if len(a.labels) > 0 || !on.p.page {
		return
	}
	t := texts(a.Arrow)[0]
	free := func(b box) bool {
		return !slices.ContainsFunc(on.chosen[a.Sent], b.meets) && !slices.ContainsFunc(on.chosen[a.End], b.meets)
	}
	if l, ok := on.find(a.Arrow, t.text, t.tail, "label spare", free); ok {
		on.show(a, l)
	}
}

// show adds a label to a message. The label is visible when one of the message's rows is selected.
func (on *placing) show(a *labelled, l label) {
	a.labels = append(a.labels, l)
	if on.p.page {
		on.chosen[a.Sent] = append(on.chosen[a.Sent], l.box())
		if a.Fate != InFlight {
			on.chosen[a.End] = append(on.chosen[a.End], l.box())
		}
	}
}

// find returns the longest label that fits at a position within the lanes, without covering marks, and accepted
// by free. It reports false if none fits.
func (on *placing) find(a Arrow, text, tail, class string, free func(box) bool) (label, bool) {
	p := on.p
	room := box{p.laneX - p.lane/2, p.ys[0] - rowHeight/2, p.text - 4, p.end}
	for _, t := range trials {
		for _, l := range p.places(a, label{text: brief(text, t.letters) + tail, class: class}) {
			b := l.box()
			inside := b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom
			if inside && on.marks.free(b) && (t.across || on.bars.free(b)) && free(b) {
				return l, true
			}
		}
	}
	return label{}, false
}

// places returns the label at each position to try.
func (p *picture) places(a Arrow, l label) (all []label) {
	w := p.way(a)
	add := func(x, y float64) {
		l.x, l.y = math.Round(x), math.Round(y)
		all = append(all, l)
	}
	if a.From == a.To {
		mid, half := (w.y0+w.y1)/2, (l.box().right-l.box().left)/2
		for _, y := range []float64{mid + 4, mid - 9, mid + 17} {
			add(w.x0+loopOut+half, y)
			add(w.x0-14-half, y)
		}
		return all
	}
	for _, part := range along {
		x, y := w.point(part)
		add(x, y-4)
		add(x, y+13)
	}
	return all
}
