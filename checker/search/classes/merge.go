package classes

import (
	"slices"

	"contend/checker/zone"
)

// A Merger makes few zones of many with the same union, for one state: of zones that
// others contain it keeps the others, and where the hull of some is covered by all it
// puts the hull in their place (Salah, Bozga and Maler, CONCUR 2006: the union over the
// interleavings of one set of events is convex).
type Merger struct {
	cover  zone.Cover
	around []zone.Zone
	Off    bool // says that only equal zones are left out
}

// manyZones is for how many zones of a state pairs of them are tried, and enoughEffort
// how many comparisons of parts are spent on the zones of a state in a layer.
const (
	manyZones    = 300
	enoughEffort = 50_000
)

// merge returns zones with the union of those that are new, but for points of old zones,
// up to the exchanges of rows that leave the state as it is.
func (m *Merger) merge(fresh, old []zone.Zone, exchanges [][]int) []zone.Zone {
	slices.SortFunc(fresh, func(a, b zone.Zone) int { return slices.Compare(a.M, b.M) })
	if m.Off {
		return m.unequal(fresh, old)
	}
	var all []zone.Zone // closed under the exchanges, unless it is too large
	for _, z := range fresh {
		around := Images(z, exchanges)
		switch {
		case anyWithin(around, old) || anyWithin(around[:1], all):
		case len(all) > manyZones:
			all = append(all, z)
		default:
			all = append(all, around...)
		}
	}
	if len(all) <= 1 {
		return all
	}
	all = m.convex(maximal(all))
	if len(exchanges) > 0 {
		all = upTo(exchanges, all)
	}
	return all
}

// unequal leaves out zones that are there already, and nothing else.
func (m *Merger) unequal(fresh, old []zone.Zone) []zone.Zone {
	var kept []zone.Zone
	for _, z := range fresh {
		if !slices.ContainsFunc(old, z.Equal) {
			kept = append(kept, z)
		}
	}
	return slices.CompactFunc(kept, zone.Zone.Equal)
}

// anyWithin reports whether one of the zones is within one of the others.
func anyWithin(zones, others []zone.Zone) bool {
	return slices.ContainsFunc(others, func(o zone.Zone) bool {
		return slices.ContainsFunc(zones, func(z zone.Zone) bool { return z.Within(o) })
	})
}

// maximal leaves out zones that others contain.
func maximal(all []zone.Zone) []zone.Zone {
	var kept []zone.Zone
	for _, z := range all {
		if anyWithin([]zone.Zone{z}, kept) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(k zone.Zone) bool { return k.Within(z) })
		kept = append(kept, z)
	}
	return kept
}

// convex puts hulls that the zones cover in their place: of all, or else of pairs for as
// long as there are any. What they cover together stays the same, so a pair that was tried
// in vain need not be tried again.
func (m *Merger) convex(all []zone.Zone) []zone.Zone {
	if len(all) == 1 {
		return all
	}
	m.cover.Effort = enoughEffort
	if hull := hullOf(all...); m.cover.Covered(hull, all) {
		return []zone.Zone{hull}
	}
	if len(all) > manyZones {
		return all
	}
	var kept []zone.Zone
	for len(all) > 0 {
		z := all[0]
		all = all[1:]
		for k := 0; k < len(kept); k++ {
			hull := hullOf(z, kept[k])
			m.around = append(append(append(m.around[:0], z, kept[k]), kept...), all...)
			if m.cover.Covered(hull, m.around) {
				within := func(y zone.Zone) bool { return y.Within(hull) }
				z, kept, all, k = hull, slices.DeleteFunc(kept, within), slices.DeleteFunc(all, within), -1
			}
		}
		kept = append(kept, z)
	}
	return kept
}

func hullOf(zones ...zone.Zone) zone.Zone {
	hull := zones[0].Clone()
	for _, z := range zones[1:] {
		hull.Hull(z)
	}
	return hull
}

// upTo keeps one of the zones that are one up to exchanges, or contained in another's
// image.
func upTo(exchanges [][]int, all []zone.Zone) []zone.Zone {
	slices.SortFunc(all, func(a, b zone.Zone) int { return slices.Compare(a.M, b.M) })
	var kept, around []zone.Zone
	known := zoneSet{}
	for _, z := range all {
		if known.has(z) || anyWithin([]zone.Zone{z}, around) {
			continue
		}
		kept = append(kept, z)
		for _, image := range Images(z, exchanges) {
			known.add(image)
			around = append(around, image)
		}
	}
	return kept
}

// Images returns what a zone becomes under the group that row orders generate, itself
// first; just itself when they are too many, which is sound: zones that are one up to
// symmetry may then count more than once.
func Images(z zone.Zone, exchanges [][]int) []zone.Zone {
	all := []zone.Zone{z}
	if len(exchanges) == 0 {
		return all
	}
	known := zoneSet{}
	known.add(z)
	var image zone.Zone
	for k := 0; k < len(all); k++ {
		for _, order := range exchanges {
			image.Arrange(all[k], order)
			if !known.has(image) {
				all = append(all, image.Clone())
				known.add(all[len(all)-1])
			}
		}
		if len(all) > manyImages {
			return all[:1]
		}
	}
	return all
}

const manyImages = 150

// A zoneSet finds zones by their hash.
type zoneSet map[uint64][]zone.Zone

func (s zoneSet) has(z zone.Zone) bool { return slices.ContainsFunc(s[z.Hash()], z.Equal) }

// intern returns the zone of the set that equals z, and whether it was there.
func (s zoneSet) intern(z zone.Zone) (zone.Zone, bool) {
	h := z.Hash()
	if i := slices.IndexFunc(s[h], z.Equal); i >= 0 {
		return s[h][i], true
	}
	s[h] = append(s[h], z)
	return z, false
}

func (s zoneSet) add(z zone.Zone) { h := z.Hash(); s[h] = append(s[h], z) }
