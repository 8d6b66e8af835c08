package search

import (
	"errors"
	"slices"

	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A Disagreement is that of the search with the interpreter, or with itself: a violation
// that the interpreter does not confirm, or a state to which no way is found again. One of
// the implementations of the semantics is wrong then. It costs the claim its verdict; what
// is said of the others does not rest on it.
type Disagreement struct{ Err error }

func (d Disagreement) Error() string {
	return "the search and the interpreter disagree: " + d.Err.Error()
}

func (d Disagreement) Unwrap() error { return d.Err }

// try makes the run that breaks a claim, or is the witness of one, and takes it to the
// interpreter.
func (x *explorer) try(claim int, run func() Candidate) Confirmation {
	is, err := x.taken(claim, run)
	if err != nil {
		x.dispute(claim, err)
		return Unknown
	}
	return is
}

func (x *explorer) taken(claim int, run func() Candidate) (is Confirmation, err error) {
	defer disputed(&err)
	found := run()
	if x.opt.Confirm != nil {
		if is, err = x.opt.Confirm(found); err != nil {
			return is, err
		}
	}
	switch {
	case is != Real, x.kind(claim) == model.Measured:
	case x.kind(claim) == model.Sometimes:
		x.res.Reached[claim], x.res.Witnessed[claim] = true, true
	default:
		x.res.Violated[claim] = found
	}
	return is, nil
}

// disputed makes an error of the panic of a [Disagreement].
func disputed(err *error) {
	switch p := recover().(type) {
	case nil:
	case Disagreement:
		*err = p
	default:
		panic(p)
	}
}

// dispute leaves a claim without a verdict.
func (x *explorer) dispute(claim int, err error) {
	if x.res.Disputed[claim] != "" {
		return
	}
	if d := (Disagreement{}); !errors.As(err, &d) {
		err = Disagreement{err}
	}
	x.res.Disputed[claim] = err.Error()
}

// That a handler is a function of what it is given is checked when its result is first needed: it
// runs twice then, on maps made in two turns. What that cannot show is asked for at the end of the
// search. Every result is computed once more, the last first, so that a clock that ticks seldom
// has gone on, and a cache that forgets has forgotten; and where maps of several entries were
// given, until the turns leave no doubt: see [value.Turns]. What a handler keeps for ever once it
// has computed it looks the same to the end of the process, and is not seen.
//
// The runs are bounded, so that this costs next to nothing: a search takes some hundreds of steps
// in the time of a run. A large search asks of some results only, evenly spread.

const (
	runsAtLeast = 4096 // that a search spends on asking again, if it needs as many
	stepsPerRun = 1500 // of the search, for each run more
)

// impurity asks again, and returns what is found.
func (x *explorer) impurity() (err error) {
	defer value.Caught(&err)
	x.askAgain()
	return nil
}

// askAgain panics with an [Impure] if a handler now comes to something else than before.
func (x *explorer) askAgain() {
	left := runsAtLeast + int(x.generated.Load()/stepsPerRun)
	all := x.Engine.Reactions()
	some := (len(all) + left - 1) / max(left, 1)
	var mapped []*step.Asked
	for i := 0; i < len(all); i += max(some, 1) {
		a := &all[i]
		x.Entries = 0
		left -= x.Repeat(a, 2)
		if a.Entries = x.Entries; a.Entries > 1 {
			mapped = append(mapped, a)
		}
	}
	for turn := 3; len(mapped) > 0 && left > 0; turn++ {
		mapped = slices.DeleteFunc(mapped, func(a *step.Asked) bool { return turn >= value.Turns(a.Entries) })
		for _, a := range mapped {
			if left <= 0 {
				return
			}
			left -= x.Repeat(a, turn)
		}
	}
}
