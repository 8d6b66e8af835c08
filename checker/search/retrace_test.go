package search_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"contend/checker/confirm"
	"contend/checker/search"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A family makes random systems with claims.
type family struct {
	name  string
	make  func(r *rand.Rand, seed uint64) (*model.System, []model.Claim)
	seeds int
	found []uint64 // seeds beyond those that found something once
}

var families = []family{
	{"timed", func(r *rand.Rand, seed uint64) (*model.System, []model.Claim) {
		timing := random.Timing{Open: seed%3 > 0, Holds: seed%4 > 0, Loops: seed%5 == 0}
		s := random.Timed(r, timing)
		return s, timing.Paced(r)
	}, 180, []uint64{126, 171}},
	{"alike", func(r *rand.Rand, _ uint64) (*model.System, []model.Claim) {
		return search.Alike(r), search.Gossiping
	}, 130, []uint64{1713, 2328}},
	{"refusals", func(r *rand.Rand, _ uint64) (*model.System, []model.Claim) {
		return random.Refusals(r), search.Gossiping
	}, 100, nil},
	{"machines", func(r *rand.Rand, _ uint64) (*model.System, []model.Claim) {
		return random.System(r, true), search.Gossiping
	}, 100, nil},
}

// Searches of which each must show what one without any reduction shows.
var reduced = []search.Options{
	{Merge: true},
	{Merge: true, Workers: 3},
	{Symmetry: true},
	{Merge: true, Symmetry: true},
	{Merge: true, Clients: true},
	{Merge: true, Symmetry: true, Clients: true},
	{Merge: true, Stale: true},
}

// stepsOf is how long the ways in a text of verdicts are.
var stepsOf = regexp.MustCompile(` after \d+ steps`)

func called(o search.Options) string {
	return fmt.Sprintf("merging %v, symmetry %v, clients %v, stale %v, workers %d", o.Merge, o.Symmetry, o.Clients, o.Stale, o.Workers)
}

// shown is what a search in dense time shows.
type shown struct {
	verdicts string
	res      *search.Result
}

// denseSearch searches, and takes each violation to the interpreter; ok is false when it
// comes to no end.
func denseSearch(t *testing.T, name string, s *model.System, claims []model.Claim, most int64, opt search.Options) (got shown, ok bool) {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: %s: %v", name, called(opt), p)
		}
	}()
	opt.Timed, opt.Dense, opt.MaxStates = true, true, most
	opt.Confirm = func(c search.Candidate) (search.Confirmation, error) {
		_, is, err := confirm.Take(s, codec, claims, true, c)
		if err != nil || is != search.Real {
			return is, fmt.Errorf("a run of %d steps that breaks %s: %v, %v", len(c.Steps), claims[c.Claim].Name, is, err)
		}
		return is, nil
	}
	opt.Pure = true
	res, err := search.Run(s, claims, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Limit.None() {
		return got, false
	}
	for i, c := range claims {
		steps, found := 0, res.Claims[i].Violated
		if found != nil {
			steps = len(found.Steps)
		}
		got.verdicts += fmt.Sprintf("%s: violated %v after %d steps, reached %v, witnessed %v, undecided %q\n",
			c.Name, found != nil, steps, res.Claims[i].Reached, res.Claims[i].Witnessed, res.Claims[i].Limit.String())
	}
	got.res = res
	return got, true
}

// Every violation in dense time is confirmed, its way found again backwards through classes
// that were merged from many; and merging changes neither verdicts nor how long the ways
// are.
func TestDenseWaysAreConfirmed(t *testing.T) {
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			compared, found, fewer := 0, 0, 0
			seeds := f.found
			for seed := range uint64(search.Few(f.seeds/3, f.seeds/8)) {
				seeds = append(seeds, seed)
			}
			for _, seed := range seeds {
				name := fmt.Sprintf("%s %d", f.name, seed)
				s, claims := f.make(rand.New(rand.NewPCG(seed, 31)), seed)
				s.Faults.Duplication, s.Faults.Restarts = 0, 0
				plain, ok := denseSearch(t, name, s, claims, 400, search.Options{})
				if !ok {
					continue
				}
				compared++
				found += len(plain.res.Violated())
				for _, opt := range reduced {
					got, ok := denseSearch(t, name, s, claims, 4000, opt)
					if !ok {
						t.Errorf("%s: %s: no end, though there is one without", name, called(opt))
						continue
					}
					if opt.Stale { // its ways have no step for what it deletes
						got.verdicts, plain.verdicts = stepsOf.ReplaceAllString(got.verdicts, ""), stepsOf.ReplaceAllString(plain.verdicts, "")
					}
					if got.verdicts != plain.verdicts {
						t.Errorf("%s: %s:\n%snot\n%s", name, called(opt), got.verdicts, plain.verdicts)
					}
					if got.res.States < plain.res.States {
						fewer++
					}
				}
			}
			t.Logf("compared %d: %d searches have fewer classes; %d violations", compared, fewer, found)
			if fewer == 0 || found == 0 {
				t.Error("too little was found for the test to mean much")
			}
		})
	}
}
