package draw

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Labels of messages are placed so that none covers another, a dot, or a line of text, and none stands across a bar
// where there is a place beside it. Each message tries some places along its way, above and below it, with its whole
// label first and then with ever less of it. One that finds no room gives way: on a page it shows when one of its
// message's steps is chosen, and in a picture its message's title says all. What is taken is kept by
// height, so that a label is held against its neighbours alone: placing takes time in proportion to the
// number of messages.
const (
	perLabelLetter = 6.6 // of a letter's width, at the size of labels
	labelHeight    = 13
	shelfHeight    = 32
)

// trials are how much of a label is tried, and whether it may stand across a bar.
var trials = [...]struct {
	letters int
	across  bool
}{{mostLabel, false}, {20, false}, {mostLabel, true}, {20, true}, {12, false}, {12, true}, {8, true}}

// along are the places on a message's way that are tried, by how much of it lies behind.
var along = [...]float64{.5, .36, .64, .24, .76, .14, .86}

// A box is a part of the picture.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// shelves are the boxes that are taken, by height.
type shelves map[int][]box

func (s shelves) take(b box) {
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

// A label is a text in its place: the middle of its foot.
type label struct {
	x, y        float64
	text, class string
}

// A labelled arrow is a message with its labels.
type labelled struct {
	Arrow
	labels []label
}

// box is what a label takes.
func (l label) box() box {
	half := perLabelLetter*float64(utf8.RuneCountInString(l.text))/2 + 2
	return box{l.x - half, l.y - labelHeight + 3, l.x + half, l.y + 3}
}

// placing is where labels are being placed.
type placing struct {
	p      *picture
	marks  shelves       // dots, and lines of text
	bars   shelves       // what lasts
	labels shelves       // that are placed, and stay
	chosen map[int][]box // labels that show when a row is chosen
}

// labelAll places the labels of all messages: of those in flight at the end last, for they are shown only where one
// asks for them.
func (p *picture) labelAll() {
	on := &placing{p, shelves{}, shelves{}, shelves{}, map[int][]box{}}
	on.takeRows()
	on.takeBars()
	for _, a := range p.d.Arrows {
		p.arrows = append(p.arrows, labelled{Arrow: a})
	}
	for _, place := range []func(*labelled){on.steady, on.flown, on.spare} {
		for i := range p.arrows {
			place(&p.arrows[i])
		}
	}
}

// takeRows keeps labels off dots, and off what is said below rows.
func (on *placing) takeRows() {
	for i, r := range on.p.d.Rows {
		if n := len(bandsOf(r)); n > 0 {
			top := on.p.bandAt(i, 0)
			on.marks.take(box{0, top, on.p.wide, top + float64(headHeight*n)})
		}
		const dot = 5 // of a row at no node it would stand where no label does
		x, y := on.p.x(r.Lane), on.p.ys[i]
		on.marks.take(box{x - dot, y - dot, x + dot, y + dot})
	}
}

// takeBars keeps labels off bars. Those that begin while another stands there take what goes beyond it alone.
func (on *placing) takeBars() {
	type place struct {
		lane int
		kind BarKind
	}
	taken := map[place]float64{}
	for _, b := range on.p.d.Bars {
		if b.Kind == Cut {
			continue
		}
		at := place{b.Lane, b.Kind}
		from, to := max(on.p.y(b.From), taken[at]), on.p.until(b)
		if from >= to {
			continue
		}
		taken[at] = to
		x, half := on.p.x(b.Lane)+beside[b.Kind], broad[b.Kind]/2+1
		on.bars.take(box{x - half, from, x + half, to})
	}
}

// texts are the labels of a message: what it is, with its delay, which is not cut, and what an honest node would have
// said.
func texts(a Arrow) (all []struct{ text, tail, class string }) {
	delay := ""
	if a.Delay != "" && a.Delay != "0" {
		delay = " · " + a.Delay
	}
	all = append(all, struct{ text, tail, class string }{a.Label, delay, "label"})
	if a.Honest != "" && !strings.HasSuffix(a.Honest, " the same") {
		said := a.Honest[strings.Index(a.Honest, " said ")+len(" said "):]
		all = append(all, struct{ text, tail, class string }{"honest: " + said, "", "label honest"})
	}
	return all
}

// steady places the labels that are always shown.
func (on *placing) steady(a *labelled) {
	if a.Fate == InFlight {
		return
	}
	for _, t := range texts(a.Arrow) {
		if l, ok := on.find(a.Arrow, t.text, t.tail, t.class, on.labels.free); ok {
			on.labels.take(l.box())
			on.show(a, l)
		}
	}
}

// flown places the label of a message in flight at the end.
func (on *placing) flown(a *labelled) {
	if a.Fate != InFlight || !on.p.page {
		return
	}
	if l, ok := on.find(a.Arrow, a.Label, "", "label flown", on.labels.free); ok {
		on.labels.take(l.box())
		on.show(a, l)
	}
}

// spare places the label of a message that has found no room, for when a step of its message is chosen: it covers no
// other that shows then.
func (on *placing) spare(a *labelled) {
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

// show gives a message a label, which shows when one of its rows is chosen.
func (on *placing) show(a *labelled, l label) {
	a.labels = append(a.labels, l)
	if on.p.page {
		on.chosen[a.Sent] = append(on.chosen[a.Sent], l.box())
		if a.Fate != InFlight {
			on.chosen[a.End] = append(on.chosen[a.End], l.box())
		}
	}
}

// find looks for a place for as much as may be of a label, within the lanes, off all marks and where else it is free.
func (on *placing) find(a Arrow, text, tail, class string, free func(box) bool) (label, bool) {
	p := on.p
	room := box{p.left - p.lane/2, p.ys[0] - rowHeight/2, p.text - 4, p.end}
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

// places are those that a label may have.
func (p *picture) places(a Arrow, l label) (all []label) {
	w := p.way(a)
	at := func(x, y float64) {
		l.x, l.y = math.Round(x), math.Round(y)
		all = append(all, l)
	}
	if a.From == a.To {
		mid, half := (w.y0+w.y1)/2, (l.box().right-l.box().left)/2
		for _, y := range []float64{mid + 4, mid - 9, mid + 17} {
			at(w.x0+loopOut+half, y)
			at(w.x0-14-half, y)
		}
		return all
	}
	for _, part := range along {
		x, y := w.at(part)
		at(x, y-4)
		at(x, y+13)
	}
	return all
}
