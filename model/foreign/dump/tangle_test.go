package dump

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A tangle has knots in every place where pointers can be.
type tangle struct {
	set   map[*knot]int
	any   map[any]bool
	pairs map[[2]*knot]bool
	list  []*knot
	row   []knot
	last  []knot // of the row
}

// A tangling is a tangle with numbered knots.
type tangling struct {
	n, next []int // of each knot; next is −1 for none
	of      []map[int]int
	set     map[int]int
	any     map[int]bool
	pairs   map[[2]int]bool
	list    []int
	row     int // this number of knots, from the first on, are elements of an array with a slice
	last    int // and this number of elements at its end have another slice
}

func drawTangling(r *rand.Rand) *tangling {
	k := 1 + r.IntN(4)
	d := &tangling{set: map[int]int{}, any: map[int]bool{}, pairs: map[[2]int]bool{}}
	for range k {
		d.n, d.next, d.of = append(d.n, r.IntN(8)/7), append(d.next, r.IntN(k+1)-1), append(d.of, nil)
	}
	for range r.IntN(4) {
		i := r.IntN(k)
		if d.of[i] == nil {
			d.of[i] = map[int]int{}
		}
		d.of[i][r.IntN(k)] = r.IntN(4) / 3
	}
	for range r.IntN(4) {
		d.set[r.IntN(k)] = r.IntN(5) / 4
	}
	for range r.IntN(3) {
		d.any[r.IntN(k)] = r.IntN(4) == 0
	}
	for range r.IntN(3) {
		d.pairs[[2]int{r.IntN(k), r.IntN(k)}] = r.IntN(4) == 0
	}
	for range r.IntN(2) {
		d.list = append(d.list, r.IntN(k))
	}
	if r.IntN(2) == 0 {
		d.row = r.IntN(k + 1)
		d.last = r.IntN(d.row + 1)
	}
	return d
}

// made makes the tangle.
func (d *tangling) made() *tangle {
	all, row := make([]*knot, len(d.n)), make([]knot, d.row)
	for i := range all {
		if all[i] = new(knot); i < d.row {
			all[i] = &row[i]
		}
	}
	for i, k := range all {
		k.n = d.n[i]
		if d.next[i] >= 0 {
			k.next = all[d.next[i]]
		}
		if d.of[i] != nil {
			k.of = map[*knot]int{}
		}
		for j, n := range d.of[i] {
			k.of[all[j]] = n
		}
	}
	t := &tangle{set: map[*knot]int{}, any: map[any]bool{}, pairs: map[[2]*knot]bool{}}
	for i, n := range d.set {
		t.set[all[i]] = n
	}
	for i, is := range d.any {
		t.any[all[i]] = is
	}
	for p, is := range d.pairs {
		t.pairs[[2]*knot{all[p[0]], all[p[1]]}] = is
	}
	for _, i := range d.list {
		t.list = append(t.list, all[i])
	}
	if d.row > 0 {
		t.row = row
	}
	if d.last > 0 {
		t.last = row[d.row-d.last:]
	}
	return t
}

// reached returns the knots that some pointer leads to.
func (d *tangling) reached() (all []int) {
	todo := slices.Concat(d.list, slices.Collect(maps.Keys(d.set)), slices.Collect(maps.Keys(d.any)))
	for p := range d.pairs {
		todo = append(todo, p[0], p[1])
	}
	for i := range d.row {
		todo = append(todo, i)
	}
	for len(todo) > 0 {
		i := todo[0]
		todo = todo[1:]
		if i < 0 || slices.Contains(all, i) {
			continue
		}
		all = append(all, i)
		todo = append(append(todo, d.next[i]), slices.Collect(maps.Keys(d.of[i]))...)
	}
	return all
}

// class returns the least text of the tangle over all numberings of its knots. Two tangles are equal except for
// addresses exactly if these texts are.
func (d *tangling) class() (least string) {
	all := d.reached()
	permuted(len(all), func(to []int) {
		is := map[int]int{-1: -1}
		for i, k := range all {
			is[k] = to[i]
		}
		if text := d.text(is); least == "" || text < least {
			least = text
		}
	})
	return least
}

// text returns the tangle with the given numbers of knots.
func (d *tangling) text(is map[int]int) string {
	var lines []string
	line := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for k, number := range is {
		if k < 0 {
			continue
		}
		line("knot %d: %d, next %d, a map %v", number, d.n[k], is[d.next[k]], d.of[k] != nil)
		for j, n := range d.of[k] {
			line("knot %d of %d: %d", number, is[j], n)
		}
	}
	for k, n := range d.set {
		line("set %d: %d", is[k], n)
	}
	for k, v := range d.any {
		line("any %d: %v", is[k], v)
	}
	for p, v := range d.pairs {
		line("pair %d %d: %v", is[p[0]], is[p[1]], v)
	}
	for i, k := range d.list {
		line("list %d: %d", i, is[k])
	}
	for i := range d.row {
		line("row %d: %d", i, is[i])
	}
	line("last %d", d.last)
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// permuted calls each with every permutation of the first n numbers.
func permuted(n int, each func(to []int)) {
	var grow func(to []int)
	grow = func(to []int) {
		if len(to) == n {
			each(to)
			return
		}
		for i := range n {
			if !slices.Contains(to, i) {
				grow(append(slices.Clone(to), i))
			}
		}
	}
	grow(nil)
}

// Random tangles have equal names and texts exactly if they are equal except for the addresses of their knots
// and for the order of the keys of their maps.
func TestTangles(t *testing.T) {
	c, r := New(nil), rand.New(rand.NewPCG(1, 2))
	type is struct {
		name [sha256.Size]byte
		text string
	}
	of, by, texts := map[string]is{}, map[[sha256.Size]byte]string{}, map[string]string{}
	again := 0
	for range 1500 {
		d := drawTangling(r)
		class := d.class()
		for range 2 {
			made := d.made()
			now := is{named(c, made), fmt.Sprint(c.Lines(made, false))}
			before, met := of[class]
			if met && before != now {
				t.Fatalf("two tangles are alike, but\n%s\nis called %x, and\n%s\n%x:\n%s", before.text, before.name[:4], now.text, now.name[:4], class)
			}
			if other, met := by[now.name]; met && other != class {
				t.Fatalf("two tangles have one name:\n%s\n\n%s", other, class)
			}
			if other, met := texts[now.text]; met && other != class {
				t.Fatalf("two tangles have one text:\n%s\n\n%s", other, class)
			}
			if met {
				again++
			}
			of[class], by[now.name], texts[now.text] = now, class, class
		}
	}
	if len(of) < 500 || again < 1600 {
		t.Errorf("%d kinds of tangles, %d met again: too few", len(of), again)
	}
}
