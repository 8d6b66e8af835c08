package search

import (
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/model"
)

// Every search also tests the claim model.NoHandlerFails. Its index is behind the other claims. A step whose
// handler fails has no successor. The search continues with the other steps.

// failing returns the index of the claim that no handler fails.
func (x *explorer) failing() int { return len(x.claims) }

// kind returns the kind of a claim.
func (x *explorer) kind(claim int) model.Kind {
	if claim == x.failing() {
		return model.Always
	}
	return x.claims[claim].Kind
}

// failed is called for each step that ends in a failed handler.
func (s *searcher) failed([]uint32) {
	if s.Move.Kind == model.Forge && s.Move.Base == 0 { // nothing is forged where Forge itself fails
		s.fails(s.Move.Broken[0].Text, s.present)
		return
	}
	s.report()
}

// fails adds a suspect: a function that evaluates a state fails there.
func (s *searcher) fails(text string, key fingerprint.Print) {
	s.suspect(suspect.Suspect{Claim: s.x.failing(), Monitor: step.Failing, Text: text, Key: key})
}

// leaveFailed leaves open every claim that is not refuted or reached if a handler fails. How a run would continue
// without the failure is unknown.
func (x *explorer) leaveFailed() {
	if !x.failures {
		return
	}
	for i := range x.claims {
		if o := &x.res.Claims[i]; o.Limit.None() || o.Limit.Code == decide.Cut && !x.wasCut() {
			o.Limit = decide.Limited(Failure)
		}
	}
	x.res.Notes = append(x.res.Notes, "a run ends where a handler fails: what would come then is not known")
}

// Failure is the limit of a verdict that would depend on runs which end in a failed handler.
const Failure = "failure"
