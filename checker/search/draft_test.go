package search

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/lab/random"
	"contend/model"
)

// undrafted makes every successor at once for as long as something is done.
func undrafted(what func()) {
	defer func() { drafting = true }()
	drafting = false
	what()
}

// sameUndrafted compares a search with one that makes every successor, in all that they
// show, with parents that are exact from the start and with others. It reports whether
// drafts were made at all.
func sameUndrafted(t *testing.T, name string, s *model.System, claims []model.Claim, opt Options) bool {
	t.Helper()
	for _, exact := range []int64{1, 1 << 40} {
		tuned(t, 1, exact, func() {
			var want searching
			undrafted(func() {
				want = searches(t, s, claims, opt, 1, false)
			})
			if got := searches(t, s, claims, opt, 1, false); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, parents exact until %d states: with drafts\n%+v\nwithout\n%+v", name, exact, *got.Result, *want.Result)
			}
		})
	}
	undrafted(func() {
		if makesDrafts(t, s, claims, opt) {
			t.Fatalf("%s: drafts are made where there are none", name)
		}
	})
	return makesDrafts(t, s, claims, opt)
}

// makesDrafts reports whether a search makes successors of drafts.
func makesDrafts(t *testing.T, s *model.System, claims []model.Claim, opt Options) bool {
	t.Helper()
	opt.Workers = 1
	return len(explored(t, s, claims, opt).workers[0].made) > 0
}

// What is looked up by its print before it is made is what the step would have made: a search
// with drafts and one without show the same states, transitions, layers, verdicts and
// counterexamples on random systems.
func TestDraftsChangeNothing(t *testing.T) {
	drafted, violated := 0, 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 17))
		s := random.System(r, true)
		if seed%2 == 0 {
			s = random.Refusals(r)
		}
		if seed%8 > 1 { // else it stays, and mostly forbids drafts
			s.Network.Channel = model.Bag
			s.Faults.Crashes, s.Faults.Restarts = 0, 0
		}
		claims := []model.Claim{never(0), quiet(1 + int(seed)%3), young, tells("1 is told", model.Sometimes, 1),
			{Name: "stops", Kind: model.Always, Done: true}}
		if sameUndrafted(t, fmt.Sprint("seed ", seed), s, claims, Options{Wide: seed%4 == 0, MaxStates: 1500}) {
			drafted++
		}
		violated += len(explore(t, s, Options{MaxStates: 1500}, claims...).Violated())
	}
	t.Logf("%d searches make drafts, %d claims are violated", drafted, violated)
	if drafted < 10 || violated < 20 {
		t.Error("too few systems of some kind")
	}
}

// So it is for the protocols.
func TestDraftsChangeNothingOfProtocols(t *testing.T) {
	for _, c := range []struct {
		p       *model.Protocol
		variant string
		config  model.Config
		claims  []string
	}{
		{backoff.Protocol, "", model.Config{N: 2}.With(backoff.Tries.Is(1)), []string{"Lemma 1, grants"}},
		{ordering.Protocol, "seeded", model.Config{N: 2}.With(ordering.Attempts.Is(1)), []string{"Theorem 1"}},
		{quorumlock.Protocol, "", model.Config{N: 4, B: 1}, []string{"mutual exclusion", "success"}},
		{ricartagrawala.Protocol, "", model.Config{N: 2}.With(model.Ops.Is(2)), safety},
	} {
		s, claims := built(t, c.p, c.variant, c.config, c.claims...)
		if !sameUndrafted(t, c.p.Name, s, claims, Options{MaxStates: 2000}) {
			t.Errorf("%s: no drafts are made", c.p.Name)
		}
	}
}
