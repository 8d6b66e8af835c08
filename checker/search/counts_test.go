package search

import (
	"fmt"
	"testing"

	"contend/checker/judge"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// built is a protocol's system with some of its claims.
func built(t testing.TB, p *model.Protocol, variant string, c model.Config, names ...string) (*model.System, []model.Claim) {
	t.Helper()
	s, err := p.System(variant, c)
	if err != nil {
		t.Fatal(err)
	}
	var claims []model.Claim
	for _, name := range names {
		claim, err := p.Claim(name)
		if err != nil {
			t.Fatal(err)
		}
		claims = append(claims, claim)
	}
	return s, judge.Watched(claims)
}

// size is how large a state space is.
type size struct {
	states, transitions int64
	depth               int
}

func (r *Result) size() size { return size{r.States, r.Transitions, r.Depth} }

var safety = []string{"mutual exclusion", "lock", "deadlock freedom"}

// Ricart–Agrawala with three processes has these state spaces, and its safety claims
// add no state to them: their monitors remember nothing that the nodes do not show.
func TestRicartAgrawalaStateSpace(t *testing.T) {
	for ops, want := range map[int]size{
		2: {42_319, 140_446, 42},
		3: {201_152, 679_037, 63},
		4: {616_615, 2_099_128, 84},
	} {
		for _, claims := range [][]string{nil, safety} {
			if ops > 3 && !*full {
				continue
			}
			t.Run(fmt.Sprintf("ops=%d/claims=%d", ops, len(claims)), func(t *testing.T) {
				s, watched := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(ops)), claims...)
				r := explore(t, s, Options{}, watched...)
				if r.size() != want || !r.Complete || len(r.Violated()) > 0 {
					t.Errorf("%+v, complete %v, violated %v; want %+v", r.size(), r.Complete, r.Violated(), want)
				}
			})
		}
	}
}

// The backoff protocol on the grid has these state spaces under Lemma 1, without and
// with reductions, and a reduction never makes one larger.
func TestBackoffStateSpace(t *testing.T) {
	for _, c := range []struct {
		n, tries     int
		whole, small size // a zero size is not searched
	}{
		{1, 1, size{108, 192, 8}, size{108, 192, 8}},
		{1, 2, size{116, 300, 10}, size{116, 300, 10}},
		{2, 1, size{2_389, 6_328, 12}, size{1_253, 3_326, 12}},
		{2, 2, size{5_185, 14_618, 21}, size{2_747, 7_876, 21}},
		{3, 1, size{70_775, 258_278, 16}, size{7_983, 31_186, 14}},
		{3, 2, size{}, size{16_457, 65_366, 25}},
	} {
		for reduced, want := range map[bool]size{false: c.whole, true: c.small} {
			if want == (size{}) {
				continue
			}
			t.Run(fmt.Sprintf("n=%d/tries=%d/reduced=%v", c.n, c.tries, reduced), func(t *testing.T) {
				s, claims := built(t, backoff.Protocol, "", model.Config{N: c.n}.With(backoff.Tries.Is(c.tries)), "Lemma 1")
				r := explore(t, s, Options{Timed: true, Symmetry: reduced, Stale: reduced}, claims...)
				if r.size() != want || !r.Complete || len(r.Violated()) > 0 {
					t.Errorf("%+v, complete %v, violated %v; want %+v", r.size(), r.Complete, r.Violated(), want)
				}
			})
		}
	}
}

// The cache of handlers' results changes no count: only how often handlers run.
func TestCacheChangesNoCount(t *testing.T) {
	for _, timed := range []bool{false, true} {
		s, claims := built(t, backoff.Protocol, "", model.Config{N: 2}.With(backoff.Tries.Is(1)), "Lemma 1, grants")
		opt := Options{Timed: timed, Symmetry: true, Stale: true}
		cached := explore(t, s, opt, claims...)
		opt.NoCache = true
		anew := explore(t, s, opt, claims...)
		if cached.size() != anew.size() || !cached.Complete || !anew.Complete || len(anew.Violated()) != len(cached.Violated()) {
			t.Errorf("timed %v: with the cache %+v, without %+v", timed, cached.size(), anew.size())
		}
		if anew.HandlerCalls <= cached.HandlerCalls {
			t.Errorf("timed %v: %d handler runs with the cache, %d without", timed, cached.HandlerCalls, anew.HandlerCalls)
		}
	}
}
