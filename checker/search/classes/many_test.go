package classes

import (
	"slices"
	"testing"

	"contend/checker/zone"
	"contend/model"
)

// Beyond so many zones pairs are not tried any more, and no image is added; but no zone is lost.
func TestManyZones(t *testing.T) {
	swap := [][]int{{0, 2, 1}}
	for _, exchanges := range [][][]int{nil, swap} {
		var fresh []zone.Zone
		for i := range model.Ticks(maxPairZones + 40) {
			fresh = append(fresh, along(model.Between(3*i+1, 3*i+2)))
		}
		m := Merger{}
		got := m.merge(slices.Clone(fresh), nil, exchanges)
		for _, z := range fresh {
			if around := Images(z, exchanges); !slices.ContainsFunc(got, func(g zone.Zone) bool { return slices.ContainsFunc(around, g.Equal) }) {
				t.Fatalf("up to %v: a zone of %d is lost; there are %d", exchanges, len(fresh), len(got))
			}
		}
		if len(got) != len(fresh) {
			t.Errorf("up to %v: %d zones of %d", exchanges, len(got), len(fresh))
		}
		if again := m.merge(slices.Clone(fresh), got, exchanges); len(again) > 0 {
			t.Errorf("up to %v: %d of the old zones are new", exchanges, len(again))
		}
	}
}

// Of a zone with too many images it is itself that is taken.
func TestTooManyImages(t *testing.T) {
	for rows, want := range map[int]int{5: 120, 6: 1} {
		z := zone.Now()
		turn, swap := make([]int, rows+1), make([]int, rows+1)
		for i := range rows {
			z.Add(zone.Lower(model.Through(model.Ticks(i))), zone.Upper(model.Through(model.Ticks(i))))
			turn[i+1], swap[i+1] = (i+1)%rows+1, i+1
		}
		swap[1], swap[2] = 2, 1
		if all := Images(z, [][]int{turn, swap}); len(all) != want || !all[0].Equal(z) {
			t.Errorf("%d rows: %d images, want %d, the first the zone itself", rows, len(all), want)
		}
	}
}
