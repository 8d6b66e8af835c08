package draw

import "unicode/utf8"

// The names of nodes stand above their lanes. Where one does not fit between its neighbours, every other name stands a
// line higher, with a stroke down to its lane.

const (
	nameHeight = 15 // of a line
	nameSpace  = 8  // below the last
	nameTop    = 14 // above the first
	nameApart  = 6  // between two on a line
)

// nameWide is how wide a name is.
func (p *picture) nameWide(lane int) float64 {
	return float64(utf8.RuneCountInString(p.d.Lanes[lane].Name)) * perName
}

// nameRoom is how wide a name may be, where those on its line are so many lanes apart: up to the edges of the picture,
// and to its neighbours, which take no more than their half of what lies between.
func (p *picture) nameRoom(lane, apart int) float64 {
	between := p.lane * float64(apart)
	half := func(lane int) float64 { return min(p.nameWide(lane)+nameApart, between) / 2 }
	left, right := p.x(lane), p.wide-p.x(lane)
	if lane >= apart {
		left = between - half(lane-apart)
	}
	if lane+apart < len(p.d.Lanes) {
		right = between - half(lane+apart)
	}
	return 2*min(left, right) - nameApart
}

// staggered reports whether every other name stands higher.
func (p *picture) staggered() bool {
	for lane := range p.d.Lanes {
		if p.nameWide(lane) > p.nameRoom(lane, 1) {
			return true
		}
	}
	return false
}

// nameLines is how many lines a name takes: two where one says that its node lies.
func (p *picture) nameLines() float64 {
	for _, l := range p.d.Lanes {
		if l.Byzantine {
			return 2
		}
	}
	return 1
}

// tallNames is how much of the height the names take.
func (p *picture) tallNames() float64 {
	lines := p.nameLines()
	if p.staggered() {
		lines *= 2
	}
	return nameTop + nameHeight*lines + nameSpace
}

// names writes the names of the lanes, down to a height.
func (p *picture) names(bottom float64) {
	apart, higher := 1, 0.0
	if p.staggered() {
		apart, higher = 2, nameHeight*p.nameLines()
	}
	for i, l := range p.d.Lanes {
		y := bottom - nameSpace - nameHeight*(p.nameLines()-1)
		if i%2 == 0 && higher > 0 {
			y -= higher
			p.printf(`<path class="lane" d="M%.0f,%.0fV%.0f"/>`+"\n", p.x(i), bottom-nameSpace-higher+5, bottom)
		}
		p.printf(`<text class="name" data-lane="%d" x="%.0f" y="%.0f">`, i, p.x(i), y)
		p.cut(l.Name, int(p.nameRoom(i, apart)/perName))
		if l.Byzantine {
			p.printf(`<text class="liar" x="%.0f" y="%.0f">Byzantine</text>`+"\n", p.x(i), y+nameHeight-3)
		}
	}
}
