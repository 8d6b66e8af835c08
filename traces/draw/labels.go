package draw

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Labels of messages are placed so that none covers another, a dot, or a line of text. Each message tries
// some places along its way, above and below it, with its whole label first and then with ever
// less of it; one that finds no room goes without, and its title says all. What is taken is kept by
// height, so that a label is held against its neighbours alone: placing takes time in proportion to the
// number of messages.
const (
	perLabelLetter = 6.1 // of a letter's width, at the size of labels
	labelHeight    = 13
	shelfHeight    = 32
)

// cuts are how many letters of a label are tried.
var cuts = [...]int{mostLabel, 16, 9}

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

// labelAll places the labels of all messages.
func (p *picture) labelAll() {
	taken := shelves{}
	for i, r := range p.d.Rows {
		if n := len(bandsOf(r)); n > 0 {
			taken.take(box{0, p.ys[i] + 9, p.wide, p.ys[i] + 9 + float64(headHeight*n)})
		}
		if r.Lane >= 0 {
			const dot = 5
			taken.take(box{p.x(r.Lane) - dot, p.ys[i] - dot, p.x(r.Lane) + dot, p.ys[i] + dot})
		}
	}
	for _, a := range p.d.Arrows {
		m := labelled{Arrow: a}
		delay := ""
		if a.Delay != "" && a.Delay != "0" {
			delay = " · " + a.Delay
		}
		m.labels = p.labelled(m.labels, taken, a, "label", a.Label, delay)
		if a.Honest != "" && !strings.HasSuffix(a.Honest, " the same") {
			m.labels = p.labelled(m.labels, taken, a, "label honest", "honest: "+a.Honest[strings.Index(a.Honest, " said ")+len(" said "):], "")
		}
		p.arrows = append(p.arrows, m)
	}
}

// labelled places one label more, if there is room for it; its tail is not cut.
func (p *picture) labelled(all []label, taken shelves, a Arrow, class, text, tail string) []label {
	room := box{p.left - p.lane/2, p.ys[0] - rowHeight/2, p.text - 4, p.end}
	for _, letters := range cuts {
		cut := short(text, letters)
		for _, l := range p.places(a, label{text: cut + tail, class: class}) {
			if b := l.box(); b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom && taken.free(b) {
				taken.take(b)
				return append(all, l)
			}
		}
		if cut == text {
			break
		}
	}
	return all
}

// places are those that a label may have.
func (p *picture) places(a Arrow, l label) (all []label) {
	w := p.way(a)
	at := func(x, y float64) {
		l.x, l.y = math.Round(x), math.Round(y+p.up)
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
