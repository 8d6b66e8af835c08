package dump

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A rack has slices, and pointers into their arrays.
type rack struct {
	slices []any // of []int
	at     [2]*int
}

// A cut is a slice of an array.
type cut struct{ array, from, len, cap int }

// A racking has the cuts of arrays for a rack.
type racking struct {
	arrays [][]int
	cuts   []cut
	at     [2]cut // of length one; array −1: nil
}

func drawRacking(r *rand.Rand) *racking {
	d := &racking{}
	for range 1 + r.IntN(3) {
		array := make([]int, r.IntN(4))
		for i := range array {
			array[i] = r.IntN(6) / 5
		}
		d.arrays = append(d.arrays, array)
	}
	for range 1 + r.IntN(3) {
		c := cut{array: r.IntN(len(d.arrays))}
		size := len(d.arrays[c.array])
		c.from = r.IntN(size + 1)
		c.cap = r.IntN(size - c.from + 1)
		c.len = r.IntN(c.cap + 1)
		d.cuts = append(d.cuts, c)
	}
	for i := range d.at {
		d.at[i].array = -1
		if a := r.IntN(len(d.arrays)); r.IntN(3) == 0 && len(d.arrays[a]) > 0 {
			d.at[i] = cut{a, r.IntN(len(d.arrays[a])), 1, 1}
		}
	}
	return d
}

func (d *racking) made() *rack {
	var arrays [][]int
	for _, a := range d.arrays {
		arrays = append(arrays, slices.Clip(slices.Clone(a)))
	}
	s := &rack{}
	for _, c := range d.cuts {
		array := arrays[c.array]
		if array == nil {
			array = []int{}
		}
		s.slices = append(s.slices, array[c.from:c.from+c.len:c.from+c.cap])
	}
	for i, c := range d.at {
		if c.array >= 0 {
			s.at[i] = &arrays[c.array][c.from]
		}
	}
	return s
}

// class returns a text of what a user of the rack can observe: the content of each slice and pointer, and the
// memory that they share, for slices up to their capacity.
func (d *racking) class() string {
	all := append(slices.Clone(d.cuts), d.at[:]...)
	group := make([]int, len(all))
	for i := range all {
		group[i] = i
	}
	overlap := func(a, b cut) bool {
		return a.array >= 0 && a.array == b.array && max(a.from, b.from) < min(a.from+a.cap, b.from+b.cap)
	}
	for range all {
		for i, a := range all {
			for j, b := range all {
				if overlap(a, b) {
					group[i] = min(group[i], group[j])
				}
			}
		}
	}
	var text strings.Builder
	for i, c := range all {
		if c.array < 0 {
			fmt.Fprintln(&text, "nil")
			continue
		}
		fmt.Fprint(&text, d.arrays[c.array][c.from:c.from+c.len])
		for j, other := range all {
			if i != j && group[i] == group[j] {
				fmt.Fprintf(&text, " room for %d, %d from %d", c.cap, c.from-other.from, j)
			}
		}
		fmt.Fprintln(&text)
	}
	return text.String()
}

// Random slices of random arrays have equal names and texts exactly if their users cannot distinguish them.
func TestSlicesOfArrays(t *testing.T) {
	c, r := New(nil), rand.New(rand.NewPCG(3, 4))
	type is struct {
		name [sha256.Size]byte
		text string
	}
	of, by, texts := map[string]is{}, map[[sha256.Size]byte]string{}, map[string]string{}
	again := 0
	for range 20000 {
		d := drawRacking(r)
		class, made := d.class(), d.made()
		now := is{named(c, made), fmt.Sprint(c.Lines(made, false))}
		if before, met := of[class]; met {
			again++
			if before != now {
				t.Fatalf("two racks are alike, but one is\n%s\nand the other\n%s\n%s", before.text, now.text, class)
			}
		}
		if other, met := by[now.name]; met && other != class {
			t.Fatalf("two racks have one name:\n%s\n%s\n%s", other, class, now.text)
		}
		if other, met := texts[now.text]; met && other != class {
			t.Fatalf("two racks have one text:\n%s\n%s\n%s", other, class, now.text)
		}
		of[class], by[now.name], texts[now.text] = now, class, class
	}
	if len(of) < 1000 || again < 1000 {
		t.Errorf("%d kinds of racks, %d met again: too few", len(of), again)
	}
}
