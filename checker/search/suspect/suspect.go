// Package suspect keeps what a layer of a search leaves to be confirmed: states and steps that seem to break a
// claim, and the least and the most that costs come to.
//
// Workers find many of them in no certain order. What is kept depends on their contents alone, so that a search reports
// the same whoever finds them first.
package suspect

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
)

// A Suspect is a claim that a state, or a step from it, seems to break.
type Suspect struct {
	Claim   int // by place
	Monitor int // of a step
	Text    string
	Key     fingerprint.Print // of the state
	Step    bool
	Boot    bool // the step is the beginning of the run
	Fails   bool // the step ends in a handler that fails
	Pinned  bool // the run has to be real at the very times of the search
	// Measured is one more than the number of a cost that the step reports; 0 of others.
	Measured int32
}

// Shows reports whether what a monitor said of a step is what makes it a suspect.
func (s *Suspect) Shows(b step.Broken) bool {
	return b.Monitor == s.Monitor && b.Measured == s.Measured
}

// Kept is how many suspects are kept for each claim, the least by key: enough to go on when the first turn out
// to be none.
const Kept = 32

// Least sorts suspects, and keeps the first few for each claim. Of those of one claim at one state it keeps one, whose
// step does not fail if there is such.
func Least(all []Suspect) []Suspect {
	slices.SortFunc(all, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(a.Claim, b.Claim), cmp.Compare(a.Key.A, b.Key.A), ordered(a.Fails, b.Fails))
	})
	all = slices.CompactFunc(all, func(a, b Suspect) bool { return a.Claim == b.Claim && a.Key == b.Key })
	var kept []Suspect
	for i, s := range all {
		if i < Kept || all[i-Kept].Claim != s.Claim {
			kept = append(kept, s)
		}
	}
	return kept
}

// ordered puts false before true.
func ordered(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
