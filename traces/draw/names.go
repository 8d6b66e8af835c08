package draw

import "unicode/utf8"

// The names of nodes are above their lanes. If a name does not fit between its neighbors, every other name is a
// line higher, with a stroke down to its lane.

const (
	nameHeight = 15 // of a line
	nameSpace  = 8  // below the last line
	nameTop    = 14 // above the first line
	nameApart  = 6  // between names on a line
)

// nameWidth returns the width of a name.
func (p *picture) nameWidth(lane int) float64 {
	return float64(utf8.RuneCountInString(p.d.Lanes[lane].Name)) * perName
}

// nameRoom returns the width available for a name, if the names on its line are the given number of lanes
// apart. Its neighbors get at most half of the space between.
func (p *picture) nameRoom(lane, apart int) float64 {
	between := p.lane * float64(apart)
	half := func(lane int) float64 { return min(p.nameWidth(lane)+nameApart, between) / 2 }
	left, right := p.x(lane), p.width-p.x(lane)
	if lane >= apart {
		left = between - half(lane-apart)
	}
	if lane+apart < len(p.d.Lanes) {
		right = between - half(lane+apart)
	}
	return 2*min(left, right) - nameApart
}

// staggered reports whether every other name is a line higher.
func (p *picture) staggered() bool {
	for lane := range p.d.Lanes {
		if p.nameWidth(lane) > p.nameRoom(lane, 1) {
			return true
		}
	}
	return false
}

// nameLines returns the number of lines of a name: two if some node is Byzantine.
func (p *picture) nameLines() float64 {
	for _, l := range p.d.Lanes {
		if l.Byzantine {
			return 2
		}
	}
	return 1
}

// namesHeight returns the height of the names.
func (p *picture) namesHeight() float64 {
	lines := p.nameLines()
	if p.staggered() {
		lines *= 2
	}
	return nameTop + nameHeight*lines + nameSpace
}

// names draws the names of the lanes, above a height.
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
