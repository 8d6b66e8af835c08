package checker

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/model"
)

// A part is what one search decides of a check.
type part struct {
	check  model.Check // with bounds and a reading of its own, where its claims have them
	claims []model.Claim
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

// searches are the parts of a check: first the claims that say nothing of a search of their own, with those
// that are not put to the test; then the others, of which those that need the same share one.
func searches(p *model.Protocol, c model.Check, claims []model.Claim, opt Options) (all []part) {
	if opt.From != nil {
		claims = together(claims)
	}
	first := part{check: c}
	for _, claim := range claims {
		one := partFor(p, c, claim)
		if !searchable(p, c, claim) || !one.apart && one.needs.causal == 0 && one.needs.graph != game {
			first.claims = append(first.claims, claim)
			continue
		}
		i := slices.IndexFunc(all, func(b part) bool { return one.needs.like(b.needs) && reflect.DeepEqual(one.check, b.check) })
		if i < 0 {
			i, all = len(all), append(all, one)
		}
		all[i].claims = append(all[i].claims, claim)
	}
	if len(first.claims) > 0 || len(all) == 0 {
		all = append([]part{first}, all...)
	}
	return all
}

// partFor is the search that a claim needs, without it.
func partFor(p *model.Protocol, c model.Check, claim model.Claim) part {
	one := part{check: filled(p, c), apart: claim.Apart != nil}
	if one.apart {
		one.check = claim.Apart(one.check)
	}
	one.needs = needsOf(p, one.check, claim)
	return one
}

// filled gives a check the sizes that are not set, for a claim's Apart to cut down.
func filled(p *model.Protocol, c model.Check) model.Check {
	if s, err := p.System(c.Variant, c.Config); err == nil {
		c.Config = s.Config
	}
	return c
}

// togetherUntil is how many states claims are searched together for that need different graphs.
var togetherUntil int64 = 1_000_000

// rows searches for the claims of a part. Claims that need different graphs are searched together first:
// most systems are so small that this is the fastest. But a claim under fairness allows no reduction, a
// graph of all states has to stay in memory, and states are as many as what all monitors remember makes of
// them. So a search that is not over after a million states, a quarter of the time, or within the memory, is given
// up, and the claims are searched apart, the cheapest first. Each of these searches has the limits of the
// check for itself, and none is harder than the one for all, so that no claim loses its verdict to another.
func (a part) rows(p *model.Protocol, opt Options) ([]*Row, error) {
	apart := a.byGraph(p)
	if len(apart) == 1 || opt.Dot != nil {
		row, err := searchOrSample(p, a.check, a.claims, opt)
		return []*Row{row}, err
	}
	opt.Violated = toldOnce(opt.Violated)
	trial := opt
	trial.Timeout = (opt.Timeout + 3) / 4
	if opt.MaxStates == 0 || opt.MaxStates > togetherUntil {
		trial.MaxStates = togetherUntil
	}
	row, err := searchRow(p, a.check, a.claims, trial)
	if err != nil || !givenUp(row.Limit) {
		return []*Row{row}, err
	}
	var rows []*Row
	for _, one := range apart {
		search.Collect(opt.MaxMemory)
		alone, err := searchOrSample(p, one.check, one.claims, one.telling(opt))
		if err != nil {
			return nil, err
		}
		alone.Notes = append(alone.Notes, fmt.Sprintf("searched apart from %s: together the search did not end within its share (%s)", one.beside(apart), row.Limit))
		rows = append(rows, alone)
	}
	return rows, nil
}

// toldOnce tells of each claim's violation once, although it is found again.
func toldOnce(tell func(*Row, ClaimResult)) func(*Row, ClaimResult) {
	if tell == nil {
		return nil
	}
	told := map[string]bool{}
	return func(row *Row, c ClaimResult) {
		if !told[c.Name] {
			told[c.Name] = true
			tell(row, c)
		}
	}
}

// telling has the progress say what is searched apart.
func (a part) telling(opt Options) Options {
	if tell := opt.Progress; tell != nil {
		opt.Progress = func(p Progress) { p.Apart = a.claims[len(a.claims)-1].Name; tell(p) }
	}
	return opt
}

// givenUp reports whether a limit is one that searching apart may not meet.
func givenUp(limit string) bool {
	return slices.ContainsFunc([]string{"states", "timeout", "memory"}, func(l string) bool { return strings.HasPrefix(limit, l) })
}

// byGraph are the claims of a part by the graph that they need, the cheapest first. Claims that are not put
// to the test are reported with the first.
func (a part) byGraph(p *model.Protocol) (apart []part) {
	var idle []model.Claim
	of := map[graph][]model.Claim{}
	for _, claim := range a.claims {
		if !a.apart && !searchable(p, a.check, claim) {
			idle = append(idle, claim)
			continue
		}
		g := needsOf(p, a.check, claim).graph
		of[g] = append(of[g], claim)
	}
	for g := noGraph; g <= game; g++ {
		if claims := of[g]; len(claims) > 0 {
			apart = append(apart, part{check: a.check, claims: slices.Concat(idle, claims)})
			idle = nil
		}
	}
	if len(apart) == 0 {
		return []part{a}
	}
	return apart
}

// beside names the claims of the other parts.
func (a part) beside(all []part) string {
	var names []string
	for _, b := range all {
		for _, claim := range b.claims {
			if !slices.ContainsFunc(a.claims, func(c model.Claim) bool { return c.Name == claim.Name }) {
				names = append(names, claim.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
