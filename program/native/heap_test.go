//go:build linux && amd64

package native_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/program/guest"
	"contend/program/native/testdata/heap/work"
)

// A worker is an instance that works, with the seeds of all calls that led to its state.
type worker struct {
	guest.Instance
	seeds []uint64
}

// call has a worker do a call, and returns what it comes to.
func (w *worker) call(t *testing.T, seed uint64) string {
	w.seeds = append(slices.Clip(w.seeds), seed)
	out, err := w.Step(w.Now()+1, call(fmt.Sprint(seed)))
	require.NoError(t, err, "after the seeds %v", w.seeds)
	require.Len(t, out, 1)
	return string(out[0].Data)
}

// A program's memory is as in a process of its own, whatever its collector does, and however states take turns in places.
func TestHeap(t *testing.T) {
	m := compile(t, "./testdata/heap", true)
	type kept struct {
		guest.Snapshot
		seeds []uint64
	}
	turns, most := 60, 12
	if *full {
		turns, most = 3_000, 30
	}
	r := rand.New(rand.NewPCG(3, 1))
	var workers []*worker
	for range 3 {
		workers = append(workers, &worker{Instance: begun(t, m, config("heap"))})
	}
	all := []kept{{workers[0].Snapshot(), nil}}
	for range turns {
		w := workers[r.IntN(len(workers))]
		switch r.IntN(5) {
		case 0:
			all = append(all[max(0, len(all)-12):], kept{w.Snapshot(), w.seeds})
		case 1:
			from := all[r.IntN(len(all))]
			w.Restore(from.Snapshot)
			w.seeds = from.seeds
		default:
			if len(w.seeds) == most {
				w.Restore(all[0].Snapshot)
				w.seeds = all[0].seeds
				continue
			}
			told := w.call(t, r.Uint64N(40))
			alone := work.New()
			var want string
			for _, seed := range w.seeds {
				want = alone.Do(seed)
			}
			require.Equal(t, want, told, "after the seeds %v", w.seeds)
		}
	}
}
