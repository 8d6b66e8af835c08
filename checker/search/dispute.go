package search

import (
	"errors"

	"contend/model"
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
