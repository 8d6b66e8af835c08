package search

import (
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A walk is a breadth-first search that shares with the engine only how a step is
// taken: it keeps whole states in a map, layer by layer, by itself.
type walk struct {
	widths      []int64
	transitions int64
	cut         map[string]int64
	broken      map[int]int                  // claims, with the fewest steps that break them
	keys        map[string]fingerprint.Print // of each state, by its vector
}

// walked goes through a system without symmetry, and hands every successor to each; ok
// is false when there are more states than most.
func walked(t *testing.T, s *model.System, claims []model.Claim, opt Options, most int, each func(w *step.Worker, v []uint32)) (r *walk, ok bool) {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	opt.Symmetry, opt.Clients = false, false
	x := newExplorer(s, codec, claims, pure(opt).withDefaults(), component.Closing, newGuesses())
	w := newSearcher(x, 0).Worker
	r = &walk{cut: map[string]int64{}, broken: map[int]int{}, keys: map[string]fingerprint.Print{}}
	for _, c := range s.Cuts {
		r.cut[c.Name] = 0
	}
	var layer, next [][]uint32
	breaks := func(claim, steps int) {
		if _, known := r.broken[claim]; !known {
			r.broken[claim] = steps
		}
	}
	w.Emit = func(v []uint32) {
		each(w, v)
		for _, b := range w.Move.Broken {
			breaks(x.claimOf[b.Monitor], len(r.widths))
		}
		r.transitions++
		v = slices.Clone(v)
		step.SortParts(v[w.Head:])
		key := vectorKey(v)
		if _, known := r.keys[key]; !known {
			r.keys[key] = w.Sum
			next = append(next, v)
		}
	}
	w.Initial()
	r.transitions = 0
	for len(next) > 0 {
		layer, next = next, nil
		r.widths = append(r.widths, int64(len(layer)))
		for _, v := range layer {
			if len(r.keys) > most {
				return r, false
			}
			w.Expand(v, w.PrintOfState(v))
			for k, c := range s.Cuts {
				r.cut[c.Name] += int64(w.Cuts >> k & 1)
			}
			for i, c := range claims {
				if c.Kind == model.Always && c.Done && !w.Movable && !w.Repairs && len(w.Withheld) == 0 && !w.Done(v) {
					breaks(i, len(r.widths)-1)
				}
			}
		}
	}
	return r, true
}

func (r *walk) size() size { return size{int64(len(r.keys)), r.transitions, len(r.widths) - 1} }

// vectorKey names a vector by its content.
func vectorKey(v []uint32) string {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return string(b)
}

// somewhere is a random system of one of three families.
func somewhere(seed uint64) *model.System {
	r := rand.New(rand.NewPCG(seed, 11))
	switch seed % 3 {
	case 0:
		return random.System(r, true)
	case 1:
		return random.Refusals(r)
	}
	return alike(r)
}

// full is for who changes the search: go test ./checker/search -full.
var full = flag.Bool("full", false, "try more random systems, the larger protocols too, and more of the calls that can fail")

// few is how often a test tries: often with -full.
func few(often, quick int) int {
	if *full {
		return often
	}
	return quick
}
