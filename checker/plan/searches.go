package plan

import (
	"reflect"
	"slices"
	"strings"

	"contend/checker/search/decide"
	"contend/model"
)

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

// needsOf says what a claim needs in a search; no graph where it is not decided at all.
func needsOf(claim model.Claim, s *model.System, r model.Reading) (n needs) {
	if claim.Causal != nil {
		n.causal = reflect.ValueOf(claim.Causal).Pointer()
	}
	if _, may := decide.Before(claim, s, decide.ReadingOf(r)); !may {
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

// searches returns the rows of a check that is searched: first the claims that say nothing of a search of their own, with those
// that are not put to the test; then the others, of which those that need the same share one.
func (pl *Plan) searches(b *built, claims []model.Claim) (all []*Row, err error) {
	first, full := pl.row(pl.Check, b, nil), pl.Check
	full.Config = b.system.Config // with the sizes that are not set, for a claim's Apart to cut down
	for _, claim := range claims {
		if !searchable(pl.Protocol, pl.Check, b.system, claim) {
			first.add(claim, needs{}, true)
			continue
		}
		c := full
		if claim.Apart != nil {
			c = claim.Apart(full)
		}
		own, err := pl.build(c)
		if err != nil {
			return nil, err
		}
		n := needsOf(claim, own.system, c.Reading)
		if claim.Apart == nil && n.causal == 0 && n.graph != game {
			first.add(claim, n, false)
			continue
		}
		i := slices.IndexFunc(all, func(r *Row) bool { return n.like(r.needs) && reflect.DeepEqual(c, r.Check) })
		if i < 0 {
			i, all = len(all), append(all, pl.row(c, own, nil))
			all[i].needs = n
		}
		all[i].add(claim, n, false)
	}
	if len(first.Claims) > 0 || len(all) == 0 {
		all = append([]*Row{first}, all...)
	}
	return all, nil
}

// ByGraph splits a row by the graphs that its claims need, the cheapest first. Claims that no search is for are
// reported with the first.
func (r *Row) ByGraph() (apart []*Row) {
	part := func(in func(c Claim) bool) []Claim {
		return slices.DeleteFunc(slices.Clone(r.Claims), func(c Claim) bool { return !in(c) })
	}
	idle := part(func(c Claim) bool { return c.Idle })
	for g := noGraph; g <= game; g++ {
		if claims := part(func(c Claim) bool { return !c.Idle && c.graph == g }); len(claims) > 0 {
			one := *r
			one.Claims = slices.Concat(idle, claims)
			apart, idle = append(apart, &one), nil
		}
	}
	if len(apart) == 0 {
		return []*Row{r}
	}
	return apart
}

// Beside names the claims of the other rows.
func (r *Row) Beside(all []*Row) string {
	var names []string
	for _, other := range all {
		for _, claim := range other.Claims {
			if !slices.ContainsFunc(r.Claims, func(c Claim) bool { return c.Name == claim.Name }) {
				names = append(names, claim.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
