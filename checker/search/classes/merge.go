package classes

import (
	"slices"

	"contend/checker/zone"
)

// A Merger reduces the zones of a state to few zones with the same union. It drops zones within others. Where
// all zones cover the convex hull of some, the hull replaces these (Salah, Bozga and Maler, CONCUR 2006: the
// union over the interleavings of one set of events is convex).
type Merger struct {
	cover      zone.Cover
	candidates []zone.Zone
	Off        bool // only drop equal zones
}

// Limits on the work for one state in one layer. Up to maxPairZones zones, hulls of pairs are tried. maxEffort
// is the number of comparisons of zones.
const (
	maxPairZones = 300
	maxEffort    = 50_000
)

// merge returns zones with the same union as the fresh zones, up to points of old zones and up to exchanges. It
// sorts fresh.
func (m *Merger) merge(fresh, old []zone.Zone, exchanges [][]int) []zone.Zone {
	slices.SortFunc(fresh, func(a, b zone.Zone) int { return slices.Compare(a.M, b.M) })
	if m.Off {
		return m.dropEqual(fresh, old)
	}
	var all []zone.Zone // closed under the exchanges, up to maxPairZones
	for _, z := range fresh {
		around := Images(z, exchanges)
		switch {
		case anyWithin(around, old) || anyWithin(around[:1], all):
		case len(all) > maxPairZones:
			all = append(all, z)
		default:
			all = append(all, around...)
		}
	}
	if len(all) <= 1 {
		return all
	}
	all = m.mergeConvex(maximal(all))
	if len(exchanges) > 0 {
		all = orbitRepresentatives(exchanges, all)
	}
	return all
}

// dropEqual drops zones that equal an old or another fresh zone.
func (m *Merger) dropEqual(fresh, old []zone.Zone) []zone.Zone {
	var kept []zone.Zone
	for _, z := range fresh {
		if !slices.ContainsFunc(old, z.Equal) {
			kept = append(kept, z)
		}
	}
	return slices.CompactFunc(kept, zone.Zone.Equal)
}

// anyWithin reports whether some zone is within some of the others.
func anyWithin(zones, others []zone.Zone) bool {
	return slices.ContainsFunc(others, func(o zone.Zone) bool {
		return slices.ContainsFunc(zones, func(z zone.Zone) bool { return z.Within(o) })
	})
}

// maximal drops zones within others.
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

// mergeConvex replaces zones by hulls that all zones cover: by the hull of all, or else by hulls of pairs until
// no pair's hull is covered. The union never changes, so each pair is tried once.
func (m *Merger) mergeConvex(all []zone.Zone) []zone.Zone {
	if len(all) == 1 {
		return all
	}
	m.cover.Effort = maxEffort
	if hull := hullOf(all...); m.cover.Covered(hull, all) {
		return []zone.Zone{hull}
	}
	if len(all) > maxPairZones {
		return all
	}
	var kept []zone.Zone
	for len(all) > 0 {
		z := all[0]
		all = all[1:]
		for k := 0; k < len(kept); k++ {
			hull := hullOf(z, kept[k])
			m.candidates = append(append(append(m.candidates[:0], z, kept[k]), kept...), all...)
			if m.cover.Covered(hull, m.candidates) {
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

// orbitRepresentatives returns one zone of each orbit under the exchanges, and drops zones within an image of
// another zone.
func orbitRepresentatives(exchanges [][]int, all []zone.Zone) []zone.Zone {
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

// Images returns the images of a zone under the group that the row orders generate, z first. If there are more
// than maxImages, it returns only z. This is sound: zones in one orbit may then count several times.
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
		if len(all) > maxImages {
			return all[:1]
		}
	}
	return all
}

const maxImages = 150

// A zoneSet is a set of zones, by hash.
type zoneSet map[uint64][]zone.Zone

func (s zoneSet) has(z zone.Zone) bool { return slices.ContainsFunc(s[z.Hash()], z.Equal) }

// intern returns the zone of the set that equals z, and whether z was in the set. It adds a new z.
func (s zoneSet) intern(z zone.Zone) (zone.Zone, bool) {
	h := z.Hash()
	if i := slices.IndexFunc(s[h], z.Equal); i >= 0 {
		return s[h][i], true
	}
	s[h] = append(s[h], z)
	return z, false
}

func (s zoneSet) add(z zone.Zone) { h := z.Hash(); s[h] = append(s[h], z) }
