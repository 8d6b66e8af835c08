package arena

import (
	"slices"
	"testing"
)

// What an arena held stays as far as it goes when it is resized, and the rest is zero, also where it was used before; with
// reserved memory and without.
func TestArena(t *testing.T) {
	for _, sizes := range [][]int{reservations, {1 << 62, reservations[len(reservations)-1]}, nil} {
		page := pageSize / 8
		a := reserve(page, sizes)
		if (a.mapping != nil) != (sizes != nil) {
			t.Fatalf("with sizes %v memory is reserved: %v", sizes, a.mapping != nil)
		}
		words := func(n int, used int) {
			t.Helper()
			a.Resize(n)
			if len(a.Words) != n || slices.ContainsFunc(a.Words[:used], func(w uint64) bool { return w != 7 }) || slices.ContainsFunc(a.Words[used:], func(w uint64) bool { return w != 0 }) {
				t.Fatalf("of %d words %d are not what they were, or the others not zero", n, used)
			}
			for i := range a.Words {
				a.Words[i] = 7
			}
		}
		if len(a.Words) != page {
			t.Fatalf("it has %d words, not %d", len(a.Words), page)
		}
		words(page, 0)
		words(4*page, page)
		words(2*page, 2*page)
		words(3*page, 2*page)
		words(40*page, 3*page)
		words(32*page, 32*page)
		words(36*page, 32*page)
		words(3*page, 3*page)
		words(hugePages/8-page, 3*page)
		if a.huge {
			t.Error("huge pages are asked for too soon")
		}
		words(hugePages/8, hugePages/8-page)
		if a.huge != (sizes != nil) {
			t.Error("no huge pages are asked for")
		}
		words(page, page)
		words(hugePages/8, page)
		words(2*page+100, 2*page+100)
		words(2*page+90, 2*page+90) // within a page
		words(2*page+100, 2*page+90)
		words(page+10, page+10)
		words(3*page+5, page+10)
		words(7, 7)
		words(page, 7)
		if a.Close(); a.Words != nil {
			t.Error("it is still there")
		}
	}
}
