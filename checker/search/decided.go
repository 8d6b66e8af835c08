package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"contend/checker/search/decide"
	"contend/model"
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
	res := &Result{
		Cut: map[string]int64{}, Violated: map[int]Candidate{}, Spurious: map[int]int{}, Witnessed: map[int]bool{},
		Reached: map[int]bool{}, Undecided: map[int]string{}, Profile: func() string { return "" },
	}
	for i, c := range claims {
		e, may := decide.Before(c, s, o.reading())
		if may {
			return nil
		}
		res.Undecided[i] = e.Limit
	}
	if len(claims) == 0 {
		return nil
	}
	return res
}

// coins is how a search for claims reads them. In dense time it says nothing of
// probability.
func (o *Options) coins(claims []model.Claim) coins {
	for _, c := range claims {
		if c.Kind == model.AlmostSurely && !o.Dense {
			return coins{true, c.Against}
		}
	}
	return coins{}
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
		if with.tossed && c.Against != with.against {
			return fmt.Errorf("claim %s: it is against an adversary that is %v, and cannot be searched with one that is %v", c.Name, c.Against, with.against)
		}
	}
	return nil
}

// conditions are those of a search. A claim of probability tosses coins only where time is
// not dense.
func conditionsOf(st *store) conditions {
	is := func(kind model.Kind) bool {
		return slices.ContainsFunc(st.claims, func(c model.Claim) bool { return c.Kind == kind })
	}
	return conditions{
		timed: st.timed, dense: st.dense, eventually: is(model.Eventually), coins: st.coins.tossed,
		causal: slices.ContainsFunc(st.claims, func(c model.Claim) bool { return c.Causal != nil }),
		fifo:   st.sys.Network.Channel == model.FIFO, ownWindows: st.sys.Network.Messages != nil,
	}
}

// uses are those that are asked for and may be used, but for groups that were found not to be
// interchangeable.
func (o *Options) uses(c conditions, unlike map[string]bool) uses {
	return uses{
		servers: o.Symmetry && serverSymmetry.in(c) && !unlike[servers],
		clients: o.Clients && clientSymmetry.in(c) && !unlike[clients],
		stale:   o.Stale && staleAbsorption.in(c), echoes: o.Stale && echoAbsorption.in(c),
		inclusion: o.Merge && inclusion.in(c), merging: o.Merge && convexMerging.in(c),
		settles: settledHolds.in(c), equals: equalEvents.in(c),
	}
}
