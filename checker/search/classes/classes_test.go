package classes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
	"contend/model"
)

// put adds zones of a state to a set, as one layer, and returns the numbers of the classes.
func put(c *Set, key uint64, parent uint32, zones ...zone.Zone) (ids []uint32, fresh bool) {
	found := Findings{}
	for _, z := range zones {
		found.Add(fingerprint.Print{A: key}, []uint32{uint32(key)}, z, parent)
	}
	return settled(c, found)
}

// settled ends a layer, and returns what is said of its last batch.
func settled(c *Set, found ...Findings) (ids []uint32, fresh bool) {
	batches := c.Batches(found)
	for k := range batches {
		c.Merge(&batches[k], &Merger{Off: !c.Merging}, func([]uint32) [][]int { return nil })
		ids, fresh = c.Commit(&batches[k])
	}
	return ids, fresh
}

// Inclusion: a zone is known when a class of its state contains it; without, when one equals it.
// Another state's classes do not matter.
func TestInclusion(t *testing.T) {
	in := model.Between
	for _, c := range []struct {
		key             uint64
		z               zone.Zone
		merging, equals bool // whether it is known with inclusion, and without
	}{
		{1, along(in(0, 2)), true, true},
		{1, along(in(0, 1)), true, false},
		{1, along(in(0, 3)), false, false},
		{1, along(in(4, 4)), true, true},
		{2, along(in(0, 2)), false, false},
	} {
		for _, merging := range []bool{true, false} {
			set := New(merging)
			put(set, 1, NoClass, along(in(0, 2)), along(in(4, 4)))
			want := c.equals
			if merging {
				want = c.merging
			}
			if got := set.Has(fingerprint.Print{A: c.key}, c.z); got != want {
				t.Errorf("merging %v: %v of state %d is known: %v", merging, c.z.M, c.key, got)
			}
		}
	}
}

// Classes are numbered as they come. One that a later one contains is in its place no more, a
// state is new once, and a layer that finds nothing new adds none.
func TestClassesAreNumbered(t *testing.T) {
	in := model.Between
	set := New(true)
	for k, c := range []struct {
		key   uint64
		zones []zone.Zone
		ids   []uint32
		fresh bool
		live  int // classes of the state that count
	}{
		{7, []zone.Zone{along(in(0, 1)), along(in(3, 4))}, []uint32{0, 1}, true, 2},
		{7, []zone.Zone{along(in(0, 1))}, nil, false, 2},
		{9, []zone.Zone{along(in(0, 1))}, []uint32{2}, true, 1},
		{7, []zone.Zone{along(in(0, 2))}, []uint32{3}, false, 2},
		{7, []zone.Zone{along(in(0, 4))}, []uint32{4}, false, 1},
		{9, []zone.Zone{along(in(1, 2)), along(in(0, 1))}, []uint32{5}, false, 2},
	} {
		ids, fresh := put(set, c.key, uint32(k), c.zones...)
		if !slices.Equal(ids, c.ids) || fresh != c.fresh {
			t.Errorf("layer %d: classes %v, the state is new: %v; want %v, %v", k, ids, fresh, c.ids, c.fresh)
		}
		if live := set.States[set.index[fingerprint.Print{A: c.key}]].live; len(live) != c.live {
			t.Errorf("layer %d: classes %v count, want %d", k, live, c.live)
		}
		for _, id := range ids {
			class := set.List[id]
			if v := set.States[class.State].V; !slices.Equal(v, []uint32{uint32(c.key)}) || !slices.Equal(*class.From, []uint32{uint32(k)}) {
				t.Errorf("layer %d: class %d is of state %v, and comes from %v", k, id, v, *class.From)
			}
		}
	}
	if len(set.States) != 2 || len(set.List) != 6 {
		t.Errorf("there are %d states and %d classes", len(set.States), len(set.List))
	}
}

// What was found is the same whichever searcher found it, in whatever order; a zone that is found
// again is kept once, and takes no memory.
func TestSearchersTogether(t *testing.T) {
	type find struct {
		key    uint64
		z      zone.Zone
		parent uint32
	}
	r := rand.New(rand.NewPCG(3, 4))
	var finds []find
	for i := range 60 {
		f := find{uint64(r.IntN(4)), someZone(r), uint32(r.IntN(5))}
		if i%3 == 0 && i > 0 { // found before, from elsewhere
			f = find{finds[i-1].key, finds[i-1].z, 5 + uint32(i)}
		}
		finds = append(finds, f)
	}
	said := ""
	for range 20 {
		found := []Findings{{}, {}, {}}
		for _, f := range finds {
			some := found[r.IntN(len(found))]
			key, v, z := fingerprint.Print{A: f.key}, []uint32{uint32(f.key)}, f.z.Clone()
			if some.Add(key, v, z, f.parent); some.Add(key, v, z, f.parent) {
				t.Fatal("what was found again is new")
			}
			v[0] = 99 // who found it uses both again
			clear(z.M)
		}
		set := New(true)
		settled(set, found...)
		for _, f := range finds {
			if !set.Has(fingerprint.Print{A: f.key}, f.z) {
				t.Fatalf("%v of state %d was found, and is not known", f.z.M, f.key)
			}
		}
		text := fmt.Sprint(set.Size)
		for _, s := range set.States {
			text += fmt.Sprintln(s.V)
		}
		if strings.Contains(text, "99") {
			t.Fatalf("of what was found is kept what was written over it: %s", text)
		}
		for _, c := range set.List {
			text += fmt.Sprintln(set.States[c.State].Key, c.Zone.M, *c.From)
		}
		if said == "" {
			said = text
		}
		if text != said || len(set.States) != 4 {
			t.Fatalf("once %s\nand then\n%s", said, text)
		}
		if len(found[0])+len(found[1])+len(found[2]) > 0 {
			t.Fatal("what was found is left for the next layer")
		}
		r.Shuffle(len(finds), func(i, j int) { finds[i], finds[j] = finds[j], finds[i] })
	}
}

// Classes of different states share the memory of a zone that they have in common.
func TestZonesAreShared(t *testing.T) {
	set := New(true)
	put(set, 1, NoClass, along(model.Between(0, 2)))
	once := set.Size
	put(set, 2, NoClass, along(model.Between(0, 2)))
	if a, b := set.List[0].Zone, set.List[1].Zone; &a.M[0] != &b.M[0] || set.Size >= 2*once {
		t.Errorf("a zone of two states is kept twice, in %d bytes; once it takes %d", set.Size, once)
	}
}
