package memo

import (
	"math/rand/v2"
	"testing"
)

// A table remembers the last number of each key, however often it grows, as a Go map does, and
// knows of no other key: for keys that are spread, that follow each other, and that meet.
func TestTableRemembersLikeMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, key := range map[string]func() uint64{
		"spread":    func() uint64 { return max(1, r.Uint64()) },
		"in a row":  func() uint64 { return Pair(r.Uint32N(200), 1+r.Uint32N(200)) },
		"one first": func() uint64 { return Pair(1+r.Uint32N(20_000), 0) },
	} {
		table, want := New(), map[uint64]uint32{}
		for range 20_000 {
			k, v := key(), r.Uint32N(5) // 0 is remembered, too
			table.Put(k, v)
			want[k] = v
			other := key()
			got, ok := table.Get(other)
			if w, known := want[other]; ok != known || got != w {
				t.Fatalf("%s: %x is %d, %v; want %d, %v", name, other, got, ok, w, known)
			}
		}
		for k, w := range want {
			if got, ok := table.Get(k); !ok || got != w {
				t.Fatalf("%s: %x is %d, %v; want %d", name, k, got, ok, w)
			}
		}
		upper := 0 // keys are looked for in all slots, however often it grew
		for k := range want {
			if 2*table.home(k) >= uint64(len(table.Slots)) {
				upper++
			}
		}
		if upper < len(want)*2/5 || upper > len(want)*3/5 {
			t.Errorf("%s: of %d keys %d belong to the upper half of the slots", name, len(want), upper)
		}
		if table.Used != len(want) || 2*table.Used > len(table.Slots)+1 || len(table.Slots) < 1<<12 {
			t.Errorf("%s: %d of %d slots are taken for %d keys", name, table.Used, len(table.Slots), len(want))
		}
	}
}

// Keys that belong to the last slot go on with the first.
func TestTableGoesRound(t *testing.T) {
	table, last := New(), uint64(255)
	var keys []uint64
	for k := uint64(1); len(keys) < 5; k++ {
		if table.home(k) == last {
			keys = append(keys, k)
		}
	}
	for i, k := range keys[:4] {
		table.Put(k, uint32(i))
	}
	for i, k := range keys {
		if got, ok := table.Get(k); ok != (i < 4) || ok && got != uint32(i) {
			t.Errorf("key %d: %d, %v", i, got, ok)
		}
	}
	if len(table.Slots) != 256 {
		t.Error("it grew")
	}
}

// A pair and the pair the other way round have keys of their own, none of them 0.
func TestPairs(t *testing.T) {
	of := map[uint64][2]uint32{}
	ids := []uint32{0, 1, 2, 1 << 16, 1<<32 - 1}
	for _, a := range ids {
		for _, b := range ids {
			if a == 0 && b == 0 {
				continue
			}
			k := Pair(a, b)
			if other, met := of[k]; met || k == 0 {
				t.Errorf("%d, %d has the key of %v", a, b, other)
			}
			of[k] = [2]uint32{a, b}
		}
	}
}

// Every bit of a pair is in its key.
func TestPair(t *testing.T) {
	for bit := range 32 {
		for key, want := range map[uint64]uint64{
			Pair(1<<bit, 0): 1 << (32 + bit), Pair(0, 1<<bit): 1 << bit,
		} {
			if key != want {
				t.Errorf("bit %d: %x, want %x", bit, key, want)
			}
		}
	}
}
