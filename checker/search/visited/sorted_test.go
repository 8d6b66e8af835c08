package visited

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// Runs say the same as a list of their entries does: what lies at each place and from it on, what claimants
// they hold of earlier layers, and what they are when they are merged.
func TestRunsAreLists(t *testing.T) {
	for _, wide := range []bool{false, true} {
		per := storage.BlockHolds / size(wide)
		for _, n := range []int{1, per - 1, per, per + 1, ahead * per, ahead*per + 1, 2*ahead*per + per} {
			t.Run(fmt.Sprintf("wide=%v/%d", wide, n), func(t *testing.T) { listed(t, wide, n) })
		}
	}
}

func listed(t *testing.T, wide bool, n int) {
	r, d := rand.New(rand.NewPCG(uint64(n), 7)), directory(t, &faulty.FS{})
	set := New(wide, 1)
	defer set.Close()
	set.BeginLayer(3)
	drawn := make([]fingerprint.Print, n+n/2)
	for i := range drawn {
		drawn[i] = set.Stored(fingerprint.Print{A: r.Uint64() >> r.IntN(8), B: r.Uint64()})
		if wide && i > 0 && r.IntN(3) == 0 {
			drawn[i].A = drawn[i-1].A
		}
	}
	slices.SortFunc(drawn, fingerprint.Compare)
	old, parents := map[fingerprint.Print]bool{}, map[fingerprint.Print]*parent{}
	for layer := 1; layer <= 3; layer++ {
		var list []Entry
		for _, i := range r.Perm(len(drawn))[:n] {
			e := Entry{drawn[i], 2*r.Uint32N(1<<20) + r.Uint32N(2)}
			list = append(list, e)
			old[e.Print] = old[e.Print] || layer < 3 || e.Note&1 == 0
			if parents[e.Print] == nil {
				parents[e.Print] = new(parent)
			}
			parents[e.Print].add(e.Note, layer)
		}
		slices.SortFunc(list, func(a, b Entry) int { return fingerprint.Compare(a.Print, b.Print) })
		run, err := write(d, wide, layer, func(yield func(Entry) bool) {
			for _, e := range list {
				if !yield(e) {
					return
				}
			}
		})
		require.NoError(t, err)
		set.runs = append(set.runs, run)
		for _, from := range []int{0, n / 2, n - 1} {
			e, err := run.at(int64(from))
			require.NoError(t, err)
			require.Equal(t, list[from], e)
			c := run.read(list[from].Print)
			for i := from; i < n; i++ {
				if !c.advance() || c.Entry != list[i] {
					t.Fatalf("from %d on, %d is %v (%v), and not %v", from, i, c.Entry, c.err, list[i])
				}
			}
			require.False(t, c.advance())
			require.NoError(t, c.err)
		}
	}
	never := func() bool { return false }
	for _, part := range [][]fingerprint.Print{drawn, {drawn[n/2]}, {{A: 1}, drawn[n-1]}} { // side by side, and one by one
		var all []Claimant
		want, got := map[int64]bool{}, map[int64]bool{}
		for i, p := range part {
			all = append(all, Claimant{p, int64(i)})
			if old[p] {
				want[int64(i)] = true
			}
		}
		require.NoError(t, set.Winnow(all, func(i int64) { got[i] = true }, never))
		require.Equal(t, want, got)
	}
	var failed error
	var last fingerprint.Print
	held := 0
	merged(set.runs, &failed)(func(e Entry) bool {
		if p := parents[e.Print]; p == nil || p.note != e.Note&^1 || (p.open && p.layer == 3) != (e.Note&1 == 1) || !last.Less(e.Print) {
			t.Fatalf("%v comes after %v with the note %x, and not %v", e.Print, last, e.Note, p)
		}
		last = e.Print
		held++
		return true
	})
	require.NoError(t, failed)
	require.Len(t, parents, held)
}
