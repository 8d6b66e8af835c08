package plan

import (
	"reflect"
	"slices"
	"strings"

	"contend/checker/search/decide"
	"contend/model"
)

// A Search is what one search decides of a check.
type Search struct {
	Check  model.Check // with bounds and a reading of its own, where its claims have them
	Claims []model.Claim
	apart  bool // its claims say themselves that they are searched apart
	needs  needs
}

// needs are what the search for a claim needs.
type needs struct {
	graph   graph
	against model.Adversary
	causal  uintptr // the function that selects what causal pasts count; 0 where none are kept
}

// graph is what a search has to know of the graph of all states, the cheapest first.
type graph int

const (
	noGraph  graph = iota // states are judged one by one
	reach                 // what can be reached from where
	fairness              // which events each step takes and makes anew, without reductions
	game                  // what is chance and what the adversary's, without reductions
)

// needsOf says what a claim needs in a check; no graph where it is not decided at all.
func needsOf(p *model.Protocol, c model.Check, claim model.Claim) (n needs) {
	if claim.Causal != nil {
		n.causal = reflect.ValueOf(claim.Causal).Pointer()
	}
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return n // for the search to report
	}
	if _, may := decide.Before(claim, s, decide.ReadingOf(c.Reading)); !may {
		return n
	}
	switch claim.Kind {
	case model.PossibleFromEverywhere:
		n.graph = reach
	case model.Eventually:
		n.graph = fairness
	case model.AlmostSurely:
		n.graph, n.against = game, claim.Against
	}
	return n
}

// like reports whether claims with these needs share a search that is theirs alone: with one under fairness
// only another does.
func (n needs) like(m needs) bool {
	return n.against == m.against && n.causal == m.causal && (n.graph == m.graph || n.graph < fairness && m.graph < fairness)
}

// Searches are those of a check: first the claims that say nothing of a search of their own, with those
// that are not put to the test; then the others, of which those that need the same share one.
func Searches(p *model.Protocol, c model.Check, claims []model.Claim) (all []Search) {
	first := Search{Check: c}
	for _, claim := range claims {
		one := partFor(p, c, claim)
		if !Searchable(p, c, claim) || !one.apart && one.needs.causal == 0 && one.needs.graph != game {
			first.Claims = append(first.Claims, claim)
			continue
		}
		i := slices.IndexFunc(all, func(b Search) bool { return one.needs.like(b.needs) && reflect.DeepEqual(one.Check, b.Check) })
		if i < 0 {
			i, all = len(all), append(all, one)
		}
		all[i].Claims = append(all[i].Claims, claim)
	}
	if len(first.Claims) > 0 || len(all) == 0 {
		all = append([]Search{first}, all...)
	}
	return all
}

// partFor is the search that a claim needs, without it.
func partFor(p *model.Protocol, c model.Check, claim model.Claim) Search {
	one := Search{Check: filled(p, c), apart: claim.Apart != nil}
	if one.apart {
		one.Check = claim.Apart(one.Check)
	}
	one.needs = needsOf(p, one.Check, claim)
	return one
}

// filled gives a check the sizes that are not set, for a claim's Apart to cut down.
func filled(p *model.Protocol, c model.Check) model.Check {
	if s, err := p.System(c.Variant, c.Config); err == nil {
		c.Config = s.Config
	}
	return c
}

// ByGraph are the claims of a search by the graph that they need, the cheapest first. Claims that are not put
// to the test are reported with the first.
func (a Search) ByGraph(p *model.Protocol) (apart []Search) {
	var idle []model.Claim
	of := map[graph][]model.Claim{}
	for _, claim := range a.Claims {
		if !a.apart && !Searchable(p, a.Check, claim) {
			idle = append(idle, claim)
			continue
		}
		g := needsOf(p, a.Check, claim).graph
		of[g] = append(of[g], claim)
	}
	for g := noGraph; g <= game; g++ {
		if claims := of[g]; len(claims) > 0 {
			apart = append(apart, Search{Check: a.Check, Claims: slices.Concat(idle, claims)})
			idle = nil
		}
	}
	if len(apart) == 0 {
		return []Search{a}
	}
	return apart
}

// Beside names the claims of the other searches.
func (a Search) Beside(all []Search) string {
	var names []string
	for _, b := range all {
		for _, claim := range b.Claims {
			if !slices.ContainsFunc(a.Claims, func(c model.Claim) bool { return c.Name == claim.Name }) {
				names = append(names, claim.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
