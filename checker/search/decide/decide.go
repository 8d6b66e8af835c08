// Package decide is the one table of what a search can decide: for each kind of claim,
// reading of time, sort of bounds, cut, fault and channel, which verdicts may be given,
// and what they rest on. A search consults it before it begins, and people can print
// it. Each line is argued in docs/proofs/search.md.
package decide

import (
	"slices"
	"strings"

	"contend/model"
)

// A Kind is a kind of claim as far as it matters here.
type Kind int

// The kinds of claims.
const (
	Always Kind = iota
	AlwaysDone
	Invariant
	Linearizable
	Refines
	Sometimes
	SometimesDone
	Possible
	Eventually
	AlmostSurely
	Cost // the least and the most that it comes to: they hold if they are those of all runs
	kinds
)

// String names the kind, for people.
func (k Kind) String() string {
	return [...]string{"always", "always, done", "invariant", "linearizable", "refines", "sometimes", "sometimes, done",
		"possible from everywhere", "eventually", "almost surely", "cost"}[k]
}

// KindOf returns the kind of a claim.
func KindOf(c model.Claim) Kind {
	switch c.Kind {
	case model.Linearizable:
		return Linearizable
	case model.Refines:
		return Refines
	case model.PossibleFromEverywhere:
		return Possible
	case model.Eventually:
		return Eventually
	case model.AlmostSurely:
		return AlmostSurely
	case model.Measured:
		return Cost
	case model.Sometimes:
		if c.Done {
			return SometimesDone
		}
		return Sometimes
	}
	switch {
	case c.Done:
		return AlwaysDone
	case c.Invariant != nil:
		return Invariant
	}
	return Always
}

// A Reading is a way to read time, as a search has it.
type Reading int

// The readings. A search on the grid closes strict bounds; others, on an exact grid, may come
// after it, where what closing has made leaves a claim open.
const (
	Untimed Reading = iota
	Closing
	Exact
	Dense
	readings
)

// String names the reading, for people.
func (r Reading) String() string {
	return [...]string{"untimed", "grid", "exact grid", "dense"}[r]
}

// ReadingOf returns how a search begins to read time.
func ReadingOf(r model.Reading) Reading { return [...]Reading{Untimed, Closing, Dense}[r] }

// A Fault is a kind of fault that the environment has a budget for.
type Fault int

// The faults.
const (
	None Fault = iota
	Loss
	Duplication
	Crashes
	Restarts
	Suspicions
	Partitions
	Lies // of Byzantine nodes
	faults
)

// String names the fault, for people.
func (f Fault) String() string {
	return [...]string{"none", "loss", "duplication", "crashes", "restarts", "suspicions", "partitions", "lies"}[f]
}

// FaultsOf lists the faults of a system, None among them.
func FaultsOf(s *model.System) []Fault {
	all := []Fault{None}
	for _, f := range []struct {
		fault Fault
		is    bool
	}{
		{Loss, s.Faults.Loss > 0}, {Duplication, s.Faults.Duplication > 0}, {Crashes, s.Faults.Crashes > 0},
		{Restarts, s.Faults.Restarts > 0}, {Suspicions, s.Faults.Suspicions > 0}, {Partitions, s.Faults.Partitions > 0}, {Lies, s.Forge != nil},
	} {
		if f.is {
			all = append(all, f.fault)
		}
	}
	return all
}

// A Case is one cell of the table.
type Case struct {
	Kind    Kind
	Reading Reading
	Strict  bool // some bound is strict: a window with an open end, or any hold, which is over only beyond its end
	Cut     bool // a cut keeps some step from being taken
	Fault   Fault
	Channel model.Channel
}

// Cases lists every cell.
func Cases() []Case {
	var all []Case
	for k := range kinds {
		for r := range readings {
			for _, strict := range []bool{false, true} {
				for _, cut := range []bool{false, true} {
					for f := range faults {
						for _, c := range []model.Channel{model.Bag, model.FIFO, model.Set} {
							all = append(all, Case{k, r, strict, cut, f, c})
						}
					}
				}
			}
		}
	}
	return all
}

// An Answer says whether a verdict may be given.
type Answer int

// The answers, from the weakest.
const (
	No        Answer = iota // never
	Partly                  // only where nothing that might mislead is in the way
	Confirmed               // if the interpreter takes the run in exact time
	Yes
)

// String is the answer as the table prints it.
func (a Answer) String() string { return [...]string{"no", "partly", "confirmed", "yes"}[a] }

// Limits that undecided claims are reported with.
const (
	Cut             = "cut"
	StrictBound     = "strict bound"
	DenseTime       = "dense time"
	TimedRound      = "timed lasso"
	TimeStandsStill = "time stands still"
	Page            = "page"
)

// An Entry is what the table says of a case.
type Entry struct {
	Holds, Violated Answer
	Limit           string   // what a verdict that cannot be given is inconclusive for, if always the same
	Refused         bool     // there is no such search
	Why             []string // sentences
}

// Undecided reports whether neither verdict may ever be given.
func (e Entry) Undecided() bool { return e.Holds == No && e.Violated == No }

// How sums the entry up.
func (e Entry) How() string {
	switch {
	case e.Refused:
		return "refused"
	case e.Undecided():
		return "undecided: " + e.Limit
	case e.Holds == Yes && e.Violated == Yes:
		return "decided"
	case e.Holds == Yes && e.Violated == Confirmed:
		return "violation must be confirmed"
	case e.Holds == Confirmed && e.Violated == Yes:
		return "witness must be confirmed"
	case e.Holds == Confirmed && e.Violated == Confirmed:
		return "numbers must be confirmed"
	case e.Holds == No:
		return "only refuted"
	case e.Violated == No:
		return "only witnessed"
	}
	return "decided where nothing misleads"
}

// Text is the entry's sentences.
func (e Entry) Text() string { return strings.Join(e.Why, " ") }

// Of looks a case up: what the reading allows, and of it what cut, fault and channel leave.
func Of(c Case) Entry {
	e := Parts[0].of(c)
	open := e.Undecided()
	for _, part := range Parts[1:] {
		less := part.of(c)
		if e.Refused || less.Refused {
			return Entry{Refused: true, Why: append(e.refusal(), less.refusal()...)}
		}
		if !open { // else nothing is left to take away
			e.Holds, e.Violated, e.Why = min(e.Holds, less.Holds), min(e.Violated, less.Violated), append(e.Why, less.Why...)
		}
	}
	return e
}

// Because is the sentence of the table for which a case is left open with a limit; "" if none is.
// It is that of the part that sets the limit, or is about it: what another part says of the case,
// as of its channel, is no reason.
func Because(c Case, limit string) string {
	for _, part := range Parts {
		e := part.of(c)
		about := limit == Cut && c.Cut && part.Title == cuts
		if (e.Limit == limit || about) && len(e.Why) > 0 {
			return e.Why[len(e.Why)-1]
		}
	}
	return ""
}

// of is the entry of the first rule that covers a case. There is one in each part.
func (p Part) of(c Case) Entry {
	i := slices.IndexFunc(p.Rules, func(r Rule) bool { return r.covers(c) })
	e := p.Rules[i].Entry
	e.Why = slices.Clone(e.Why)
	return e
}

func (e Entry) refusal() []string {
	if e.Refused {
		return e.Why
	}
	return nil
}

// Before says of a claim what is known before the search begins, when it is not known yet
// whether bounds are strict or a cut matters: the entry if there is no verdict though bounds
// are closed and no cut is met, since those two only take away.
func Before(c model.Claim, s *model.System, r Reading) (Entry, bool) {
	for _, f := range FaultsOf(s) {
		e := Of(Case{Kind: KindOf(c), Reading: r, Fault: f, Channel: s.Network.Channel})
		if e.Refused || e.Undecided() {
			return e, false
		}
	}
	return Entry{}, true
}
