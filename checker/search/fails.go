package search

import (
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/model"
)

// That no handler fails is a claim beside those that are searched for: model.NoHandlerFails. In
// results its place is behind theirs. A step whose handler fails leads nowhere, and the search
// goes on elsewhere; it never stops for want of such steps.

// failing is the place of the claim that no handler fails.
func (x *explorer) failing() int { return len(x.claims) }

// kind is that of a claim by its place.
func (x *explorer) kind(claim int) model.Kind {
	if claim == x.failing() {
		return model.Always
	}
	return x.claims[claim].Kind
}

// failed is told of each step that ends in a handler that fails.
func (s *searcher) failed([]uint32) {
	if s.Move.Kind == model.Forge && s.Move.Base == 0 { // nothing is forged where Forge itself fails
		s.fails(s.Move.Broken[0].Text, s.present)
		return
	}
	s.report()
}

// fails keeps that what is asked about a state fails there.
func (s *searcher) fails(text string, key fingerprint.Print) {
	s.suspect(suspect.Suspect{Claim: s.x.failing(), Monitor: step.Failing, Text: text, Key: key})
}

// leaveFailed leaves every claim open that is not refuted, or reached, where a handler fails: what
// would follow if it did not is not known.
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

// Failure is the limit of a verdict that would rest on runs which end in a handler that fails.
const Failure = "failure"
