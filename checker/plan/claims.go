// Package plan says what a check puts to the test, and in which searches: the claims that are asked for, those of them that the check
// may judge (claims.go), which of these share a search (searches.go), and which smaller check of the protocol's own to try instead
// (smaller.go). It runs nothing.
package plan

import (
	"slices"
	"strings"

	"contend/model"
)

// Searchable reports whether a claim is put to the test in a check: one that is not needs no search,
// and is reported with the others.
func Searchable(p *model.Protocol, c model.Check, claim model.Claim) bool {
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return true // for the search to report
	}
	reading := c.Reading
	if claim.Apart != nil && c.Schedules == 0 {
		reading = claim.Apart(c).Reading
	}
	variant, _ := p.Variant(c.Variant)
	return !slices.Contains(variant.Unclaimed, claim.Name) && len(Unmet(variant, claim, s, reading, c.AssumeAnyway)) == 0
}

// Unmet lists what keeps a claim from being put to the test: assumptions that are not met, unless
// they are to be passed over. Time cannot be for a claim of probability: its coins are drawn in it.
func Unmet(v model.Variant, c model.Claim, s *model.System, r model.Reading, anyway bool) []model.Assumption {
	list := v.Made(c).Unmet(s, r)
	if anyway {
		list = slices.DeleteFunc(list, func(a model.Assumption) bool { return a != model.Timed || c.Kind != model.AlmostSurely })
	}
	return list
}

// Unclaimed says why a check does not put a claim to the test in its system, or "".
func Unclaimed(v model.Variant, c model.Claim, s *model.System, check model.Check) string {
	if slices.Contains(v.Unclaimed, c.Name) {
		return "the option does not claim it"
	}
	if unmet := Unmet(v, c, s, check.Reading, check.AssumeAnyway); len(unmet) > 0 {
		return Assumes(unmet)
	}
	return ""
}

// Assumes says what a claim assumes.
func Assumes(list []model.Assumption) string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = string(a)
	}
	return "it assumes " + strings.Join(out, ", ")
}

// Claims are those of a protocol with these names, or those that it makes where there are none.
func Claims(p *model.Protocol, names []string) ([]model.Claim, error) {
	if len(names) == 0 {
		return p.Claims, nil
	}
	var claims []model.Claim
	for _, name := range names {
		claim, err := p.Claim(name)
		if err != nil {
			return nil, err
		}
		claims = append(claims, claim)
	}
	return claims, nil
}

// Undivided has claims that are searched apart searched within the bounds of the check: a run is none within others.
func Undivided(claims []model.Claim) []model.Claim {
	claims = slices.Clone(claims)
	for i := range claims {
		if claims[i].Apart != nil {
			claims[i].Apart = func(c model.Check) model.Check { return c }
		}
	}
	return claims
}
