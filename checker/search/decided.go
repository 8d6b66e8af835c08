package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/checker/search/reduce"
	"contend/checker/search/symmetry"
	"contend/model"
	"contend/model/describe"
)

// reading returns the first reading of time of a search.
func (o *Options) reading() decide.Reading {
	switch {
	case o.Dense:
		return decide.Dense
	case o.Timed:
		return decide.Closing
	}
	return decide.Untimed
}

// sentence returns the text of an entry for use after a colon.
func sentence(e decide.Entry) string {
	text := []rune(strings.TrimSuffix(e.Text(), "."))
	text[0] = unicode.ToLower(text[0])
	return string(text)
}

// undecided returns the result of a search that can decide none of its claims, and is not made. It returns nil if
// the search may decide some.
func (o *Options) undecided(s *model.System, claims []model.Claim) *Result {
	res := newResult(len(claims))
	for i, c := range claims {
		e, may := decide.Before(c, s, o.reading())
		if may {
			return nil
		}
		res.Claims[i].Limit = decide.Limited(e.Limit)
	}
	if len(claims) == 0 {
		return nil
	}
	return res
}

// coins returns the coins of a search for claims. In dense time no coins are tossed: a search then says nothing
// about probability.
func (o *Options) coins(claims []model.Claim) component.Coins {
	for _, c := range claims {
		if c.Kind == model.AlmostSurely && !o.Dense {
			return component.Coins{Tossed: true, Against: c.Against}
		}
	}
	return component.Coins{}
}

// oneAdversary returns an error if the claims cannot be searched together; else nil.
func (o *Options) oneAdversary(claims []model.Claim) error {
	with := o.coins(claims)
	for _, c := range claims {
		if c.Kind != model.AlmostSurely {
			continue
		}
		if e := decide.Of(decide.Case{Kind: decide.AlmostSurely, Reading: o.reading()}); e.Refused {
			return fmt.Errorf("claim %s: %s", c.Name, sentence(e))
		}
		if with.Tossed && c.Against != with.Against { // in dense time no coin is tossed, and they are left open
			return fmt.Errorf("claim %s: it is against an adversary that is %v, and cannot be searched with one that is %v", c.Name, c.Against, with.Against)
		}
	}
	return nil
}

// conditionsOf returns the conditions of a search, on which the reductions depend.
func conditionsOf(st *component.Store) reduce.Conditions {
	is := func(kind model.Kind) bool {
		return slices.ContainsFunc(st.Claims, func(c model.Claim) bool { return c.Kind == kind })
	}
	return reduce.Conditions{
		Timed: st.Timed, Dense: st.Dense, Eventually: is(model.Eventually), Coins: st.Coins.Tossed,
		Causal: slices.ContainsFunc(st.Claims, readsPasts), Sends: st.Sends,
		Fifo: st.Sys.Network.Channel == model.FIFO, Set: st.Sys.Network.Channel == model.Set, OwnWindows: st.Sys.Network.Messages != nil,
		Parted: st.Sys.Faults.Partitions > 0, Restarts: st.Sys.Faults.Restarts > 0,
		Foreign: slices.ContainsFunc(st.Protos, func(n any) bool { _, is := n.(describe.Teller); return is }),
	}
}

// readsPasts reports whether a claim depends on causal pasts, or on the lengths of chains of messages.
func readsPasts(c model.Claim) bool { return c.Causal != nil || c.Cost != nil && c.Cost.Chains }

// uses returns the reductions that are requested and allowed, without the groups in unlike.
func (o *Options) uses(c reduce.Conditions, unlike map[string]bool) reduce.Uses {
	return reduce.Uses{
		Servers: o.Symmetry && reduce.ServerSymmetry.In(c) && !unlike[symmetry.Servers],
		Clients: o.Clients && reduce.ClientSymmetry.In(c) && !unlike[symmetry.Clients],
		Stale:   o.Stale && reduce.StaleAbsorption.In(c), Echoes: o.Stale && reduce.EchoAbsorption.In(c),
		Inclusion: o.Merge && reduce.Inclusion.In(c), Merging: o.Merge && reduce.ConvexMerging.In(c),
		Settles: reduce.SettledHolds.In(c), Equals: reduce.EqualEvents.In(c),
	}
}

// refuseTimed returns an error if a search with time would start behind a run; else nil. The search would need the
// ages of the pending events.
func (o *Options) refuseTimed() error {
	if o.From != nil && o.Timed {
		return fmt.Errorf("from: a search that begins where a run ends reads no time: it must be untimed")
	}
	return nil
}

// RefuseUndense returns an [Undense] error if a system has a fault that zones cannot express: they have no window
// for a message that arrives again.
func RefuseUndense(s *model.System) error {
	for _, f := range []struct {
		count int
		what  string
	}{{s.Faults.Duplication, "duplication"}, {s.Faults.Restarts, "restarts"}} {
		if f.count > 0 {
			return Undense{f.what}
		}
	}
	return nil
}

// An Undense error names a fault that a search in dense time does not support.
type Undense struct{ Fault string }

func (e Undense) Error() string {
	return e.Fault + ": a message that comes again is read untimed or on the grid, not in dense time"
}
