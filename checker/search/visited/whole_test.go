package visited

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage/faulty"
)

// How large tables are: at first, when they have grown, and where memory is limited. These numbers are those of the manual's figures of bytes per state.
func TestSizes(t *testing.T) {
	for wide, per := range map[bool]int64{false: 5, true: 3} {
		set := New(wide, 1)
		defer set.Close()
		assert.Equal(t, []int64{3 * 256 * per * 95 / 100, (3 + 8) * 256 * 64, (6 + 8) * 256 * 64}, []int64{set.limit, set.Bytes(), set.Grown()})
		for most, want := range map[int64]int64{1: 512, 64 * 600: 600 * per, 1 << 30: 3 * 256 * per * 95 / 100} {
			set.SpillTo(directory(t, &faulty.FS{}), most)
			assert.Equal(t, want, set.limit, "%d bytes", most)
			set.Shrink(1)
			assert.EqualValues(t, 512, set.limit)
		}
	}
	for groups, want := range map[uint64]uint64{3: 6, 4095: 8190, 4096: 8192, 4097: 4097 + 1229, 10_000: 13_000} {
		assert.Equal(t, want, (&Set{groups: groups}).more(), "%d groups", groups)
	}
	assert.True(t, Altered(fingerprint.Print{A: 1, B: 7}) && Altered(fingerprint.Print{A: 7, B: 1}) && !Altered(fingerprint.Print{A: 7, B: 7}))
}

// A fingerprint of which only the first half is written yet is waited for: whoever looks for it finds it, and whoever looks for another with
// the same first half does not.
func TestHalvesAreWaitedFor(t *testing.T) {
	set := New(true, 1)
	defer set.Close()
	b := set.bucket(7, 0)
	word := set.word(b, 0)
	for _, look := range []func(l *Lookup) uintptr{set.held, func(l *Lookup) uintptr { return set.occupy(l, 0) }} {
		for want, l := range []*Lookup{{Print: fingerprint.Print{A: 7, B: 20}, bucket: b}, {Print: fingerprint.Print{A: 7, B: 21}, bucket: b}} {
			*b = bucket{7}
			found := make(chan uintptr)
			begun := make(chan bool)
			go func() {
				close(begun)
				found <- look(l)
			}()
			<-begun
			time.Sleep(2 * time.Millisecond) // it has time to look, and to find nothing if it does not wait
			atomic.StoreUint64(second(word), 20)
			if at := <-found; at == 0 != (want == 0) {
				t.Errorf("%v is found at %d, where %v was written", l.Print, at, set.entry(b, 0))
			}
		}
	}
}

// A table that is written out when it may hold less is made shorter, and no shorter than by a quarter too much.
func TestATableIsCut(t *testing.T) {
	for _, groups := range []int64{4, 10, 40, 100} {
		set := New(false, 1)
		defer set.Close()
		for set.groups < 100 {
			set.grow()
		}
		met(t, set, 7, 8)
		most := (groups + spread) * groupSize * 64
		set.SpillTo(directory(t, &faulty.FS{}), most)
		emptied, err := set.spill()
		if err != nil || !emptied {
			t.Fatalf("it is emptied: %v, %v", emptied, err)
		}
		if longer := int64(set.groups+1)*4/3 + 1; set.Bytes() > most || longer < groups || int64(len(set.words))*8 != set.Bytes() || set.Len() != 0 || set.Find(fingerprint.Print{A: 7}) != nil {
			t.Errorf("it has %d groups, and may have %d", set.groups, groups)
		}
	}
}
