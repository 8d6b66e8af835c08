package parts

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"contend/checker/search/fingerprint"
)

// What is asked arrives as it was asked, and owners are asked alike often.
func TestQuestions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, wide := range []bool{false, true} {
		q := Ask(nil, wide, true)
		type entry struct {
			p   fingerprint.Print
			tag uint32
		}
		var want, got []entry
		owners := make([]int, 7)
		for i := range 3000 {
			e := entry{fingerprint.Print{A: r.Uint64()}, uint32(i / 400)}
			if wide {
				e.p.B = r.Uint64()
			}
			q.Add(e.p, e.tag)
			want = append(want, e)
			owners[Owner(e.p, 7)]++
		}
		if err := Asked(q.Bytes(), func(p fingerprint.Print, tag uint32, exact bool) {
			if got = append(got, entry{p, tag}); !exact {
				t.Fatal("it is not exact any more")
			}
		}); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d entries of %d arrive, %v", len(got), len(want), err)
		}
		for _, n := range owners {
			if n < 350 || n > 510 {
				t.Errorf("owners are asked %v times", owners)
			}
		}
	}
}

// Bytes that nobody asked with are refused, and none of them is a panic.
func FuzzAsked(f *testing.F) {
	q := Ask(nil, true, false)
	q.Add(fingerprint.Print{A: 1, B: 2}, 3)
	f.Add(q.Bytes())
	f.Add([]byte{0, 1, 2, 3, 4, 5})
	f.Fuzz(func(t *testing.T, b []byte) {
		again := Ask(nil, len(b) > 0 && b[0]&1 != 0, len(b) > 0 && b[0]&2 != 0)
		n := 0
		if Asked(b, func(p fingerprint.Print, tag uint32, _ bool) { again.Add(p, tag); n++ }) != nil {
			return
		}
		m := 0
		if err := Asked(again.Bytes(), func(fingerprint.Print, uint32, bool) { m++ }); err != nil || m != n {
			t.Fatalf("%d fingerprints of %d arrive, %v", m, n, err)
		}
	})
}

// After states are sent, every part has about the mean, and none is sent what it would send on.
func TestEven(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		states := make([]int64, 1+r.IntN(9))
		sum := int64(0)
		for i := range states {
			states[i] = r.Int64N(10_000) * r.Int64N(3)
			sum += states[i]
		}
		mean := sum / int64(len(states))
		before := append([]int64(nil), states...)
		for _, x := range Even(states) {
			if x.States <= 0 || before[x.From] <= mean || before[x.To] >= mean {
				t.Fatalf("%v: %+v", before, x)
			}
			states[x.From] -= x.States
			states[x.To] += x.States
		}
		for i, n := range states {
			if n > mean+max(mean/8, few)+few*int64(len(states)) {
				t.Fatalf("%v become %v: part %d has too many", before, states, i)
			}
		}
	}
}
