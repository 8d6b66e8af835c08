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

// reading is how a search begins to read time.
func (o *Options) reading() decide.Reading {
	switch {
	case o.Dense:
		return decide.Dense
	case o.Timed:
		return decide.Closing
	}
	return decide.Untimed
}

// sentence is an entry's text as it stands behind a colon.
func sentence(e decide.Entry) string {
	text := []rune(strings.TrimSuffix(e.Text(), "."))
	text[0] = unicode.ToLower(text[0])
	return string(text)
}

// undecided is the result of a search that would decide none of its claims, and is not
// made; nil if some may be decided.
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

// coins is how a search for claims reads them. In dense time it says nothing of
// probability.
func (o *Options) coins(claims []model.Claim) component.Coins {
	for _, c := range claims {
		if c.Kind == model.AlmostSurely && !o.Dense {
			return component.Coins{Tossed: true, Against: c.Against}
		}
	}
	return component.Coins{}
}

// oneAdversary says in a sentence why claims cannot be searched together, or nil.
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

// conditions are those of a search. A claim of probability tosses coins only where time is
// not dense.
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

// readsPasts reports whether a claim reads causal pasts, or the lengths of chains of messages.
func readsPasts(c model.Claim) bool { return c.Causal != nil || c.Cost != nil && c.Cost.Chains }

// uses are those that are asked for and may be used, but for groups that were found not to be
// interchangeable.
func (o *Options) uses(c reduce.Conditions, unlike map[string]bool) reduce.Uses {
	return reduce.Uses{
		Servers: o.Symmetry && reduce.ServerSymmetry.In(c) && !unlike[symmetry.Servers],
		Clients: o.Clients && reduce.ClientSymmetry.In(c) && !unlike[symmetry.Clients],
		Stale:   o.Stale && reduce.StaleAbsorption.In(c), Echoes: o.Stale && reduce.EchoAbsorption.In(c),
		Inclusion: o.Merge && reduce.Inclusion.In(c), Merging: o.Merge && reduce.ConvexMerging.In(c),
		Settles: reduce.SettledHolds.In(c), Equals: reduce.EqualEvents.In(c),
	}
}

// refuseTimed says in a sentence why a search cannot begin behind a run, or nil: with time, the ages of what is pending would have to be
// taken over.
func (o *Options) refuseTimed() error {
	if o.From != nil && o.Timed {
		return fmt.Errorf("from: a search that begins where a run ends reads no time: it must be untimed")
	}
	return nil
}

// RefuseUndense refuses what zones do not say: the remaining window of a message that
// comes again. The error is [Undense].
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

// An Undense error says that a fault is not read in dense time.
type Undense struct{ Fault string }

func (e Undense) Error() string {
	return e.Fault + ": a message that comes again is read untimed or on the grid, not in dense time"
}
