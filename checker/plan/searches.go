package plan

import (
	"reflect"
	"slices"
	"strings"

	"contend/checker/search/decide"
	"contend/model"
)

// A needs lists the requirements of a claim on its search.
type needs struct {
	graph   graph
	against model.Adversary
	causal  uintptr // the function that selects observations for causal pasts; 0 without causal pasts
}

// A graph is the information about the state graph that a search needs. Values are ordered by cost.
type graph int

const (
	noGraph  graph = iota // states are judged separately
	reach                 // reachability
	fairness              // the events that each step takes and renews, without reductions
	game                  // moves of chance and of the adversary, without reductions
)

// needsOf returns what a claim needs from a search. A claim that is never decided needs no graph.
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

// compatible reports whether claims with these needs can share a search of their own. A claim under fairness
// shares a search only with others under fairness.
func (n needs) compatible(m needs) bool {
	return n.against == m.against && n.causal == m.causal && (n.graph == m.graph || n.graph < fairness && m.graph < fairness)
}

// searches returns the rows of a check that is searched. The first row has the claims that need no search of
// their own, and the claims without a test. Then follow the other claims; claims with equal needs share a row.
func (pl *Plan) searches(b *built, claims []model.Claim) (all []*Row, err error) {
	first, full := pl.row(pl.Check, b, nil), pl.Check
	full.Config = b.system.Config // with defaults, for a claim's Apart to reduce
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
		i := slices.IndexFunc(all, func(r *Row) bool { return n.compatible(r.needs) && reflect.DeepEqual(c, r.Check) })
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

// ByGraph splits a row by the graphs that its claims need, in the order of cost. Idle claims are in the first
// part.
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

// Beside returns the names of the claims of the other rows, separated by commas.
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
