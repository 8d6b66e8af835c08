package search

import (
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/portable"
	"contend/checker/search/suspect"
)

// A summary is what a part says of a layer at its end.
type summary struct {
	States, Generated, Calls, Locks int64
	Cut                             []int64
	Witnessed                       []bool
	Candidates                      []suspect.Suspect
	Finals                          [][2]uint64
	Costs                           []suspect.Extremes
	Unfollowed                      map[int]string
	Matter                          map[string]string
	Unlike                          map[string][]string
	Facts                           []byte
	Windows, Holds                  bool // strict bounds that were met
	Orders                          orders
	Absorbs                         bool
	Bytes, Disk                     int64
}

// summarize ends a layer in this part, and says what was found in it.
func (c *company) summarize() summary {
	x := c.x
	c.settleNotes()
	sum := summary{
		States: x.found(), Generated: x.generated.Load() - x.before.generated, Calls: x.Calls, Cut: make([]int64, len(x.Sys.Cuts)),
		Witnessed: make([]bool, len(x.claims)), Orders: x.orders(), Absorbs: x.absorbs(), Bytes: x.set.Bytes(), Disk: x.set.DiskBytes(),
		Windows: x.Strict.Windows, Holds: x.Strict.Any(),
	}
	x.states += sum.States
	x.fresh.Store(0)
	var candidates []suspect.Suspect
	var finals []fingerprint.Print
	costs := make([]suspect.Extremes, len(x.costs))
	for _, s := range x.workers {
		for i, w := range s.witnessed {
			sum.Witnessed[i] = sum.Witnessed[i] || w
		}
		for k, n := range s.cutStates {
			sum.Cut[k] += n
			s.cutStates[k] = 0
		}
		sum.Locks += s.locks
		candidates, finals = append(candidates, s.candidates...), append(finals, s.finals...)
		s.locks, s.candidates, s.finals = 0, nil, nil
		for i := range s.costs {
			costs[i].TakeAll(s.costs[i], true)
		}
		s.Refresh()
	}
	sum.Candidates = suspect.Least(candidates)
	sum.Finals = savedPrints(finals)
	sum.Costs = costs
	x.lookUnfollowed()
	sum.Unfollowed = x.unfollowed
	x.workers[0].Ask(func() {
		if x.absorber != nil {
			sum.Matter, sum.Facts = x.absorber.Matter, c.writer.Facts(nil, x.absorber.News())
		}
		if x.sym != nil {
			sum.Unlike = x.sym.Unlike
		}
	})
	return sum
}

// collect puts what the other parts found to what this one found, and returns their candidates.
func (c *company) collect() (candidates []suspect.Suspect) {
	x := c.x
	for part := range c.sums {
		s := &c.sums[part]
		if part == c.number {
			continue
		}
		if len(s.Cut) != len(x.Sys.Cuts) || len(s.Witnessed) != len(x.claims) || len(s.Costs) != len(x.costs) {
			throw(errAnswer)
		}
		x.generated.Add(s.Generated)
		x.locked += s.Locks
		c.calls[part] = s.Calls
		for k, cut := range x.Sys.Cuts {
			x.res.Cut[cut.Name] += s.Cut[k]
		}
		for i, w := range s.Witnessed {
			o := &x.res.Claims[i]
			o.Witnessed = o.Witnessed || w
		}
		for claim, limit := range s.Unfollowed {
			x.limits(claim, limit)
		}
		candidates = append(candidates, s.Candidates...)
		x.finals = append(x.finals, loadedPrints(s.Finals)...)
		x.tried, x.absorbed = x.tried.most(s.Orders.Servers, s.Orders.Clients), x.absorbed || s.Absorbs
		x.Strict.Meet(component.Strictness{Windows: s.Windows, Some: s.Holds})
		c.learn(s)
	}
	return candidates
}

// learn takes in what the guesses of another part came to.
func (c *company) learn(s *summary) {
	x := c.x
	if a := x.absorber; a != nil {
		x.workers[0].Ask(func() {
			facts, err := portable.ReadFacts(s.Facts, x.Engine)
			throw(unread(err))
			for _, f := range facts {
				a.Learn(f)
			}
		})
		a.News() // which nobody else is to be told
		for message, why := range s.Matter {
			if known, ok := a.Matter[message]; !ok || why < known {
				a.Matter[message] = why
			}
		}
	}
	if x.sym != nil {
		for name, why := range s.Unlike {
			x.sym.Unlike[name] = append(x.sym.Unlike[name], why...)
		}
	}
}

// costs are what the other parts measured of a claim in the layer.
func (c *company) costs(claim int) (all []suspect.Extremes) {
	for part := range c.sums {
		if part != c.number {
			all = append(all, c.sums[part].Costs[claim])
		}
	}
	return all
}
