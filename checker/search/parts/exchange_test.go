package parts

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
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
			e := entry{fingerprint.Print{A: r.Uint64()}, uint32(i / 400 * 5 % 8)} // greater and smaller than the one before
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

// few states are not worth being sent.
const few = 128

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
		for _, x := range Even(states, few) {
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

// Who sends how much to whom: all that is beyond the mean, unless it is little, or more than an eighth beyond it, to
// those in turn that lack more than a little.
func TestTransfers(t *testing.T) {
	for _, c := range []struct {
		states []int64
		want   []Transfer
	}{
		{[]int64{1000}, nil},
		{[]int64{1000, 0}, []Transfer{{0, 1, 500}}},
		{[]int64{0, 1000}, []Transfer{{1, 0, 500}}},
		{[]int64{628, 372}, nil},
		{[]int64{629, 371}, []Transfer{{0, 1, 129}}},
		{[]int64{630, 373, 497}, nil},
		{[]int64{629, 372, 499}, []Transfer{{0, 1, 128}}},
		{[]int64{9000, 7000}, nil},
		{[]int64{9001, 6999}, []Transfer{{0, 1, 1001}}},
		{[]int64{3000, 0, 0}, []Transfer{{0, 1, 1000}, {0, 2, 1000}}},
		{[]int64{1500, 1500, 0}, []Transfer{{0, 2, 500}, {1, 2, 500}}},
		{[]int64{0, 2000, 2000, 0}, []Transfer{{1, 0, 1000}, {2, 3, 1000}}},
		{[]int64{0, 0, 4000}, []Transfer{{2, 0, 1333}, {2, 1, 1333}}},
	} {
		given := slices.Clone(c.states)
		if got := Even(given, few); !slices.Equal(got, c.want) || !slices.Equal(given, c.states) {
			t.Errorf("%v: %+v, and not %+v; it leaves %v", c.states, got, c.want, given)
		}
	}
}

// An owner has a range of the last 32 bits of the first half, whatever the first bits are.
func TestOwner(t *testing.T) {
	for _, high := range []uint64{0, 1 << 32, 1<<64 - 1<<32} {
		for low, want := range map[uint64]int{0: 0, 1<<30 - 1: 0, 1 << 30: 1, 1<<31 - 1: 1, 1 << 31: 2, 1<<32 - 1: 3} {
			p := fingerprint.Print{A: high + low, B: 7}
			if got := Owner(p, 4); got != want || Owner(p, 1) != 0 {
				t.Errorf("%v is of %d, and not of %d; alone, of %d", p, got, want, Owner(p, 1))
			}
		}
	}
}

// A question says in its first byte what it is, and names the parent before fingerprints that follow each other, up to
// 255 of them. One that is cut off, or has no such first byte, is refused.
func TestQuestionsInBytes(t *testing.T) {
	quiet := func(fingerprint.Print, uint32, bool) {}
	for head := range 6 {
		wide, exact := head&1 != 0, head&2 != 0
		q := Ask([]byte("left over"), wide, exact)
		whole := map[int]bool{1: true} // where the question may end
		for i := range 300 {
			tag := uint32(7)
			if i >= 260 {
				tag = 8
			}
			if q.Add(fingerprint.Print{A: uint64(i), B: 9}, tag); i == 254 || i == 259 || i == 299 {
				whole[len(q.Bytes())] = true
			}
		}
		b := q.Bytes()
		size := map[bool]int{false: 8, true: 16}[wide]
		if int(b[0]) != head%4 || b[1] != 7 || b[5] != 255 || len(b) != 1+3*5+300*size {
			t.Fatalf("%v, %v: it begins with %v, and has %d bytes", wide, exact, b[:6], len(b))
		}
		for n := range len(b) + 1 {
			said := 0
			err := Asked(b[:n], func(_ fingerprint.Print, tag uint32, is bool) {
				if said++; is != exact || (tag == 8) != (said > 260) {
					t.Fatalf("%v, %v: the %d-th has tag %d and is exact: %v", wide, exact, said, tag, is)
				}
			})
			if (err == nil) != whole[n] {
				t.Fatalf("%v, %v: cut off after %d bytes of %d it is read with %v", wide, exact, n, len(b), err)
			}
		}
		if err := Asked([]byte{byte(head)}, quiet); (err == nil) != (head < 4) {
			t.Errorf("one that begins with %d: %v", head, err)
		}
	}
	if Asked([]byte{0, 1, 0, 0, 0, 0}, quiet) == nil {
		t.Error("no fingerprint at all goes with a parent")
	}
}

// Answers of yes and no are those that were given.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		b, yes := NewBits(n), make([]bool, n)
		if len(b) != (n+7)/8 {
			t.Fatalf("%d answers take %d bytes", n, len(b))
		}
		for range n {
			for i := range yes {
				if b.Is(i) != yes[i] {
					t.Fatalf("of %d the %d-th is %v", n, i, !yes[i])
				}
			}
			i := r.IntN(n)
			b.Set(i)
			yes[i] = true
		}
	}
}

// Fingerprints are read as they were written, and no part of one.
func TestPrints(t *testing.T) {
	all := []fingerprint.Print{{A: 1, B: 2}, {A: 1 << 60, B: 3}, {}}
	b := Prints([]byte("ahead"), all)[len("ahead"):]
	if len(b) != 16*len(all) {
		t.Fatalf("%d bytes are written", len(b))
	}
	for n := range len(b) + 1 {
		got, err := ReadPrints(b[:n])
		if (err == nil) != (n%16 == 0) || err == nil && !slices.Equal(got, all[:n/16]) {
			t.Errorf("of %d bytes: %v, %v", n, got, err)
		}
	}
}

// Who is told that a part is lost can find out why.
func TestLost(t *testing.T) {
	why := errors.New("it is gone")
	if err := error(Lost{why}); !errors.Is(err, why) || err.Error() != "a part of the search is lost: it is gone" {
		t.Error(err)
	}
}
