package plan

import (
	"slices"
	"strings"

	"contend/model"
)

// A Claim is a claim of a row, with the reasons why the row does not test it.
type Claim struct {
	model.Claim
	// Unclaimed is the reason why the row does not test the claim, or "".
	Unclaimed string
	// Unmet are the claim's assumptions that the row does not meet. If Unclaimed is "", the claim
	// is tested anyway.
	Unmet []model.Assumption
	// Idle is set if the check does not test the claim in the search that the claim requires.
	Idle bool

	graph graph // needed by the claim's search
}

// judge returns a claim as a check judges it in a system.
func judge(p *model.Protocol, c model.Check, s *model.System, claim model.Claim) Claim {
	variant, _ := p.Variant(c.Variant)
	is := Claim{Claim: claim, Unmet: variant.Made(claim).Unmet(s, c.Reading)}
	keeps := is.Unmet
	if c.AssumeAnyway { // but a claim of probability needs time: its coins are drawn in time
		keeps = slices.DeleteFunc(slices.Clone(keeps), func(a model.Assumption) bool { return a != model.Timed || claim.Kind != model.AlmostSurely })
	}
	if slices.Contains(variant.Unclaimed, claim.Name) {
		is.Unclaimed = "the option does not claim it"
	} else if len(keeps) > 0 {
		is.Unclaimed = Assumes(keeps)
	}
	return is
}

// searchable reports whether a check tests a claim in the search that the claim requires.
func searchable(p *model.Protocol, c model.Check, s *model.System, claim model.Claim) bool {
	if claim.Apart != nil && c.Schedules == 0 {
		c.Reading = claim.Apart(c).Reading
	}
	return judge(p, c, s, claim).Unclaimed == ""
}

// Met returns the claims that the row tests.
func (r *Row) Met() (met []model.Claim) {
	for _, c := range r.Claims {
		if c.Unclaimed == "" {
			met = append(met, c.Claim)
		}
	}
	return met
}

// Claimed reports whether the check tests some claim: the protocol or variant makes the claim, and its
// assumptions are met or ignored.
func (pl *Plan) Claimed() bool {
	return slices.ContainsFunc(pl.Rows, func(r *Row) bool { return slices.ContainsFunc(r.Claims, func(c Claim) bool { return !c.Idle }) })
}

// PassesOver reports whether a check tests some claim although its system does not meet the claim's
// assumptions. It returns true if a claim is unknown.
func PassesOver(p *model.Protocol, c model.Check, s *model.System) bool {
	claims, err := Claims(p, c.Claims)
	without := c
	without.AssumeAnyway = false
	return err != nil || c.AssumeAnyway && slices.ContainsFunc(claims, func(claim model.Claim) bool {
		return searchable(p, c, s, claim) && !searchable(p, without, s, claim)
	})
}

// Assumes returns a clause that lists assumptions.
func Assumes(list []model.Assumption) string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = string(a)
	}
	return "it assumes " + strings.Join(out, ", ")
}

// Claims returns the claims of a protocol with the given names; all claims if there are no names. An unknown
// name is an error.
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
