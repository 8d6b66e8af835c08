package plan

import (
	"slices"
	"strings"

	"contend/model"
)

// A Claim is one of a row, with what keeps it from being put to the test there.
type Claim struct {
	model.Claim
	// Unclaimed is why the row does not put the claim to the test, or "".
	Unclaimed string
	// Unmet lists what the claim assumes and the row does not meet. Unless Unclaimed says so, it is put to the test all the same.
	Unmet []model.Assumption
	// Idle says that no search is for the claim: its check does not put it to the test in the search that the claim asks for.
	Idle bool

	graph graph // that the search for it needs
}

// judged returns a claim as a check judges it in a system.
func judged(p *model.Protocol, c model.Check, s *model.System, claim model.Claim) Claim {
	variant, _ := p.Variant(c.Variant)
	is := Claim{Claim: claim, Unmet: variant.Made(claim).Unmet(s, c.Reading)}
	keeps := is.Unmet
	if c.AssumeAnyway { // but time cannot be passed over for a claim of probability: its coins are drawn in it
		keeps = slices.DeleteFunc(slices.Clone(keeps), func(a model.Assumption) bool { return a != model.Timed || claim.Kind != model.AlmostSurely })
	}
	if slices.Contains(variant.Unclaimed, claim.Name) {
		is.Unclaimed = "the option does not claim it"
	} else if len(keeps) > 0 {
		is.Unclaimed = Assumes(keeps)
	}
	return is
}

// searchable reports whether a check puts a claim to the test in the search that the claim asks for.
func searchable(p *model.Protocol, c model.Check, s *model.System, claim model.Claim) bool {
	if claim.Apart != nil && c.Schedules == 0 {
		c.Reading = claim.Apart(c).Reading
	}
	return judged(p, c, s, claim).Unclaimed == ""
}

// Met returns the claims that the row puts to the test.
func (r *Row) Met() (met []model.Claim) {
	for _, c := range r.Claims {
		if c.Unclaimed == "" {
			met = append(met, c.Claim)
		}
	}
	return met
}

// Claimed reports whether the check puts a claim to the test: one that its protocol, or its variant, makes, and whose assumptions it
// meets or passes over.
func (pl *Plan) Claimed() bool {
	return slices.ContainsFunc(pl.Rows, func(r *Row) bool { return slices.ContainsFunc(r.Claims, func(c Claim) bool { return !c.Idle }) })
}

// PassesOver reports whether a check puts a claim to the test in its system although it does not meet what the claim assumes.
func PassesOver(p *model.Protocol, c model.Check, s *model.System) bool {
	claims, err := Claims(p, c.Claims)
	without := c
	without.AssumeAnyway = false
	return err != nil || c.AssumeAnyway && slices.ContainsFunc(claims, func(claim model.Claim) bool {
		return searchable(p, c, s, claim) && !searchable(p, without, s, claim)
	})
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

// Undivided returns the claims without bounds of their own.
func Undivided(claims []model.Claim) []model.Claim {
	claims = slices.Clone(claims)
	for i := range claims {
		if claims[i].Apart != nil {
			claims[i].Apart = func(c model.Check) model.Check { return c }
		}
	}
	return claims
}
