package plan

import (
	"fmt"
	"slices"

	"contend/model"
)

// UsualReading returns the default reading of time of a check: the grid if some claim of the check cannot be
// checked untimed, else untimed. If all checks that the protocol lists are untimed, only a claim that is named in
// the check counts. The note is the reason in a sentence; it is "" if no claim needs time. The reading of the check
// is ignored.
func UsualReading(p *model.Protocol, c model.Check) (reading model.Reading, note string) {
	timed := timedClaim(p, c)
	timeless := !slices.ContainsFunc(p.Checks, func(c model.Check) bool { return c.Reading != model.Untimed })
	switch {
	case timed == "":
		return model.Untimed, ""
	case len(c.Claims) == 0 && len(p.Checks) > 0 && timeless:
		return model.Untimed, fmt.Sprintf("time is not read, as in the listed checks: claim %q needs --time grid", timed)
	}
	return model.Grid, fmt.Sprintf("time is read on the grid: claim %q cannot be checked untimed; --time chooses another reading", timed)
}

// timedClaim returns the name of the first claim that a check asks for and that cannot be checked untimed, or "".
func timedClaim(p *model.Protocol, c model.Check) string {
	variant, _ := p.Variant(c.Variant) // an unknown variant is an error of the check
	timely := []model.Assumption{model.Timed}
	if !c.AssumeAnyway { // else these are ignored
		timely = append(timely, model.Synchronous, model.StableFromStart)
	}
	for _, claim := range p.Statements() {
		asked := (len(c.Claims) == 0 || slices.Contains(c.Claims, claim.Name)) && !slices.Contains(variant.Unclaimed, claim.Name)
		if asked && slices.ContainsFunc(variant.Made(claim).Assumes, func(a model.Assumption) bool { return slices.Contains(timely, a) }) {
			return claim.Name
		}
	}
	return ""
}
