package confirm

import (
	"flag"
	"slices"
	"testing"
	"time"

	"contend/checker/judge"
	"contend/checker/search"
	"contend/impl"
	"contend/model"
	"contend/model/value"
)

// large are the mutants that are not caught within the states that TestMutantsAreConfirmed
// looks at. They are left to the tests of their protocols.
var large = []string{
	"ordering/applies-again",
	"ordering/commit-does-not-raise",
	"ordering/completed-very-early",
	"ordering/earlier-acks",
	"ordering/propose-does-not-raise",
	"ordering/responses-overwritten",
}

var full = flag.Bool("full", false, "confirm all mutants and not each sixth, and four times as many random systems")

// few is how many random systems are tried.
func few(all uint64) uint64 {
	if *full {
		return all
	}
	return all / 4
}

// Every mutant of the suite is caught by the claim that it names, by a run that the
// interpreter takes too, ending in the same states. Without -full one mutant in six is taken.
func TestMutantsAreConfirmed(t *testing.T) {
	for _, p := range impl.Suite {
		for i, v := range p.Variants {
			if !v.Mutant() || !*full && i%6 != 0 {
				continue
			}
			t.Run(p.Name+"/"+v.Name, func(t *testing.T) {
				if slices.Contains(large, p.Name+"/"+v.Name) {
					t.Skip("its search is large")
				}
				claim, err := p.Claim(v.Breaks)
				if err != nil {
					t.Fatal(err)
				}
				check := v.Show
				if claim.Apart != nil {
					check = claim.Apart(check)
				}
				s, err := p.System(v.Name, check.Config)
				if err != nil {
					t.Fatal(err)
				}
				claims := judge.Watched([]model.Claim{claim})
				codec, err := value.New(s, claim.Object.Types...)
				if err != nil {
					t.Fatal(err)
				}
				timed := check.Reading == model.Grid
				var run *Run
				start := time.Now()
				res, err := search.Run(s, claims, search.Options{
					MaxStates: 100_000,
					Timed:     timed, Symmetry: claim.Kind != model.Eventually, Stale: claim.Kind != model.Eventually,
					Confirm: func(c search.Candidate) (is search.Confirmation, err error) {
						run, is, err = Take(s, codec, claims, timed, c)
						return is, err
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				if !res.Limit.None() && len(res.Violated()) == 0 {
					t.Skipf("not caught within %d states", res.States)
				}
				if len(res.Violated()) == 0 {
					t.Fatalf("%s holds: %d states, complete %v, %d spurious", claim.Name, res.States, res.Complete, res.Claims[0].Spurious)
				}
				t.Logf("%s: %d steps, %d states, parts %d, %v, spurious %d, %s %v", claim.Name, len(run.Records), res.States, run.Parts, time.Since(start).Round(time.Millisecond), res.Claims[0].Spurious, res.Claims[0].Violated.Text, res.Notes)
			})
		}
	}
}
