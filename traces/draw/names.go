package draw

import "unicode/utf8"

// The names of nodes stand above their lanes. Where one is wider than a lane, every other name stands a line
// higher, with a stroke down to its lane, so that each has the room of two.

const (
	nameHeight = 15 // of a line
	nameSpace  = 8  // below the last
	nameTop    = 14 // above the first
)

// staggered reports whether every other name stands higher.
func (p *picture) staggered() bool {
	for i := range p.d.Lanes {
		if float64(utf8.RuneCountInString(p.d.Lanes[i].Name))*perName > p.lane {
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
	room, higher := p.lane, 0.0
	if p.staggered() {
		room, higher = 2*p.lane, nameHeight*p.nameLines()
	}
	for i, l := range p.d.Lanes {
		y := bottom - nameSpace - nameHeight*(p.nameLines()-1)
		if i%2 == 0 && higher > 0 {
			y -= higher
			p.printf(`<path class="lane" d="M%.0f,%.0fV%.0f"/>`+"\n", p.x(i), bottom-nameSpace-higher+5, bottom)
		}
		p.printf(`<text class="name" data-lane="%d" x="%.0f" y="%.0f">`, i, p.x(i), y)
		p.cut(l.Name, int(room/perName))
		if l.Byzantine {
			p.printf(`<text class="liar" x="%.0f" y="%.0f">Byzantine</text>`+"\n", p.x(i), y+nameHeight-3)
		}
	}
}
