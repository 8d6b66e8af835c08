// Package suspect stores the candidates of a layer that the interpreter must confirm: states and steps that
// seem to break a claim, and the extremes of costs.
//
// Workers find candidates in no fixed order. The stored candidates depend
// only on their contents, so that the report of a search does not depend on this order.
package suspect

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
)

// A Suspect is a state, or a step from it, that seems to break a claim.
type Suspect struct {
	Claim   int // index of the claim
	Monitor int // if Step: the monitor that reports
	Text    string
	Key     fingerprint.Print // of the state
	Step    bool
	Boot    bool // the step is the initial step of a run
	Fails   bool // the step ends in a failed handler
	Pinned  bool // the run must be real at exactly the times of the search
	// Measured is the number of a cost that the step reports, plus 1; else 0.
	Measured int32
}

// Matches reports whether a monitor's report of a step is the report of the suspect.
func (s *Suspect) Matches(b step.Broken) bool {
	return b.Monitor == s.Monitor && b.Measured == s.Measured
}

// PerClaim is the maximum number of suspects of a claim, the least by key. If the first suspects prove spurious,
// the next suspects are tried.
const PerClaim = 32

// Least sorts suspects and returns the first PerClaim of each claim. Of several suspects of a claim at one state it
// keeps one, preferably one without a failed step. It overwrites all.
func Least(all []Suspect) []Suspect {
	slices.SortFunc(all, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(a.Claim, b.Claim), cmp.Compare(a.Key.A, b.Key.A), compareBool(a.Fails, b.Fails))
	})
	all = slices.CompactFunc(all, func(a, b Suspect) bool { return a.Claim == b.Claim && a.Key == b.Key })
	var kept []Suspect
	for i, s := range all {
		if i < PerClaim || all[i-PerClaim].Claim != s.Claim {
			kept = append(kept, s)
		}
	}
	return kept
}

// compareBool compares false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
