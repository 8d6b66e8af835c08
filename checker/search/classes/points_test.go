package classes

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/checker/zone"
	"contend/model"
)

// A point is what is left until each of two events is due, in quarters of a tick: with bounds of
// whole ticks, two zones that differ do so at one of these.
type point [2]int

// most is beyond all bounds of the zones here, in ticks.
const most = 4

// everyPoint calls what with each point that a zone here may have.
func everyPoint(what func(p point)) {
	for x := range 4*most + 2 {
		for y := range 4*most + 2 {
			what(point{x, y})
		}
	}
}

// has reports whether a point is in a zone, straight from the meaning of its bounds.
func has(z zone.Zone, p point) bool {
	at := []int{0, p[0], p[1]}
	for i := range z.N {
		for j := range z.N {
			b := z.At(i, j)
			if d, most := at[i]-at[j], 4*int(b>>1); b != zone.None && (d > most || d == most && b&1 == 0) {
				return false
			}
		}
	}
	return true
}

func inOne(zones []zone.Zone, p point) bool {
	return slices.ContainsFunc(zones, func(z zone.Zone) bool { return has(z, p) })
}

// box is the zone of two events with windows.
func box(x, y model.Window) zone.Zone {
	z := zone.Now()
	z.Add(zone.Lower(x.Lo), zone.Upper(x.Hi))
	z.Add(zone.Lower(y.Lo), zone.Upper(y.Hi))
	return z
}

// along is the box of an event with a window, and another that is due at once.
func along(w model.Window) zone.Zone { return box(w, model.Window{}) }

// someZone draws a zone of two events, mostly one with bounds on their difference.
func someZone(r *rand.Rand) zone.Zone {
	for {
		z := box(someWindow(r), someWindow(r))
		ok := true
		for _, rows := range [][2]int{{1, 2}, {2, 1}} {
			if r.IntN(2) == 0 {
				ok = ok && z.Limit(rows[0], rows[1], zone.Bound(r.IntN(2*most)-2))
			}
		}
		if ok {
			return z
		}
	}
}

func someWindow(r *rand.Rand) model.Window {
	lo := model.Ticks(r.IntN(most))
	w := model.Between(lo, lo+model.Ticks(r.IntN(most-int(lo)+1)))
	if w.Lo.At < w.Hi.At {
		w.Lo.Open, w.Hi.Open = r.IntN(3) == 0, r.IntN(3) == 0
	}
	return w
}

// text lists zones for people.
func text(zones []zone.Zone) (all []string) {
	for _, z := range zones {
		all = append(all, fmt.Sprint(z.M))
	}
	return all
}
