package plan

import (
	"fmt"
	"slices"

	"contend/model"
)

// UsualReading returns the reading of time of a check for which none was chosen: the grid if one of the claims that it
// asks for cannot be checked untimed, else untimed. Where all checks that the protocol lists are untimed, only a claim that is
// asked for by its name counts. The note gives the reason in a sentence; it is empty where no claim needs time. The check's own reading is not looked at.
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
	variant, _ := p.Variant(c.Variant) // one that there is not is refused by the check
	timely := []model.Assumption{model.Timed}
	if !c.AssumeAnyway { // else these are passed over
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
