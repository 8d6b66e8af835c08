// Package decide is the table of what a search can decide: for each kind of claim, reading of time, sort of
// bounds, cut, fault and channel, the possible verdicts and their reasons. A search consults the table before
// it begins. The proof of each line is in docs/proofs/search.md.
package decide

import (
	"slices"
	"strings"

	"contend/model"
)

// A Kind is a kind of claim. Kinds of the model that are decided alike share a Kind.
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
	Cost // holds if the reported minimum and maximum are those of all runs
	kinds
)

// String returns the kind as the table prints it.
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

// A Reading is a search's semantics of time.
type Reading int

// The readings. A search on the grid closes strict bounds. If closing leaves a claim undecided, searches on
// exact grids may follow.
const (
	Untimed Reading = iota
	Closing
	Exact
	Dense
	readings
)

// String returns the reading as the table prints it.
func (r Reading) String() string {
	return [...]string{"untimed", "grid", "exact grid", "dense"}[r]
}

// ReadingOf returns the reading of a search's first pass.
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

// String returns the fault as the table prints it.
func (f Fault) String() string {
	return [...]string{"none", "loss", "duplication", "crashes", "restarts", "suspicions", "partitions", "lies"}[f]
}

// faultsOf returns the faults of a system, beginning with None.
func faultsOf(s *model.System) []Fault {
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
	Strict  bool // some bound is strict: an open window, or any hold, since a closed hold is over only after its end
	Cut     bool // a cut withholds some step
	Fault   Fault
	Channel model.Channel
}

// Cases returns all cells.
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

// An Answer is whether a verdict is possible. Answers are ordered from the weakest.
type Answer int

// The answers.
const (
	No        Answer = iota // never
	Partly                  // only if the search met nothing that may mislead
	Confirmed               // if the interpreter replays the run in exact time
	Yes
)

// String returns the answer as the table prints it.
func (a Answer) String() string { return [...]string{"no", "partly", "confirmed", "yes"}[a] }

// Codes of the limits of undecided claims.
const (
	Cut             = "cut"
	StrictBound     = "strict bound"
	DenseTime       = "dense time"
	TimedRound      = "timed lasso"
	TimeStandsStill = "time stands still"
)

// An Entry is the content of a cell.
type Entry struct {
	Holds, Violated Answer
	Limit           string   // the limit of a claim without a verdict, if always the same
	Refused         bool     // such a search is refused
	Why             []string // sentences
}

// Undecided reports whether neither verdict is ever possible.
func (e Entry) Undecided() bool { return e.Holds == No && e.Violated == No }

// How returns a summary of the entry.
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

// Text returns the entry's sentences.
func (e Entry) Text() string { return strings.Join(e.Why, " ") }

// Of returns the entry of a case: the answers of the reading, restricted by cut, fault and channel.
func Of(c Case) Entry {
	e := Parts[0].entry(c)
	open := e.Undecided()
	for _, part := range Parts[1:] {
		less := part.entry(c)
		if e.Refused || less.Refused {
			return Entry{Refused: true, Why: append(e.refusal(), less.refusal()...)}
		}
		if !open { // else nothing is left to take away
			e.Holds, e.Violated, e.Why = min(e.Holds, less.Holds), min(e.Violated, less.Violated), append(e.Why, less.Why...)
		}
	}
	return e
}

// Because returns the sentence for a case that is undecided because of a limit; "" if there is none. Only the
// part of the table that sets the limit, or is about it, gives a reason.
func Because(c Case, limit string) string {
	for _, part := range Parts {
		e := part.entry(c)
		about := limit == Cut && c.Cut && part.Title == cuts
		if (e.Limit == limit || about) && len(e.Why) > 0 {
			return e.Why[len(e.Why)-1]
		}
	}
	return ""
}

// entry returns the entry of the part's first rule that covers a case. Every part has such a rule.
func (p Part) entry(c Case) Entry {
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

// Before returns the entry of a claim that cannot have a verdict, and false, before the search begins. It
// assumes that bounds are closed and that no cut is met; both only weaken answers. If a verdict is possible, it
// returns true.
func Before(c model.Claim, s *model.System, r Reading) (Entry, bool) {
	for _, f := range faultsOf(s) {
		e := Of(Case{Kind: KindOf(c), Reading: r, Fault: f, Channel: s.Network.Channel})
		if e.Refused || e.Undecided() {
			return e, false
		}
	}
	return Entry{}, true
}
