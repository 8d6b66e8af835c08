package replay

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/traces"
)

// watch returns the claims to monitor: the claims in Watched or, if it is empty, the claims of the protocol
// whose assumptions the trace meets. The claim that the trace violates is always included.
func watch(p *model.Protocol, t *traces.Trace, s *model.System, claims []model.Claim) ([]model.Claim, error) {
	if claims == nil {
		claims = p.Statements()
	}
	var watched []model.Claim
	if t.Cost != nil {
		return metered(p, t)
	}
	if len(t.Watched) == 0 {
		variant, _ := p.Variant(t.Variant)
		for _, c := range claims {
			if watchable(c) && (c.Name == t.Claim || hasClaim(p, c.Name) && len(variant.Made(c).Unmet(s, t.Reading())) == 0) {
				watched = append(watched, c)
			}
		}
		return watched, violable(t, watched)
	}
	for _, name := range t.Watched {
		i := slices.IndexFunc(claims, func(c model.Claim) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("watched: protocol %s has no claim %.60q", p.Name, name)
		}
		if watchable(claims[i]) {
			watched = append(watched, claims[i])
		}
	}
	return watched, violable(t, watched)
}

// hasClaim reports whether the protocol has a claim of the name.
func hasClaim(p *model.Protocol, name string) bool {
	return slices.ContainsFunc(p.Claims, func(c model.Claim) bool { return c.Name == name })
}

// watchable reports whether one run can decide anything about the claim.
func watchable(c model.Claim) bool { return c.Monitor != nil || c.Invariant != nil || c.Done }

// violable returns an error if the trace's claim is not monitored, or if no single run violates it.
func violable(t *traces.Trace, watched []model.Claim) error {
	if t.Claim == "" || t.Claim == model.NoHandlerFails {
		return nil
	}
	i := slices.IndexFunc(watched, func(c model.Claim) bool { return c.Name == t.Claim })
	switch {
	case i < 0:
		return fmt.Errorf("claim is %.60q, but no claim of that name is watched", t.Claim)
	case watched[i].Kind == model.Sometimes:
		return fmt.Errorf("claim is %.60q, but that is a witness, which no run violates", t.Claim)
	}
	return nil
}

// end returns "" if the end of the run is as recorded, and otherwise the reason for a divergence.
func (r *Replayer) end() string {
	if r.Trace.Cost != nil {
		return r.costs()
	}
	if r.Trace.Claim == "" {
		return ""
	}
	if r.Trace.Claim == model.NoHandlerFails {
		r.World.Forgeries() // Forge may be the handler that fails
	}
	for _, v := range r.World.Violations {
		if v.Claim == r.Trace.Claim {
			return ""
		}
	}
	if ahead(r.claim.Kind) {
		if r.World.Reached(r.claim) {
			return fmt.Sprintf("the goal of %s is reached", r.Trace.Claim)
		}
		return r.goesOn()
	}
	return fmt.Sprintf("%s is not violated", r.Trace.Claim)
}
